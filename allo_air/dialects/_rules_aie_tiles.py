"""Rules of AIE tiles, cores, buffers and locks."""

from __future__ import annotations

from allo_air.arch import arch_of
from allo_air.core.constants import constant_of
from allo_air.dialects._aie_dma import MemOp, MemTileDMAOp, ShimDMAAllocationOp, ShimDMAOp
from allo_air.dialects._aie_tiles import BufferOp, CoreOp, DeviceOp, LockOp, LogicalTileOp, TileOp, UseLockOp
from allo_air.dialects._places import Place, device_of, home_of, is_shim, kind_of, place_of, tile_owner_of
from allo_air.dialects._rules import Report, enclosing, operations, parent_of, rule
from allo_air.dialects.memrefs import total_bits
from allo_air.mlir import AnyOp, ir

_ACQUIRE, _RELEASE, _ACQUIRE_GREATER_EQUAL = 0, 1, 2
_ONE_PER_TILE = {
    "aie.core": "core", "aie.mem": "mem", "aie.memtile_dma": "memtile_dma", "aie.shim_dma": "shim_dma",
    "aie.switchbox": "switchbox", "aie.shim_mux": "shim_mux",
}  # fmt: skip
_ANY_TILE = (
    "aie.runtime_sequence", "aiex.dma_configure_task", "aiex.dma_configure_task_for", "aie.bd_chain", "aiex.configure",
)  # fmt: skip
"""Operations whose bodies reach buffers and locks of every tile."""


@rule("aie.tile")
def tile_in_device(op: TileOp, report: Report) -> None:
    """Column and row are inside the device."""
    device = device_of(op, report)
    if device is None:
        return
    for what, index, count, many in (("column", op.col, device.columns, "columns"), ("row", op.row, device.rows, "rows")):
        if index >= count:
            report.error(op, f"{what} index ({index}) must be less than the number of {many} in the device ({count})")
            return
        if index < 0:
            report.error(op, f"{what} index ({index}) must not be negative")
            return


@rule("aie.tile", "aie.logical_tile")
def tile_owns_one_each(op: LogicalTileOp | TileOp, report: Report) -> None:
    """A tile has at most one core, one DMA program and one switch, and a shim no allocation scheme."""
    visited: dict[str, AnyOp] = {}
    for use in reversed(list(op.operation.results[0].uses)):
        user = use.owner.operation
        if user.name in _ONE_PER_TILE:
            if user.name in visited:
                report.error(
                    op, f"can only have one {_ONE_PER_TILE[user.name]}", (visited[user.name], "first"), (user, "second")
                )
                return
            visited[user.name] = user
    if op.allocation_scheme is not None and is_shim(op.tile, report):
        report.error(op, "Shim tiles cannot have an allocation scheme: they have no data memory")


@rule("aie.logical_tile")
def logical_tile_kind(op: LogicalTileOp, report: Report) -> None:
    """If column and row are given, the tile at that place has the requested kind."""
    device = device_of(op, report)
    if device is None:
        return
    for what, index, count in (("column", op.col, device.columns), ("row", op.row, device.rows)):
        if index is not None and not 0 <= index < count:
            report.error(op, f"{what} index ({index}) must be less than the number of {what}s in the device ({count})")
            return
    kind = ("core", "mem", "shim_noc", "shim_pl")[op.tile_type]
    place = place_of(op.tile, report)
    if place is not None and place.kind != kind:
        report.error(op, f"declared as a {kind} tile, but {place} of {place.device.name} is a {place.kind} tile")


@rule("aie.core")
def core_place(op: CoreOp, report: Report) -> None:
    """Cores are in core tiles."""
    kind = kind_of(op.tile, report)
    if kind in ("shim_noc", "shim_pl"):
        report.error(op, "CoreOp cannot be created on shim tile, i.e. row == 0")
    elif kind == "mem":
        report.error(op, "CoreOp cannot be created on mem tile; cores are in the rows above the memtiles")


@rule("aie.core")
def core_body(op: CoreOp, report: Report) -> None:
    """A core with an ELF file has no body."""
    blocks = op.regions[0].blocks
    if len(blocks) == 0:
        report.error(op, "should have non-empty body")
    elif op.elf_file is not None and (len(blocks) != 1 or [o.name for o in operations(blocks[0])] != ["aie.end"]):
        report.error(
            op, "When `elf_file` attribute is specified, core body must be empty (consist of exactly one `aie.end` op)."
        )


