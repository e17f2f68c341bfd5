"""Annotations: the types of parameters, results and variables."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from allo_air.frontend.state import State
from allo_air.frontend.static import UNKNOWN, evaluate
from allo_air.frontend.types import (
    Annotated,
    ConstExprType,
    ScalarType,
    StreamType,
    StructArrayType,
    StructType,
    TensorType,
)
from allo_air.frontend.values import DYNAMIC, shape_text


@dataclass(frozen=True)
class Declared:
    """The type in an annotation: a scalar (`shape` is None) or a tensor. `mark` is its layout, its memory, or Stateful."""

    element: ScalarType
    shape: tuple[int, ...] | None = None
    mark: Any = None

    def __str__(self) -> str:
        return str(self.element) if self.shape is None else f"a tensor {self.element}{shape_text(self.shape)}"

    def admits(self, shape: tuple[int, ...]) -> bool:
        """Whether a tensor of `shape` has this type. The type may leave a size open."""
        own_shape = self.shape or ()
        return len(own_shape) == len(shape) and all(a in (b, DYNAMIC) for a, b in zip(own_shape, shape, strict=True))


def declared(state: State, node: ast.AST) -> Declared | ConstExprType | StreamType | StructType | StructArrayType:
    """The type of an annotation."""
    mark = None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        mark = evaluate(state, node.right)
        if mark is UNKNOWN:
            raise state.error(node.right, f"'{ast.unparse(node.right)}' is not known when the kernel is compiled")
        node = node.left
    array_type = evaluate(state, node)
    if isinstance(array_type, str):
        return declared(state, ast.copy_location(ast.parse(array_type, mode="eval").body, node))
    if isinstance(array_type, Annotated):
        return Declared(array_type.element, None, array_type.mark)
    if isinstance(array_type, ScalarType):
        return Declared(array_type, None, mark)
    if isinstance(array_type, TensorType):
        return Declared(
            array_type.element, _shape(state, node, array_type.shape), mark if mark is not None else array_type.mark
        )
    if isinstance(array_type, (ConstExprType, StreamType, StructType, StructArrayType)):
        return array_type
    if array_type in (int, float):
        raise state.error(node, f"'{array_type.__name__}' has no width; write int32 or float32")
    raise state.error(node, f"'{ast.unparse(node)}' is not a type")


def _shape(state: State, node: ast.AST, shape: tuple[object, ...]) -> tuple[int, ...]:
    sizes = []
    for size in shape:
        if size is Ellipsis:
            sizes.append(DYNAMIC)
            continue
        if not hasattr(size, "__index__") or int(size) < 0:
            raise state.error(
                node, f"size {size!r} of a tensor must be a whole number that is known when the kernel is compiled"
            )
        sizes.append(int(size))
    return tuple(sizes)
