"""Divides the kernels of a program whose code does not fit into a core's program memory.

The code of a kernel is known when it has been lowered to a device. If it is too long, `partition-kernels` runs again and gives
each kernel less of it; kernels that stay the same are not lowered again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from allo_air.core.names import sym_name_of
from allo_air.core.pipeline import Step
from allo_air.core.walking import walk_named
from allo_air.dialects.declarations import device_of
from allo_air.errors import Diagnostic, DiagnosticError, counted
from allo_air.mlir import ir
from allo_air.passes.linalg.outline_families import OutlineFamilies
from allo_air.passes.partition._code import KernelCode
from allo_air.passes.partition.partition_kernels import PartitionKernels
from allo_air.program.recipe import Recipe
from allo_air.sim.cores.code_room import Excess, too_large

_SHARE = 0.9
"""The part of program memory that the partition tries to fill: a kernel has code apart from its operations."""


class CodeTooLarge(Exception):
    """Code of a kernel does not fit. `excesses` are by the names of the runtime sequences of its device."""

    def __init__(self, excesses: Mapping[str, Excess]):
        self.excesses = excesses
        super().__init__(", ".join(excesses))


def check(modules: Iterable[ir.Operation]) -> None:
    """Raises CodeTooLarge if the code of a core in one of `modules` is longer than program memory."""
    excesses = {
        sym_name_of(sequence): excess
        for module in modules
        for excess in too_large(module)
        for sequence in walk_named(excess.device, "aie.runtime_sequence")
    }
    if excesses:
        raise CodeTooLarge(excesses)


def divided(recipe: Recipe, wrong: CodeTooLarge, kernels: Mapping[str, KernelCode]) -> Recipe:
    """`recipe` with a partition into kernels with less code. `kernels` are those of the partition that failed. If a kernel of a
    family is too long, the new recipe outlines no kernels of that family.

    Raises DiagnosticError if a kernel of one operation is too long, or no smaller kernels can be made.
    """
    actions = [step.action for step in recipe.steps.steps]
    partition = next((action for action in actions if isinstance(action, PartitionKernels)), None)
    families = next((action for action in actions if isinstance(action, OutlineFamilies)), None)
    limits, without = list[int](), set[str]()
    for sequence, excess in wrong.excesses.items():
        name = _kernel_at(sequence, kernels)
        code = kernels.get(name)
        if partition is None or code is None or code.operations < 2:
            raise _error(name, excess, code)
        if code.family and families is not None and code.family not in families.without:
            without.add(code.family)
        elif code.family or 0 < partition.core_code < code.bytes:
            raise _error(name, excess, code)
        else:
            limits.append(int(code.bytes * _SHARE * excess.room / excess.bytes))

    def changed(step: Step) -> Step:
        if isinstance(step.action, PartitionKernels) and limits:
            return replace(step, action=replace(step.action, core_code=min(limits)))
        if isinstance(step.action, OutlineFamilies):
            return replace(step, action=replace(step.action, without=(*step.action.without, *sorted(without))))
        return step

    return replace(recipe, steps=replace(recipe.steps, steps=tuple(map(changed, recipe.steps.steps))))


def _kernel_at(sequence: str, kernels: Mapping[str, KernelCode]) -> str:
    """The name of the kernel that a runtime sequence runs: the longest name with which `sequence` begins, since planners may
    divide a kernel. Without one, that of the kernel with the most code: link-kernels names a single sequence after the program.
    """
    beginnings = [name for name in kernels if sequence.startswith(name)]
    if beginnings:
        return max(beginnings, key=len)
    return max(kernels, key=lambda name: kernels[name].bytes, default=sequence)


def _error(name: str, excess: Excess, code: KernelCode | None) -> DiagnosticError:
    device, parts = device_of(excess.device).name, "" if code is None else f", {counted(code.operations, 'operation')},"
    message = (
        f"kernel @{name}{parts} takes at least {excess.bytes:,} bytes of code in a core, and a core of {device} has "
        f"{excess.room:,} bytes of program memory; it cannot be divided: write a long body as several linalg operations, which "
        "become several kernels"
    )
    return DiagnosticError([Diagnostic("error", *(("", 0, 0) if code is None else code.place), message)])
