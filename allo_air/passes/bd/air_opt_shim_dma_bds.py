"""air-opt-shim-dma-bds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air import dialects
from allo_air.access.fit import divisor
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import parents, walk_named, walk_post_order
from allo_air.dialects.air import LaunchOp
from allo_air.dialects.air_values import is_join
from allo_air.dialects.operands import memref_of
from allo_air.errors import OptionError
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.channel_ends import GET, PUT
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._ir.constants import Indices
from allo_air.passes._ir.device_option import device_option
from allo_air.passes._ir.hierarchies import PARAMETERS
from allo_air.passes._ir.tokens import add_deps, drop_unused_joins, token_of
from allo_air.passes.bd._constant_order import drop_unused_constants, sort_constants
from allo_air.passes.bd._end_waits import LAUNCH_END, is_marked, mark_end, moves_data, open_tokens
from allo_air.passes.bd._isolate import isolate
from allo_air.passes.bd._launch_loops import run_in_loops, sizes_of
from allo_air.passes.bd._lists import CHANNEL_ENDS, shorten
from allo_air.passes.bd._loops import Rules, folds, specialize

TILE_SIZES, KEEP_ORDER = "air.shim_dma_tile_sizes", "air.preserve_shim_dma_order"


@dataclass(frozen=True)
class AirOptShimDmaBds(Pass):
    """Converts the iterations of each launch to loops, and folds these into the host's transfers, for the shims of `device`.

    A launch of many iterations becomes one, marked `dummyLaunch`, that runs them in a nest of loops. Independent transfers get
    separate loops (`air-isolate-async-dma-loop-nests`). Loops around one transfer become dimensions of its access list, as far
    as a shim's descriptor supports them; a size that is too large for a field of the descriptor is divided. If all transfers of
    a loop become dimensions, a get that waits for a put only by its token is independent of it. The host waits for the
    transfers at the launch's end, in a wait marked `air.launch_end`.

    `shim-dma-tile-sizes` divides the grid into tiles, which limits the descriptors in flight. In each dimension, a tile has as
    many iterations as the largest divisor of the grid's size that is at most the size in the list (one number counts for all
    dimensions; 0 does not divide). Each tile ends in a wait of its own. `air.shim_dma_tile_sizes` on a launch overrides the
    option. A launch with `air.preserve_shim_dma_order` keeps its loops, and its transfers get the mark, except those that feed
    no core by a broadcast. A function with asynchronous launches, none of which is divided into tiles, also ends in such a
    wait, as in mlir-air. `device` must be an NPU; run the pass after `air-to-aie`.

    Before:

        %1 = air.launch async (%i) in (%n=%c4) args(%x=%a) : memref<32xi32> {
          %2 = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
          %3 = air.channel.put async @c[] (%x[%2] [%c8] [%c1]) : (memref<32xi32>)
        }

    After:

        %1 = air.launch async () in () args(%x=%a) : memref<32xi32> attributes {dummyLaunch = true} {
          %2 = air.wait_all async
          %3 = air.channel.put async [%2] @c[] (%x[] [] []) : (memref<32xi32>)
          air.wait_all [%3] {air.launch_end}
        }
    """

    name = "air-opt-shim-dma-bds"
    anchor = "func.func"
    device: str = "xcvc1902"
    """The device whose shims limit the access patterns; an NPU."""
    shim_dma_tile_sizes: tuple[int, ...] = ()
    """Iterations in flight at once in each dimension of the grid; 0 does not tile, a single number applies to all."""

    def __post_init__(self) -> None:
        super().__post_init__()
        value = self.shim_dma_tile_sizes
        if isinstance(value, tuple) and any(size < 0 for size in value):
            raise OptionError(f"pass '{self.name}': option 'shim-dma-tile-sizes' has a size below 0")

    def run(self, op: AnyOp, /) -> None:
        device_option(self.name, self.device)
        dialects.load(op.context, ("air",))
        with op.context, op.location:
            launches = walk_named(op, "air.launch")
            is_async = any(launch.results for launch in launches)
            results = [self._launch(LaunchOp(launch)) for launch in launches]
            drop_unused_constants(op)
            if is_async and not self.shim_dma_tile_sizes and not any(TILE_SIZES in launch.attributes for launch in results):
                mark_end(op.operation.regions[0].blocks[0], LAUNCH_END, [])

    def _launch(self, old: LaunchOp) -> LaunchOp:
        tiles = [_tile(size, limit) for size, limit in zip(sizes_of(old), self._tile_limits(old), strict=True)]
        keeps = KEEP_ORDER in old.attributes
        source = [o.operation.attributes["value"] for o in old.block.operations if o.operation.name == "arith.constant"]
        launch, starts = run_in_loops(old, tiles)
        end = list(launch.block.operations)[-1].operation
        device: list[Any] = []
        for n, first in enumerate(starts):
            end_of_group = starts[n + 1] if n + 1 < len(starts) else end
            between = OpRange(launch.block, first, end_of_group)
            if keeps:
                _keep_order(between)
            else:
                _fold(between)
            device = _insert_final_wait(between, device)
            between.close()
        sort_constants(launch, source, looped=bool(tiles))
        return launch

    def _tile_limits(self, launch: LaunchOp) -> list[int]:
        """The largest number of iterations of a tile in each dimension, 0 for any number."""
        values = list(self.shim_dma_tile_sizes)
        if TILE_SIZES in launch.attributes:
            own = launch.attributes[TILE_SIZES]
            values = [own[i] if isinstance(own[i], int) else own[i].value for i in range(len(own))]
        rank = len(launch.sizes)
        if any(PARAMETERS in herd.attributes for herd in walk_named(launch, "air.herd")):
            return [1] * rank  # the host restarts such a herd for each instance of the launch
        return values * rank if len(values) == 1 else [*values, *[0] * rank][:rank]


def _tile(size: int, limit: int) -> int:
    """The largest divisor of `size` that is at most `limit`; `size` for 0."""
    return divisor(size, limit) or size


class OpRange:
    """The operations of `block` from `first` up to, but excluding, `end_op`, even if they are replaced."""

    def __init__(self, block: ir.Block, first: AnyOp, end_op: ir.Operation) -> None:
        self.block, self.end_op = block, end_op
        ip, index = ir.InsertionPoint(first), ir.IndexType.get()
        self._before = ir.Operation.create("ub.poison", [index], loc=first.location, ip=ip)

    @property
    def ops(self) -> list[Any]:
        """The operations as they are now."""
        ops = [o.operation for o in self.block.operations]
        return ops[ops.index(self._before) + 1 : ops.index(self.end_op)]

    def transfers(self) -> list[Any]:
        """The host's puts and gets among them."""
        return [end for op in self.ops for end in walk_named(op, *CHANNEL_ENDS) if not _in_segment(end)]

    def close(self) -> None:
        """Ends the tracking."""
        self._before.erase()


