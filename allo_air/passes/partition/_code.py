"""The code size that `partition-kernels` estimates for its kernels."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.diagnostics import position
from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.kernels import is_kernel
from allo_air.passes.partition._cost import code_bytes
from allo_air.passes.partition._graph import Graph
from allo_air.plan.schema import plan_of


@dataclass(frozen=True)
class KernelCode:
    """The partition's rough estimate of code bytes for a number of operations, and the location of the last one. `family`
    planned the kernel before the partition; "" if none did.
    """

    bytes: int
    operations: int
    place: tuple[str, int, int]
    family: str = ""


def code_of_kernels(module: ir.Operation) -> dict[str, KernelCode]:
    """The code of each kernel of `module`, by name."""
    return {sym_name_of(f): _code_of(f) for f in walk_named(module, "func.func") if is_kernel(f) and f.regions[0].blocks}


def _code_of(function: ir.Operation) -> KernelCode:
    graph = Graph(function.regions[0].blocks[0])
    last, plan = graph.work[-1] if graph.work else function, plan_of(function)
    size = code_bytes(map(graph.access, graph.work))
    return KernelCode(size, len(graph.work), position(last.location), "" if plan is None else plan.family)
