"""A matrix multiplication by shape and type, written as linalg on tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from allo_air.core.calls import checked_class
from allo_air.dtypes import element_of, is_float
from allo_air.errors import AlloAirError, ArgumentError

RESULTS = {"bf16": "f32", "f32": "f32", "i8": "i32", "i16": "i32", "i32": "i32"}
"""The operand types of the gemm pipelines, each with its accumulator type."""


@checked_class
@dataclass(frozen=True)
class Matmul:
    """C (m x n) = A (m x k) B (k x n) with operands of `dtype`. By default, C has the accumulator type of `dtype`."""

    m: int
    n: int
    k: int
    dtype: str = "bf16"
    result: str = ""

    def __post_init__(self) -> None:
        for name in ("m", "n", "k"):
            size = getattr(self, name)
            if type(size) is not int or size < 1:
                raise AlloAirError(f"{name} of a matmul is {size!r}, expected a positive int")
        element = element_of(self.dtype)
        if element not in RESULTS:
            raise AlloAirError(f"no pipeline multiplies matrices of {element}; there are {', '.join(RESULTS)}")
        result = element_of(self.result) if self.result else RESULTS[element]
        if is_float(result) != is_float(element):
            raise AlloAirError(f"a matmul of {element} does not give {result}")
        object.__setattr__(self, "dtype", element)
        object.__setattr__(self, "result", result)

    @property
    def pipeline(self) -> str:
        """Name of the pipeline for the operands' type."""
        return f"gemm-{self.dtype}"

    @property
    def macs(self) -> int:
        """Multiply-accumulate operations."""
        return self.m * self.n * self.k

    @property
    def text(self) -> str:
        """The function `@gemm(a, b) -> c` as MLIR."""
        a, b = f"tensor<{self.m}x{self.k}x{self.dtype}>", f"tensor<{self.k}x{self.n}x{self.dtype}>"
        c = f"tensor<{self.m}x{self.n}x{self.result}>"
        zero = "0.0" if is_float(self.result) else "0"
        return (
            f"func.func @gemm(%a: {a}, %b: {b}) -> {c} {{\n"
            f"  %zero = arith.constant {zero} : {self.result}\n"
            f"  %empty = tensor.empty() : {c}\n"
            f"  %init = linalg.fill ins(%zero : {self.result}) outs(%empty : {c}) -> {c}\n"
            f"  %c = linalg.matmul ins(%a, %b : {a}, {b}) outs(%init : {c}) -> {c}\n"
            f"  return %c : {c}\n"
            f"}}\n"
        )


def matmul_of(shape: Sequence[int], dtype: object) -> Matmul:
    """The Matmul of `shape` (M, N, K)."""
    if isinstance(shape, str | bytes) or not hasattr(shape, "__len__") or len(shape) != 3:
        raise ArgumentError(f"a matmul has the shape (M, N, K), found {shape!r}")
    m, n, k = (int(s) if hasattr(s, "__index__") else s for s in shape)
    return Matmul(m, n, k, element_of(dtype))
