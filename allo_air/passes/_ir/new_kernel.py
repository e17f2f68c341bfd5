"""Creates kernel functions of a program; equal ones are shared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.functions import new_function
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.kernels import KERNEL
from allo_air.passes._ir.names import Names


def new_kernel(values: Sequence[ir.Value], results: Sequence[ir.Type], before: AnyOp) -> tuple[Any, Any, dict[Any, Any]]:
    """A private function without a name before `before` that takes `values`; its empty block; the arguments for `values`."""
    ip = ir.InsertionPoint(before)
    op, block = new_function("kernel", [v.type for v in values], results, {KERNEL: ir.UnitAttr.get()}, ip=ip)
    return op, block, dict(zip(values, block.arguments, strict=True))


class KernelNames:
    """Names of the new kernels of a module."""

    def __init__(self, module: AnyOp) -> None:
        self._names = Names(module)
        self._by_text: dict[str, str] = {}

    def of(self, kernel: AnyOp, stem: str) -> tuple[str, bool]:
        """The name of the kernel `kernel`, `stem` and a number, and whether it is new; if there is an equal one, `kernel` is
        erased.
        """
        text = str(kernel)
        if text in self._by_text:
            kernel.operation.erase()
            return self._by_text[text], False
        self._by_text[text] = name = self._names.fresh(stem)
        kernel.operation.attributes["sym_name"] = ir.StringAttr.get(name)
        return name, True
