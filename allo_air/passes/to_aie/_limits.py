"""Checks of a tile's resources against the needs of the design."""

from __future__ import annotations

from allo_air.arch import arch_of
from allo_air.core.diagnostics import error_at
from allo_air.device import Device
from allo_air.errors import counted
from allo_air.mlir import AnyOp
from allo_air.passes.to_aie._design import Buffer, Place, TileProgram

_NAMES = {"core": "core", "mem": "memtile", "shim_noc": "shim tile", "shim_pl": "shim tile"}

_FOLD = "; move larger pieces, or let a loop with one step make the transfers: it becomes one BD"
_FEWER = ". Use fewer channels: pass data from core to core, or send the data of several channels over one"


def check_memory(place: Place, buffers: list[Buffer], device: Device, stack: int, op: AnyOp) -> None:
    """Raises an error if the buffers of a tile and its core's stack do not fit its memory."""
    tile, free_bytes = device.tile(*place), left_memory(place, buffers, device, stack)
    if free_bytes >= 0:
        return
    used = sum(b.bytes for b in buffers)
    room = used + free_bytes
    largest = sorted(buffers, key=lambda b: -b.bytes)[:3]
    less = f" ({tile.memory:,} less a stack of {stack:,})" if tile.kind == "core" else ""
    raise error_at(
        op,
        f"does not fit: {_NAMES[tile.kind]} {place}: {used:,} bytes of buffers exceed {room:,} bytes{less}; "
        f"the largest are {', '.join(f'{b.type} with {b.bytes:,} bytes' for b in largest)}; "
        f"use smaller tiles{', more cores' if tile.kind == 'core' else ''} or fewer buffers",
    )


def left_memory(place: Place, buffers: list[Buffer], device: Device, stack: int) -> int:
    """The free bytes of a tile's memory next to its buffers and its core's stack; negative if they do not fit."""
    tile = device.tile(*place)
    return tile.memory - (stack if tile.kind == "core" else 0) - sum(b.bytes for b in buffers)


def fits(program: TileProgram, device: Device, more_locks: int = 0) -> bool:
    """Whether a tile has the BDs and locks of its program, and `more_locks`."""
    tile = device.tile(*program.place)
    bds = [sum(len(r.bds) for r in program.rings if tile.kind != "mem" or r.channel % 2 == parity) for parity in (0, 1)]
    return max(bds) <= (tile.bds // 2 if tile.kind == "mem" else tile.bds) and len(program.locks) + more_locks <= tile.locks


def check_program(program: TileProgram, device: Device, names: list[str], op: AnyOp, more_locks: int = 0) -> None:
    """Raises an error if a tile has too few DMA channels, BDs or locks (including `more_locks`), or if a lock value does not
    fit."""
    tile = device.tile(*program.place)
    tile_text = f"{_NAMES[tile.kind]} {program.place}"
    for sends, direction in ((False, "S2MM"), (True, "MM2S")):
        count = sum(r.sends is sends for r in program.rings)
        if count > tile.channels[sends]:
            raise error_at(
                op,
                f"does not fit: {tile_text} needs {count} {direction} DMA channels and has {tile.channels[sends]}; "
                f"the streams of the tile are {', '.join(names)}{_FEWER if tile.kind == 'core' else ''}",
            )
    bds = [len(r.bds) for r in program.rings]
    if sum(bds) > tile.bds:
        raise error_at(
            op, f"does not fit: {tile_text} needs {sum(bds)} BDs and has {tile.bds}; {_per_ring(program, names)}{_FOLD}"
        )
    if tile.kind == "mem":
        for parity, label in ((0, "even"), (1, "odd")):
            count = sum(len(r.bds) for r in program.rings if r.channel % 2 == parity)
            if count > tile.bds // 2:
                raise error_at(
                    op,
                    f"does not fit: {tile_text} needs {count} BDs for {label} channels and has {tile.bds // 2} for those; "
                    f"{_per_ring(program, names)}{_FOLD}",
                )
    if (needed := len(program.locks) + more_locks) > tile.locks:
        raise error_at(
            op, f"does not fit: {tile_text} needs {counted(needed, 'lock')} and has {tile.locks}; {_fewer_locks(tile.kind)}"
        )
    holds = [h for r in program.rings for bd in r.bds for h in (bd.hold.acquire, bd.hold.release) if h]
    largest = max([*(lock.init for lock in program.locks), *(amount for _, amount in holds)], default=0)
    if largest > arch_of(device).max_lock_value:
        raise error_at(
            op,
            f"does not fit: {tile_text} needs a lock that counts to {largest}; locks count to {arch_of(device).max_lock_value}",
        )


def _fewer_locks(kind: str) -> str:
    use = "use one buffer for the data of several, " if kind == "core" else "let fewer channels use a buffer, "
    return f"{use}or leave buffers single (omit-ping-pong)"


def _per_ring(program: TileProgram, names: list[str]) -> str:
    parts = [f"{len(r.bds)} for {name}" for r, name in zip(program.rings, names, strict=True)]
    return ", ".join(parts)