def _keep_order(between: OpRange) -> None:
    """Marks the transfers, except feeds that are known to reach no core by a broadcast."""
    transfers = between.transfers()
    if not transfers:
        return
    top = list(parents(transfers[0]))[-1]
    gets: dict[str, list[Any]] = {}
    puts: dict[Any, list[str]] = {}
    for get in walk_named(top, GET):
        gets.setdefault(get.opview.chan_name, []).append(get)
    for put_op in walk_named(top, PUT):
        puts.setdefault(root_of(memref_of(put_op)), []).append(put_op.opview.chan_name)
    wide = {c.opview.sym_name for c in walk_named(top, "air.channel") if "broadcast_shape" in c.attributes}
    for end in transfers:
        if end.name == GET or _reaches_broadcast(end.opview.chan_name, gets, puts, wide):
            end.attributes[KEEP_ORDER] = ir.UnitAttr.get()


def _reaches_broadcast(name: str, gets: dict[str, list[AnyOp]], puts: dict[ir.Value, list[str]], wide: set[str]) -> bool:
    """Whether data of channel `name` reaches a herd by a broadcast, or an unknown destination."""
    if name not in gets:
        return True
    reached = [name]
    for channel in reached:  # the loop appends to this list
        for get in gets.get(channel, []):
            if any(p.name == "air.herd" for p in parents(get)):
                if channel in wide:
                    return True
            else:
                reached += [n for n in puts.get(root_of(memref_of(get)), []) if n not in reached]
    return False


def _fold(between: OpRange) -> None:
    """Splits the loops and folds them into their transfers."""
    *_, module = parents(between.block.owner)
    packets = {sym_name_of(c) for c in walk_named(module, "air.channel") if c.opview.channel_type == "dma_packet"}
    for op in between.ops:
        for loop in [o for o in walk_post_order(op) if o.name == "scf.for" and not _in_segment(o)]:
            isolate(loop, puts_first=True, apart=folds(loop, packets))
    specialize(between.block, Rules(unroll=False, hierarchies=False))
    drop_unused_joins(between.block)
    indices, values = Indices(), IndexValues()
    for end in between.transfers():
        shorten(end, indices, values)


def _insert_final_wait(between: OpRange, device: list[ir.Value]) -> list[Any]:
    """Waits for the transfers; operations on the device still wait for the tokens `device`. Returns the tokens of these."""
    ops = between.ops
    tokens = open_tokens([op for op in ops if moves_data(op)])
    is_done = any(is_marked(op, LAUNCH_END) for op in ops)
    runs = [add_deps(op, device) for op in ops if token_of(op) is not None and not moves_data(op) and not is_join(op)]
    if (tokens or len(between.block.owner.results)) and not is_done:
        mark_end(between.block, LAUNCH_END, tokens, between.end_op)
    return open_tokens(runs)


def _in_segment(op: ir.Operation) -> bool:
    return any(p.name in ("air.segment", "air.herd") for p in parents(op))