@rule("aie.core")
def core_stack(op: CoreOp, report: Report) -> None:
    """The stack fits the memory and leaves room for buffers."""
    place = place_of(op.tile, report)
    if op.stack_size < 1:
        report.error(op, f"stack_size must be at least 1 byte, found {op.stack_size}")
    elif place is not None and place.kind == "core" and op.stack_size >= place.tile.memory:
        report.error(op, f"stack_size must be less than the {place.tile.memory} bytes of {place}, found {op.stack_size}")


@rule("aie.core")
def core_link_files(op: CoreOp, report: Report) -> None:
    """A file is either linked or merged; the deprecated link_with excludes other attributes."""
    files, merged = ([a.value for a in item or ()] for item in (op.link_files, op.link_merge_files))
    if op.link_with is not None and (files or merged):
        report.error(op, "has link_with, which is deprecated, beside link_files or link_merge_files; name all files in these")
    elif both := [name for name in files if name in merged]:
        report.error(op, f"names '{both[0]}' in link_files and in link_merge_files; a file is linked or merged")


@rule("func.func")
def function_link_mode(op: ir.OpView, report: Report) -> None:
    """link_with_mode requires link_with; the only mode is "merge"."""
    if "link_with_mode" not in op.attributes:
        return
    mode = op.attributes["link_with_mode"]
    if "link_with" not in op.attributes:
        report.error(op, f"has link_with_mode {mode} but no link_with; name the file, or leave the mode out")
    elif not isinstance(mode, ir.StringAttr) or mode.value != "merge":
        report.error(op, f'link_with_mode must be "merge", found {mode}')


@rule("aie.device")
def one_core_per_place(op: DeviceOp, report: Report) -> None:
    """No two cores are at one place, also by two aie.tile operations."""
    visited: dict[tuple[int, int], AnyOp] = {}
    for core in (o for o in operations(op.block) if o.name == "aie.core"):
        place = place_of(core.operands[0], report)
        if place is None:
            continue
        position = place.column, place.row
        if position in visited and visited[position].operands[0] != core.operands[0]:  # else the tile's rule reports it
            report.error(core, f"is a second core at {place}", (visited[position], "first"))
            return
        visited[position] = core


@rule("aie.mem")
def mem_place(op: MemOp, report: Report) -> None:
    """`aie.mem` is a core tile's DMA."""
    kind = kind_of(op.tile, report)
    if kind not in ("core", None):
        suggestion = "aie.memtile_dma" if kind == "mem" else "aie.shim_dma"
        report.error(op, f"must be in a core tile, found a {kind} tile; use {suggestion} there")


@rule("aie.memtile_dma")
def memtile_place(op: MemTileDMAOp, report: Report) -> None:
    """`aie.memtile_dma` is a memtile's DMA."""
    kind = kind_of(op.tile, report)
    if kind not in ("mem", None):
        report.error(op, f"must be in a mem tile, found a {kind} tile; use aie.{'mem' if kind == 'core' else 'shim_dma'} there")


@rule("aie.shim_dma")
def shim_place(op: ShimDMAOp, report: Report) -> None:
    """`aie.shim_dma` is the DMA of a shim tile that reaches external memory."""
    kind = kind_of(op.tile, report)
    if kind not in ("shim_noc", None):
        report.error(op, f"must be in a ShimTile with a NOC connection, found a {kind} tile")


@rule("aie.shim_dma_allocation")
def shim_allocation(op: ShimDMAAllocationOp, report: Report) -> None:
    """The channel is one of the shim DMA's."""
    place = place_of(op.tile, report)
    if place is None or not place.is_shim or op.plio:
        return
    channels = place.tile.channels[op.channel_dir]
    if place.kind == "shim_noc" and not 0 <= op.channel_index < channels:
        direction = ("S2MM", "MM2S")[op.channel_dir]
        report.error(op, f"channel {op.channel_index} does not exist: {place} has {channels} {direction} channels")


