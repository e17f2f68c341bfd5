"""Builds the cores of a device, and the L1 buffers that cores share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.arch import arch_of
from allo_air.arch.limits import STACK_BYTES
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.dialects import aie
from allo_air.mlir import AnyOp, cf, ir
from allo_air.passes.to_aie import _cascade as cascade
from allo_air.passes.to_aie import _shared as shared
from allo_air.passes.to_aie._bundles import Bundle, Key
from allo_air.passes.to_aie._core_rows import join_rows
from allo_air.passes.to_aie._cores import CoreClone, SharedCaches
from allo_air.passes.to_aie._design import Buffer, Place
from allo_air.passes.to_aie._emit import DeviceBuilder
from allo_air.passes.to_aie._herds import Settings, placed_herds
from allo_air.passes.to_aie._limits import check_memory, left_memory
from allo_air.passes.to_aie._mmio import Constants
from allo_air.passes.to_aie._outer_memory import OuterMemory
from allo_air.passes.to_aie._parameters import Parameters
from allo_air.passes.to_aie._periods import items
from allo_air.passes.to_aie._reuse import reuse
from allo_air.passes.to_aie._segment import Contents, Placed
from allo_air.passes.to_aie._shared_buffers import SharedBuffer, held_by_several
from allo_air.passes.to_aie._streams import HostEnds
from allo_air.passes.to_aie._symbols import copy_symbols, object_files

if TYPE_CHECKING:
    from allo_air.dialects.air import ChannelGetOp, ChannelPutOp


@dataclass(frozen=True)
class Core:
    """A core: its code, the first of its herds, and the buffers and transfers in it."""

    op: Any
    herd: Any
    body: Any
    clone: CoreClone
    held: list[Buffer]
    has_parameters: bool
    head: Any = None
    """The branch to the code at the start of each iteration, in a core with one lock pair for each channel."""


class DeviceCores:
    """The cores of the device of one segment, with their code, buffers and transfers."""

    def __init__(
        self,
        unit: ir.Operation,
        contents: Contents,
        bundles: dict[str, Bundle],
        builder: DeviceBuilder,
        settings: Settings,
        constants: Constants,
    ):
        self.unit, self.contents, self.bundles = unit, contents, bundles
        self.builder, self.settings, self.constants = builder, settings, constants
        self.buffers = list(contents.buffers)
        self.cores: dict[Place, Core] = {}
        self.shared_locks: dict[Place, int] = {}
        self.in_memory: set[Key] = set()
        """Channels that are replaced by shared memory of cores."""
        self.cascaded: dict[Key, tuple[dict[Place, Any], dict[Place, Any]]] = {}
        """For each cascade channel: its puts and its gets, by core."""
        self.cascade_orders: dict[Place, list[tuple[Key, bool, Any]]] = {}
        """For each core: its cascade transfers in program order, and whether they put."""
        self._known = SharedCaches()
        self.herds, self._herds_of = placed_herds(contents.herds, settings)
        self.held: dict[tuple[Any, Place], SharedBuffer] = held_by_several(contents.herds, self.herds)
        """L1 buffers that cores of different herds share."""

    def build(self, module: ir.Operation) -> None:
        """Adds all cores to the device."""
        for place, herds in self._herds_of.items():
            self.cores[place] = self._core(place, herds, module)
        self._place_shared_buffers()

    def tile(self, place: Place) -> ir.OpResult:
        """The `aie.tile` at `place`."""
        return self.builder.tile(place, self.settings.device.mem_rows)

    def more_locks(self, place: Place) -> int:
        """The number of a tile's locks that are not for transfers: for its herd's parameters, and for shared L1."""
        herd_lock = place in self.cores and (self.settings.herd_lock or self.cores[place].has_parameters)
        return int(herd_lock) + self.shared_locks.get(place, 0)

    def _core(self, place: Place, herds: list[tuple[Placed, tuple[int, ...]]], module: ir.Operation) -> Core:
        builder, location = self.builder, herds[0][0].op.location
        tile = self.tile(place)
        stack = self.settings.stack_size
        op = aie.CoreOp(
            tile=tile, attributes=_herd_of(*herds[0]), **({"stack_size": stack} if stack != STACK_BYTES else {}), loc=location,
            ip=builder.ip("programs"),
        )  # fmt: skip
        entry = op.regions[0].blocks.append()
        loops, by_channel = self.settings.emit_while_loop, self.settings.by_channel and not self.settings.fifos
        first = op.regions[0].blocks.append() if by_channel else None
        body = op.regions[0].blocks.append() if loops or by_channel else entry
        results: dict[Any, tuple[Buffer, Any]] = {}

        def buffer(alloc: AnyOp) -> tuple[Buffer, Any]:
            if (shared := self._held_at(alloc, place)) is not None:
                return self._held_buffer(shared, tile)
            if alloc.results[0] not in results:
                new = Buffer(len(self.buffers), alloc.results[0].type, alloc)
                self.buffers.append(new)
                name = f"{sym_name_of(alloc)}_{'_'.join(map(str, herds[0][1]))}" if "sym_name" in alloc.attributes else ""
                results[alloc.results[0]] = new, builder.buffer(new.number, new.type, tile, alloc.location, name)
            return results[alloc.results[0]]

        def to_cascade(transfer: ChannelGetOp | ChannelPutOp, bundle: Bundle, memref: ir.Value, core: CoreClone) -> None:
            put = transfer.OPERATION_NAME.endswith("put")
            key = bundle.key(transfer, [n for v in transfer.indices if (n := core.number(v)) is not None], put)
            self.cascaded.setdefault(key, ({}, {}))[0 if put else 1][place] = transfer
            self.cascade_orders.setdefault(place, []).append((key, put, transfer))
            cascade.lower(transfer, memref, arch_of(self.settings.device).cascade_bits, core)

        outer = OuterMemory(builder, body if first is None else first)
        parameters = Parameters(builder, place, self.settings.device.tile(*place).memory, tile, body, outer)
        clone = CoreClone(body, entry, self.bundles, buffer, to_cascade, parameters.value, self._known, self.constants)
        for placed, ids in herds:
            clone.herd(placed.op, ids, placed.numbers, placed.held)
        join_rows(body, clone, self.settings.device.tile(*place))
        for gone in reuse(body, clone, self.settings.device.tile(*place).bds):
            del results[gone.op.results[0]], builder.buffers[gone.number]
        copy_symbols(clone.symbols, module, builder)
        linked = {f for placed, _ in herds if (f := placed.op.link_with)} | object_files(clone.symbols, module)
        if len(linked) > 1:
            raise error_at(herds[0][0].op, f"links with {', '.join(sorted(linked))}; a core takes one object file")
        if linked:
            op.link_with = linked.pop()
        head = None
        again = body if first is None else first
        for block in (entry, body) if loops else (entry,) if first is not None else ():
            cf.BranchOp([], again, loc=location, ip=ir.InsertionPoint(block))
        if first is not None:
            head = cf.BranchOp([], body, loc=location, ip=ir.InsertionPoint(first)).operation
        if not loops:
            aie.EndOp(loc=location, ip=ir.InsertionPoint(body))
        clone.sort_constants(by_ids=by_channel)
        held = [b for b, _ in (*results.values(), *parameters.buffers.values())]
        check_memory(place, held, self.settings.device, self.settings.stack_size, herds[0][0].op)
        return Core(op, herds[0][0].op, body, clone, held, bool(parameters.buffers), head)

    def _held_at(self, alloc: AnyOp, place: Place) -> SharedBuffer | None:
        """The buffer for `alloc` at `place` that cores of other herds also use."""
        return next((h for (value, _), h in self.held.items() if value == alloc.results[0] and place in h.cores), None)

    def _held_buffer(self, held: SharedBuffer, tile: ir.Value) -> tuple[Buffer, Any]:
        if held.buffer is None:
            held.buffer = Buffer(len(self.buffers), held.alloc.results[0].type, held.alloc)
            self.buffers.append(held.buffer)
            held.value = self.builder.buffer(held.buffer.number, held.buffer.type, tile, held.alloc.location)
        return held.buffer, held.value

    def _place_shared_buffers(self) -> None:
        """Places buffers that cores of different herds share in the memory of one core."""
        for held in self.held.values():
            if held.buffer is None:
                continue
            number = held.buffer.number
            moving = {p for p in held.cores if any(t.buffer == number for t in self.cores[p].clone.transfers)}
            home = held.place(moving, self.settings.device)
            held.value.owner.operation.operands[0] = self.tile(home)
            self.cores[home].held.append(held.buffer)
            check_memory(home, self.cores[home].held, self.settings.device, self.settings.stack_size, held.op)

    def share(self, host: HostEnds) -> None:
        """Makes neighbouring cores exchange data through memory if they have too few DMA channels."""
        if not arch_of(self.settings.device).semaphore_locks:
            return
        clones = {place: core.clone for place, core in self.cores.items()}
        elsewhere = {t.key[0] for t in items(self.contents.tree)} | {*host.puts, *host.gets}
        settings = self.settings
        free = {p: left_memory(p, c.held, settings.device, settings.stack_size) for p, c in self.cores.items()}
        for channel in shared.choose(clones, elsewhere, settings.device, free):
            kind = shared.kind_of(channel.key, clones[channel.source])
            new = Buffer(len(self.buffers), kind, self.unit)
            self.buffers.append(new)
            self.cores[channel.home].held.append(new)
            self.in_memory.add(channel.key)
            count = self.shared_locks.get(channel.home, 0)
            self.shared_locks[channel.home] = count + 2
            last = self.settings.device.tile(*channel.home).locks - 1
            shared.lower(channel, clones, self.builder, new, last - count)
        for place, core in self.cores.items():
            check_memory(place, core.held, self.settings.device, self.settings.stack_size, core.herd)


def _herd_of(placed: Placed, ids: tuple[int, ...]) -> dict[str, ir.Attribute]:
    """Attributes of a core that name its herd, the herd's size, and the core's ids in it."""
    herd = placed.op
    sizes = [constant_of(v) or 1 for v in herd.sizes]
    two = {"air.herd_size": [*sizes, 1][:2], "air.herd_local_id": [*ids, 0][:2]}
    attributes: dict[str, ir.Attribute] = {name: ir.DenseI64ArrayAttr.get(numbers) for name, numbers in two.items()}
    return attributes if herd.sym_name is None else {"air.herd_name": ir.StringAttr.get(herd.sym_name), **attributes}
