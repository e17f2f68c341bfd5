"""air-to-aie."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from allo_air import dialects
from allo_air.arch.limits import STACK_BYTES
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.upstream import run_upstream
from allo_air.core.walking import parents, walk_named, walk_post_order
from allo_air.device import Device
from allo_air.dialects.states import AUGUST, printed_state
from allo_air.errors import PassError
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.channel_origins import naming_origins
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.to_aie import _metadata as metadata
from allo_air.passes.to_aie._build import DeviceLowering
from allo_air.passes.to_aie._bundles import bundles_of
from allo_air.passes.to_aie._direct import DetachedCopy, as_channels, restore
from allo_air.passes.to_aie._emit import DeviceBuilder
from allo_air.passes.to_aie._herds import Settings, integer
from allo_air.passes.to_aie._merge import X, Y, narrower
from allo_air.passes.to_aie._mmio import constants_of
from allo_air.passes.to_aie._objectfifos import FIFO_END
from allo_air.passes.to_aie._outline_cores import outline_cores
from allo_air.passes.to_aie._packet_order import order_host_transfers
from allo_air.passes.to_aie._packets import PacketIds
from allo_air.passes.to_aie._relays import relays_of, split_relays
from allo_air.passes.to_aie._segment import contents, instances
from allo_air.passes.to_aie._sequences import LockScheme
from allo_air.passes.to_aie._shim_programs import HostTransfer
from allo_air.passes.to_aie._streams import HostEnds
from allo_air.passes.to_aie._test_patterns import run_patterns


@dataclass(frozen=True)
class AirToAie(Pass):
    """Lowers each placed segment to an `aie.device`; the host's program then refers to shim channels by name.

    The body of a herd becomes an `aie.core` on each of its tiles. L1 and L2 buffers become `aie.buffer`s. The puts and gets of
    a tile become the BDs of its DMA, in program order, with counting locks between those that access the same data. Channels
    become flows. Transfers of external memory stay where they are and get a `metadataArray`. A channel with external memory at
    both ends becomes a flow from a shim to itself; its gets use a channel with a name of their own.

    Locks:

    * By default, a core has a pair of locks for each channel, as in mlir-air, if that preserves the order. It acquires
      received data at the get, and space for sent data at the start of the put's block, and releases both where the buffer is
      deallocated. A buffer that is received and sent may be overwritten while it is sent, which causes a warning. Channels
      that fill or read parts of an L2 buffer share a lock. The device also declares the host's buffers
      (`aie.external_buffer`).
    * With `use-lock-race-condition-fix`, each lock is acquired by one agent (DMA channel or core), so that the design computes
      the same in every order. A transfer of an L2 buffer with several partners is split into one BD for each, if their parts
      are consecutive. Otherwise, the partners start one after another: each lets the next one start after its first BD or, if
      there are not enough BDs, after all of its BDs; four or more partners then share a lock. Cores hold locks as briefly as
      possible.
    * With `use-lock-race-condition-fix-v2`, cores do the same, and several writers or readers of an L2 buffer are ordered by a
      chain of locks, as in mlir-air. Exception: buffers with several readers whose allocation has `air.no_chain_lock`.
    * With `emit-herd-lock`, a core first waits until the host sets its lock `__air_herd_lock_<col>_<row>`, as airrt-to-npu
      does. Integers that a herd receives at run time are in a buffer `__air_herd_rtp_<col>_<row>` of each core, which then
      waits for the lock in each iteration.

    Transfers:

    * `air.refeed_count` of a put, of its buffer's allocation or of its channel is the number of times that data is sent after
      it was filled once.
    * If the gets of a core need more descriptors than its DMA has, a channel that alternately fills buffers of one size, of
      which only whole vectors or elements are read, fills two buffers in an endless ring. Other types are read as vectors of
      the buffers' type.
    * A packet channel (`npu_dma_packet`) becomes an `aie.packet_flow` for each producer and destination. All of them have the
      channel's id: its `packet_ids`, or the lowest free one. BDs and the host's puts set the id, unless the source writes the
      header or the destination keeps it. Several tiles may put into such a channel. If a core, or a sending memtile, has more
      streams than DMA channels, its packet streams share one channel.
    * Circuits from the host to a core share a channel in this case, too. The host must then put in the order of the core's
      gets.
    * Constants of `npu_mmio` channels are initial values of their L1 buffers.
    * Copies (`air.dma_memcpy_nd`) between external memory and herds or segments use shim channels named after their ids, such
      as `airMemcpyId4`.
    * `insert-trace-packet-flow` adds a packet flow from the Trace port of each core to a shim, for airrt-to-npu's
      `trace-size`.

    Buffers and devices:

    * An L1 buffer of the segment becomes one buffer for each core that receives it. Herds on different cores share it: it is
      in the memory of the core whose DMA uses it, otherwise of the last core, with two locks that let the herds alternate.
    * An L1 buffer whose allocation has a `sym_name` is named after it and the core's ids in the herd: `scratch_0_1`.
    * External memory of which a core only uses the shape or the length becomes a `memref.global` of the core.
    * Instances of an unrolled segment become separate devices, such as `@seg_1_0`, for `air-merge-unrolled-devices`. Each has
      its share of the columns of `device`, or all columns if they cannot be divided.
    * `air.shim_col` and `air.tile_dma_channel` of a channel, `air.memtile_dma_channel_min`, and `air.memtile_col` of an L2
      buffer select columns and DMA channels. A channel with `air.dedicated_dma_channel` shares none. With `logical-tiles=true`
      (the default if the assembly of August 2026 is printed), `aie-place-tiles` places shims and memtiles.
    * On an AIE1 device (xcvc1902, the default), locks have two states, descriptors are contiguous, and there are no memtiles.
      No later pass lowers such a device further.

    With `use-objectfifo`, channels become objectFifos named `@air_` and the channel's name, with `buffer_resources` objects. A
    core acquires an object at the start of the block that moves a buffer, and releases it where the buffer is freed; an L2
    buffer becomes a link. The host's transfers refer to shim ends by the names that `aie-objectFifo-stateful-transform`, which
    must run next, creates (`_shim_alloc`). A core's buffer belongs to one objectFifo, and L2 keeps the order of its transfers.

    With `generate-shim-dma`, shims get DMA programs (`aie.shim_dma`) that repeat the host's transfers in their order, between
    locks for the host. This is for devices without a runtime sequence; access lists must be constant.

    Before:

        air.channel @in [1, 1]
        func.func @f(%a: memref<64xi32>) {
          air.launch () in () args(%x = %a) : memref<64xi32> {
            air.channel.put @in[] (%x[] [] []) : (memref<64xi32>)
            air.segment @seg {
              %c1 = arith.constant 1 : index
              air.herd @herd tile (%i, %j) in (%m = %c1, %n = %c1) attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
                %l1 = memref.alloc() : memref<64xi32, 2>
                air.channel.get @in[%i, %j] (%l1[] [] []) : (memref<64xi32, 2>)
                ...

    After:

        aie.device(npu1) @seg {
          %lock_0_2 = aie.lock(%tile_0_2, 0) {init = 1 : i32}    // the DMA waits for room
          %lock_0_2_0 = aie.lock(%tile_0_2, 1) {init = 0 : i32}  // the core waits for data
          %buf0 = aie.buffer(%tile_0_2) {sym_name = "buf0"} : memref<64xi32, 2>
          %core_0_2 = aie.core(%tile_0_2) { ... }
          %mem_0_2 = aie.mem(%tile_0_2) { ... aie.dma_bd(%buf0 : memref<64xi32, 2>, 0, 64) ... }
          aie.flow(%shim_noc_tile_0_0, DMA : 0, %tile_0_2, DMA : 0)
          aie.shim_dma_allocation @air_in(%shim_noc_tile_0_0, MM2S, 0)
        }
        func.func @f(%a: memref<64xi32>) {
          ... air.channel.put @in[] (%x[] [] []) {metadataArray = [{base = "air_in", index = 0 : i32}]} : (memref<64xi32>)
    """

    name = "air-to-aie"
    anchor = "builtin.module"
    row_offset: int = 1
    """The row of the array for row 0 of a herd without a place."""
    col_offset: int = 1
    """The column of the array for column 0 of a herd without a place."""
    emit_while_loop: bool = False
    """Cores run their herds in an endless loop, once for each launch."""
    emit_herd_lock: bool = False
    """Each core waits for a lock of its own that the host sets."""
    test_patterns: str = ""
    """Run single steps for MLIR-AIR's tests: to-aie-mlir (cores with herds' bodies), lower-air-execute, lower-scf-tokens,
    alloc-l1-buffers, specialize-affine-if, specialize-channel-bundle, lower-air-channels."""
    device: str = "xcvc1902"
    """The device that segments become: npu1, npu2, some of their columns, or an AIE1 device."""
    use_objectfifo: bool = False
    """Lower channels to objectFifos."""
    generate_shim_dma: bool = False
    """Let shims do the host's transfers by DMA programs of their own."""
    insert_trace_packet_flow: bool = False
    """Add a packet flow from the Trace port of each core to a shim."""
    trace_size: int = 0
    """Above 0, the same as insert-trace-packet-flow; airrt-to-npu's trace-size sets the bytes of the trace."""
    use_pkt_flow_at_shim_dma: bool = False
    """Send data from host memory in packets, so that transfers share the channels of a shim."""
    use_lock_race_condition_fix: bool = False
    """One agent acquires each lock, so that every order gives the same results."""
    use_lock_race_condition_fix_v2: bool = False
    """A chain of locks orders the writers or readers of an L2 buffer."""
    stack_size: int = STACK_BYTES
    """Bytes of each core's stack."""
    logical_tiles: bool | None = None
    """Leave shims and memtiles as `aie.logical_tile`, for `aie-place-tiles{merge-logical-tiles=false}`; the default if August's
    assembly is printed."""

    @property
    def looks_for_its_level(self) -> bool:
        """Single steps work on other operations, too."""
        return not self.test_patterns

    def run(self, op: ir.OpView, /) -> None:
        self._refuse_both_fixes()
        module = op.operation
        dialects.load(module.context, ("air", "aie", "airrt"))
        if self.test_patterns:
            run_patterns(self.name, module, self.test_patterns, self._outline)
            return
        with naming_origins(module):
            self._lower(module)

    def _lower(self, module: ir.Operation) -> None:
        if any(o.name.startswith("air.") for loop in walk_named(module, "affine.for") for o in walk_post_order(loop)):
            run_upstream(module, "lower-affine")  # loops of a core with tokens are scf loops
        units = _units(module)
        if not units:
            metadata.holder_of(module)
            return
        settings = self._settings()
        directs = as_channels(module)
        outer = [d for d in directs if not d.segment_ends]
        relays = split_relays(module)
        bundles = bundles_of(module)
        transfers = [t for t in metadata.host_transfers(module) if bundles[t.chan_name].kind != "mmio"]
        host = _host_ends(transfers, outer, programs=self.generate_shim_dma)
        if self.use_pkt_flow_at_shim_dma:
            bundles = {n: b.in_packets() if n in host.puts else b for n, b in bundles.items()}
        constants = constants_of(module, bundles)
        numbers = PacketIds(bundles)
        named = 0
        last: Any = None
        for unit, name, instance in units:
            bundles = {n: replace(b, instance=instance) for n, b in bundles.items()}
            result = contents(unit, bundles, instance)
            share = replace(settings, device=_share(unit, settings) if instance else settings.device)
            builder = DeviceBuilder(_first(module), share.device, name, unit.location, logical=settings.logical_tiles)
            device = DeviceLowering(unit, result, bundles, builder, share, constants, numbers)
            built = device.build(module, host, relays_of(unit, relays), named)
            named += len(builder.buffers)
            if settings.by_channel and not settings.logical_tiles and not _says_numbers(unit, transfers, built.shims):
                builder.shims_last()
            for mark, coordinate in zip((X, Y), instance, strict=False):
                builder.op.operation.attributes[mark] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), coordinate)
            if any(instance):
                builder.op.operation.move_after(last)
            last = builder.op.operation
            order_host_transfers(built.turns, transfers, bundles)
            behind = FIFO_END if settings.fifos else ""
            metadata.annotate([*transfers, *(d.end for d in outer)], bundles, built.shims, built.stamps, behind)
            metadata.record(
                metadata.holder_of(module), name, built.herds, built.flows, built.shims, built.ids, settings.device.mem_rows
            )
        constants.finish()
        restore(directs)
        metadata.check_annotated(transfers)

    def _settings(self) -> Settings:
        return Settings(
            device_option(self.name, self.device, npu=False), self.row_offset, self.col_offset, self.stack_size,
            self.emit_while_loop, self.emit_herd_lock, self.insert_trace_packet_flow or self.trace_size > 0,
            self._leaves_tiles(), self._locks(), self.use_objectfifo, printed_state() != AUGUST,
        )  # fmt: skip

    def _outline(self, module: ir.Operation) -> None:
        for unit, name, _ in _units(module):
            outline_cores(unit, name, self._settings(), _first(module))

    def _leaves_tiles(self) -> bool:
        return printed_state() == AUGUST if self.logical_tiles is None else self.logical_tiles

    def _locks(self) -> LockScheme:
        if self.use_lock_race_condition_fix:
            return LockScheme.ONE_TAKER
        return LockScheme.CHAINED if self.use_lock_race_condition_fix_v2 else LockScheme.SHARED

    def _refuse_both_fixes(self) -> None:
        if self.use_lock_race_condition_fix and self.use_lock_race_condition_fix_v2:
            raise PassError(
                "pass 'air-to-aie': options 'use-lock-race-condition-fix' and 'use-lock-race-condition-fix-v2' exclude each"
                " other; give one"
            )


def _says_numbers(unit: ir.Operation, transfers: list[ir.OpView], shims: Iterable[Any]) -> bool:
    """Whether indices or access lists of transfers between a device and the host, or in its segment, use constants. mlir-air
    has these constants in the device, before the tiles, when it creates the shims, and it inserts a new tile at the start.
    """
    outside = {key[0] for key in shims}
    inner = [o for o in walk_named(unit, *metadata.TRANSFERS) if not any(p.name == "air.herd" for p in parents(o))]
    ends = [*(t.operation for t in transfers if t.chan_name in outside), *inner]
    return any(isinstance(v.type, ir.IndexType) for o in ends for v in o.operands)


def _host_ends(transfers: list[ir.Value], directs: list[DetachedCopy], *, programs: bool) -> HostEnds:
    """The channels that the host sends and receives, and the memory at both kinds of ends: transfers, and DMA copies of herds
    and segments."""
    transfer_ends = [_of_host(t) for t in transfers]
    transfer_ends += [HostTransfer(d.name, d.op.opview, d.memref, d.reads, d.lists, ids=d.ids) for d in directs]
    puts, gets = (tuple(dict.fromkeys(t.name for t in transfer_ends if t.put is is_put)) for is_put in (True, False))
    return HostEnds(puts, gets, tuple((t.name, t.memref) for t in transfer_ends), tuple(transfer_ends) if programs else ())


def _of_host(op: Any) -> HostTransfer:
    side = "src" if _is_put(op) else "dst"
    offsets, sizes, strides = (list(getattr(op, f"{side}_{part}")) for part in ("offsets", "sizes", "strides"))
    return HostTransfer(op.chan_name, op, getattr(op, side), _is_put(op), (offsets, sizes, strides), list(op.indices))


def _units(module: ir.Operation) -> list[tuple[ir.Operation, str, tuple[int, ...]]]:
    """The segments, and herds outside of segments, that have no device yet, with the names of their devices and an instance.
    A device has the name of its segment or herd, with a number if a function or channel has the same name. Each instance of
    an unrolled segment has a device, with both ids after the name.
    """
    units = [o for o in walk_named(module, "air.segment", "air.herd") if o.name == "air.segment" or not _in_segment(o)]
    used_names = {sym_name_of(o) for o in walk_named(module, "aie.device") if "sym_name" in o.attributes}
    symbols = {sym_name_of(o) for o in walk_named(module, "func.func", "air.channel", "memref.global")}
    results: list[tuple[ir.Operation, str, tuple[int, ...]]] = []
    names = set(used_names)
    for unit in units:
        if "sym_name" not in unit.attributes:
            number = next(n for n in range(len(units) + len(names)) if f"segment_{n}" not in names)
            unit.opview.sym_name = f"segment_{number}"
        name = sym_name_of(unit)
        if name in names - used_names:
            raise error_at(unit, f"is called '@{name}' like another that becomes a device; devices need names of their own")
        several = instances(unit.opview) if unit.name == "air.segment" else [()]
        if len(several) > 1:
            ids = [(x, y[0] if y else 0) for x, *y in several]
            results += [(unit, f"{name}_{x}_{y}", (x, y)) for x, y in ids if f"{name}_{x}_{y}" not in used_names]
        elif name not in used_names:
            results.append((unit, _unlike(name, symbols | names), ()))
        names.add(name)
    return results


def _unlike(name: str, used_names: set[str]) -> str:
    """`name`, with the first number appended that makes it unique if it is in `used_names`."""
    return next(n for n in (name, *(f"{name}_{k}" for k in range(len(used_names) + 1))) if n not in used_names)


def _in_segment(op: AnyOp) -> bool:
    while (op := op.parent) is not None:
        op = op.operation
        if op.name == "air.segment":
            return True
    return False


def _share(segment: AnyOp, settings: Settings) -> Device:
    """The device of one instance of an unrolled segment: its share of the columns if all herds fit."""
    herds = [h.opview for h in walk_named(segment, "air.herd")]
    ends = [integer(h, "x_loc", settings.col_offset) + (constant_of(next(iter(h.sizes), None)) or 1) for h in herds]
    columns = max(ends, default=1)
    return narrower(settings.device, len(instances(segment.opview)), columns)


def _first(module: AnyOp) -> AnyOp:
    """The first operation of `module`, the insertion point of devices."""
    return module.regions[0].blocks[0].operations[0].operation


def _is_put(transfer: ir.OpView) -> bool:
    return bool(transfer.OPERATION_NAME.endswith("put"))