@rule("aie.lock")
def lock_id(op: LockOp, report: Report) -> None:
    """The id is one of the tile's locks, the initial value fits the hardware."""
    place = place_of(op.tile, report)
    if place is None:
        return
    if op.lockID is not None and not 0 <= op.lockID < place.tile.locks:
        report.error(op, f"lock assigned invalid id (maximum is {place.tile.locks - 1}): {op.lockID} on {place}")
    most = arch_of(place.device).max_lock_value
    if op.init is not None and not 0 <= op.init <= most:
        report.error(op, f"starts at {op.init}; a lock holds 0 to {most}")


@rule("aie.buffer")
def buffer_fits(op: BufferOp, report: Report) -> None:
    """An explicit address or bank is inside the tile's memory."""
    place = place_of(op.tile, report)
    if place is None:
        return
    size = (total_bits(op.buffer.type, index=32) or 0) // 8
    if op.address is not None and not 0 <= op.address <= place.tile.memory - size:
        report.error(op, f"lies at {op.address} to {op.address + size}; {place} has {place.tile.memory} bytes")
    if op.mem_bank is not None and not 0 <= op.mem_bank < place.tile.banks:
        report.error(op, f"bank {op.mem_bank} does not exist: {place} has {place.tile.banks}")


@rule("aie.lock", "aie.buffer")
def uses_are_accessible(op: BufferOp | LockOp, report: Report) -> None:
    """Only tiles that can access this tile's memory use its locks and buffers."""
    home = place_of(op.tile, report)
    if home is None:
        return
    checked = set()
    for use in op.operation.results[0].uses:
        user = use.owner.operation
        parent = user.parent
        if parent is None or parent in checked:
            continue
        checked.add(parent)
        if not _accessible(op, home, user, report):
            return


def _accessible(op: AnyOp, home: Place, user: ir.Operation, report: Report) -> bool:
    if parent_of(user).name in ("aie.device", "builtin.module"):
        return True
    owner = tile_owner_of(user, report)
    if owner is None:
        if enclosing(user, *_ANY_TILE, "func.func") is None:
            report.error(op, "is accessed outside of a tile", (user, "user"))
            return False
        return True
    place = place_of(owner.operands[0], report)
    if place is None or place.sees(home):
        return True
    report.error(
        op,
        f"in Column {home.column} and Row {home.row} is accessed from an unreachable tile in Column {place.column} "
        f"and Row {place.row}",
        (user, "user"),
    )
    return False


@rule("aie.use_lock")
def use_lock_place(op: UseLockOp, report: Report) -> None:
    """Locks are used in cores and DMA programs; AIE1's do not count; a core tile's DMA uses its own tile's locks."""
    owner = tile_owner_of(op, report)
    parent = parent_of(op) if owner is None else owner
    if parent is None or parent.name in ("aie.device", "builtin.module"):
        report.error(op, "must be used in a core or memory operation.")
        return
    device = device_of(op, report)
    if device is not None and not arch_of(device).semaphore_locks and op.action == _ACQUIRE_GREATER_EQUAL:
        report.error(op, "AcquireGreaterEqual is not supported in AIE1.")
        return
    if owner is None or owner.name == "aie.core":
        return
    here, home = place_of(owner.operands[0], report), home_of(op.lock, report)
    if owner.name == "aie.mem" and here is not None and home is not None and here != home:
        report.error(op, f"can only access a lock in the same tile: the lock is in {home}, the DMA in {here}")


@rule("aie.use_lock")
def use_lock_is_static(op: UseLockOp, report: Report) -> None:
    """Lock amounts are constant in a DMA program; only cores may compute them."""
    if op.amount is None or constant_of(op.amount) is not None:
        return
    owner = tile_owner_of(op, report)
    if owner is not None and owner.name != "aie.core":
        report.error(op, f"takes a value that is not a constant in {owner.name}; a BD holds numbers, only cores compute them")


@rule("aie.use_lock")
def use_lock_value(op: UseLockOp, report: Report) -> None:
    """A value given as a constant fits the lock."""
    device, value = device_of(op, report), lock_value(op)
    if device is not None and value is not None and abs(value) > arch_of(device).max_lock_value:
        report.warning(op, f"value {value} does not fit the hardware's lock, at most {arch_of(device).max_lock_value}")


def lock_value(op: UseLockOp) -> int | None:
    """The amount by which the lock changes: 1 by default, None for a value that is not constant."""
    amount = op.amount
    if amount is None:
        return 1 if op.value is None else op.value
    return constant_of(amount)
