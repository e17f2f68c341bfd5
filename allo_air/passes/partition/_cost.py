"""Estimates the cost of kernels, to decide which operations should share one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.arch import arch_of, core_of, machine_of
from allo_air.device import Device
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.columns import candidate_counts, price
from allo_air.passes._analysis.structured import is_structured
from allo_air.passes.partition._access import Access
from allo_air.passes.partition._domain import Domain, bytes_of, domain, rereads_reduction
from allo_air.passes.partition._graph import Graph
from allo_air.passes.partition._kinds import is_product
from allo_air.passes.partition._multi_sweep import Sweeps, sweeps
from allo_air.passes.partition._roles import is_setup

SCALAR_CYCLES = 6
"""Cycles of a scalar operation in a loop on a core's memory: an address, a load of 7 cycles that two operations share, and the
loop's jump.
"""
SCALAR_PRODUCT = 22
"""The same for an f32 contraction in scalar loops: a product is several operations, which wait for one another (simulated)."""
LANES = 16
"""Elements that elementwise vector code computes at once, averaged over types and transcendental functions."""
LOOP_BYTES, OPERATION_BYTES = 240, 16
"""Code of an operation's loops, and of each scalar operation inside, an instruction."""
OTHER_CODE = 4096
"""Bytes of a core's program memory for code other than its kernels' loops: locks, loops over tiles, library functions."""
AGAIN = 2
"""Factor for elementwise work that is repeated because cores process a row in parts."""
EFFICIENCY = 4
"""Cycles of a kernel relative to the cycles of its multiplications at the peak rate."""


def code_bytes(accesses: Iterable[Access]) -> int:
    """Roughly the bytes of the code of operations, by their loops and the scalar operations inside."""
    return sum(LOOP_BYTES + OPERATION_BYTES * item.iteration_work for item in accesses)


