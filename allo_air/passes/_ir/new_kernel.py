"""Creates kernel functions of a program; equal ones are shared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.core.functions import new_function
from allo_air.core.walking import walk_pre_order
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.kernels import KERNEL
from allo_air.passes._ir.names import Names


def new_kernel(values: Sequence[ir.Value], results: Sequence[ir.Type], before: AnyOp) -> tuple[Any, Any, dict[Any, Any]]:
    """A private function before `before` that takes `values`; its empty block; and its argument for each of `values`.

    The function is called `kernel` until `KernelNames.of` gives it a name.
    """
    ip = ir.InsertionPoint(before)
    op, block = new_function("kernel", [v.type for v in values], results, {KERNEL: ir.UnitAttr.get()}, ip=ip)
    return op, block, dict(zip(values, block.arguments, strict=True))


class KernelNames:
    """Names of the new kernels of a module."""

    def __init__(self, module: AnyOp) -> None:
        self._names = Names(module)
        self._by_text: dict[str, str] = {}

    def of(self, kernel: AnyOp, stem: str) -> tuple[str, bool]:
        """Names the kernel `kernel` by `stem` and a number, or erases it if there is an equal one; returns the name, and
        whether it is new.

        The order of operations on tensors does not matter: the first of several equal layers often has another order, since
        values that all layers share are computed there.
        """
        text = _text_of(kernel)
        if text in self._by_text:
            kernel.operation.erase()
            return self._by_text[text], False
        self._by_text[text] = name = self._names.fresh(stem)
        kernel.operation.attributes["sym_name"] = ir.StringAttr.get(name)
        return name, True


def _text_of(kernel: AnyOp) -> str:
    """The text of `kernel`; if it is on tensors, with its operations sorted by `_by_use`."""
    if any(isinstance(v.type, ir.MemRefType) for v in kernel.operation.regions[0].blocks[0].arguments):
        return str(kernel)
    copy = kernel.operation.clone(ip=False).operation
    [block] = copy.regions[0].blocks
    end = block.operations[-1].operation
    for op in _by_use(block)[:-1]:
        op.move_before(end)
    text = str(copy)
    copy.erase()
    return text


def _by_use(block: ir.Block) -> list[ir.Operation]:
    """The operations of `block`, each after those whose results it uses, in the order of its operands, the last one last."""
    ops = [o.operation for o in block.operations]
    own, done = set(ops), dict[ir.Operation, None]()
    waiting = [ops[-1]]
    while waiting:
        op = waiting[-1]
        used = (v.owner for o in walk_pre_order(op) for v in o.operands if not isinstance(v, ir.BlockArgument))
        before = [o for o in dict.fromkeys(used) if o in own and o not in done]
        if before:
            waiting += reversed(before)
        else:
            done[waiting.pop()] = None
    return [*(op for op in ops if op not in done), *done]