@dataclass(frozen=True)
class KernelCosts:
    """Estimates cycles on one device. `core_code` are the `code_bytes` that a kernel may have; 0 for any."""

    device: Device
    core_code: int = 0

    @property
    def l1(self) -> int:
        """Bytes of a core's memory that a kernel's tensors may use."""
        return machine_of(self.device).l1

    @property
    def reconfiguration(self) -> float:
        return machine_of(self.device).reload

    def fits(self, graph: Graph, ops: Sequence[AnyOp], domain: Domain) -> bool:
        """Whether a core has room for the smallest tile of `ops`, or can sweep over it in parts."""
        return domain.bytes_held <= self.l1 or self.sweeps(graph, ops) is not None

    def sweeps(self, graph: Graph, ops: Sequence[Any]) -> Sweeps | None:
        """The sweeps of a kernel of `ops` over rows in parts that fit a core; a memtile must have room for the rows of two
        cores.
        """
        result = sweeps(ops, [graph.access(o) for o in ops], self.device) if rereads_reduction(ops) else None
        if result is None or result.near > self.l1 or 2 * result.far > self.device.tiles["mem"].memory:
            return None
        return result if result.tiles >= self._cores(result) else None

    def _cores(self, item: Sweeps | None) -> int:
        """The number of cores whose rows fit into the memtiles."""
        rows = len(self.device.core_rows)
        return self.device.columns * (rows if item is None else min(rows, self.device.tiles["mem"].memory // item.far))

    def tiled(self, graph: Graph, ops: Sequence[ir.Operation], shared_domain: Domain | None = None) -> float:
        """Cycles of a kernel tiled over all cores, with the tiles of `shared_domain` or those of each operation."""
        tiles = 0 if shared_domain is None else shared_domain.tiles
        if shared_domain is None and rereads_reduction(ops):
            shared_domain = domain(ops, [graph.access(o) for o in ops])
        spread = 0.0 if shared_domain is None else self._spread(shared_domain)
        over = self.sweeps(graph, ops) if shared_domain is not None and (spread or shared_domain.bytes_held > self.l1) else None
        if over is None:
            return self.reconfiguration + max(self._busy(graph, ops, tiles), self.traffic(graph, ops)) + spread
        assert shared_domain is not None
        cores = self._cores(over)
        busy = AGAIN * self._busy(graph, ops, cores)
        spread_over = self._spread(shared_domain, LANES * cores // self.device.columns)
        return self.reconfiguration + max(busy, self.traffic(graph, ops)) + spread_over

    def beside_others(self, graph: Graph, ops: Sequence[ir.Operation], kernels: float = 1) -> float:
        """Cycles of small operations, tiled as `kernels` kernels on the best number of columns, with the columns' price.

        `kernels` may be a fraction: n equal operations that share a kernel count as 1/n each.
        """
        counts = [*candidate_counts(self.device.columns, self.device), self.device.columns]
        busy, traffic = self.device.columns * self._busy(graph, ops, 0), self.traffic(graph, ops)
        return min(kernels * price(self.device) * n + max(busy / n, traffic) for n in counts)

    def _busy(self, graph: Graph, ops: Sequence[ir.Operation], tiles: int) -> float:
        """Cycles of the cores for `tiles` tiles, or for the tiles of each operation."""
        arch = arch_of(self.device)
        cores = self.device.columns * len(self.device.core_rows)
        busy = 0.0
        for op in ops:
            work = graph.access(op).work
            if is_product(op):
                kind = str(op.operands[0].type.element_type)
                core = core_of(arch.name)
                macs = core.f32_macs if kind == "f32" else core.peak_macs.get(kind) or 1
                busy += work / 2 * EFFICIENCY / (macs * cores)
            else:
                busy += work / LANES / min(tiles or domain([op], [graph.access(op)]).tiles, cores)
        return busy

    def _spread(self, item: Domain, run: int = 0) -> float:
        """Additional cycles of external memory if tiles have only short runs of each row: `run` elements, or the longest that
        fit.

        Fewer elements than a vector count as one vector, since vectors then run along the column.
        """
        arch, cycles = arch_of(self.device), 0.0
        fitting = self.l1 // max(item.bytes_held, 1)
        run = run or (fitting if fitting >= LANES else 1) * len(self.device.core_rows)
        for tensor in item.columns:
            if run < tensor.row:
                cycles += (arch.memory_share(run * tensor.element) - 1) * tensor.bytes / arch.memory_bytes
        return cycles

    def traffic(self, graph: Graph, ops: Sequence[ir.Operation]) -> float:
        """Cycles of external memory for the data that `ops` read and write there."""
        moved = sum(bytes_of(v.type, v.type.shape) for v in (*reads(graph, ops), *graph.outputs(ops)))
        return moved / arch_of(self.device).memory_bytes

    def single_core_cycles(self, graph: Graph, ops: Sequence[ir.Operation], equal: int = 1) -> float:
        """Cycles of a kernel that one core computes as a whole, with the price of its column, which `equal` kernels share.

        A view inside the kernel prevents tiling and vectorization.
        """
        slow = graph.has_view(ops)
        busy = sum(graph.access(o).work * (SCALAR_PRODUCT if slow and _is_float_product(o) else SCALAR_CYCLES) for o in ops)
        return price(self.device) / equal + busy + self.traffic(graph, ops)

    def has_locks(self, graph: Graph, ops: Sequence[ir.Operation], in_steps: int = 0) -> bool:
        """Whether a core has enough locks for a kernel of `ops`: two for each tensor that is read or written, and for each
        slice of one.

        Tensors that arrive in steps of a reduction (`in_steps`) need four.
        """
        whole = reads(graph, [o for o in ops if o.name != "tensor.extract_slice"])
        results = {r for o in ops for r in o.results}
        slices = [o for o in ops if o.name == "tensor.extract_slice" and o.operands[0] not in results]
        count = len(slices) + len([v for v in whole if v not in results]) + len(graph.outputs(ops))
        return 2 * (count + in_steps) <= self.device.tiles["core"].locks

    def code_fits(self, graph: Graph, ops: Sequence[ir.Operation]) -> bool:
        """Whether a kernel of `ops` keeps `core_code`."""
        return not self.core_code or code_bytes(map(graph.access, ops)) <= self.core_code

    def fits_one_core(self, graph: Graph, ops: Sequence[ir.Operation]) -> bool:
        """Whether all tensors of `ops` fit a core's data memory, and their code fits its program memory."""
        results = [r for o in ops for r in o.results if isinstance(r.type, ir.RankedTensorType)]
        copied = [v for v in graph.outputs(ops) if not is_structured(v.owner)]
        bytes_in_l1 = sum(bytes_of(v.type, v.type.shape) for v in (*reads(graph, ops), *results, *copied))
        return (
            bytes_in_l1 <= self.l1
            and self.code_fits(graph, ops)
            and code_bytes(map(graph.access, ops)) <= self.device.tiles["core"].program_memory - OTHER_CODE
            and self.has_locks(graph, ops)
        )


def _is_float_product(op: ir.Operation) -> bool:
    return is_product(op) and isinstance(op.results[0].type.element_type, ir.F32Type)


def reads(graph: Graph, ops: Sequence[ir.Operation]) -> list[Any]:
    """The tensors that `ops` read and none of them computes."""
    results = {r for o in ops for r in o.results}
    result = dict.fromkeys(
        r.value for o in ops for r in graph.access(o).reads if r.value not in results and not is_setup(r.value)
    )
    return [v for v in result if prod(v.type.shape)]
