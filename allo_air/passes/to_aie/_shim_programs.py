"""Builds DMA programs of shims, for devices without a runtime sequence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.arch import arch_of
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import parents
from allo_air.device import SHIM_BD, Device
from allo_air.mlir import ir
from allo_air.passes._analysis.alias import root_of
from allo_air.passes.to_aie._binary import EMPTY, FULL
from allo_air.passes.to_aie._bundles import Bundle, Key
from allo_air.passes.to_aie._design import BD, Hold, Lock, Place, Port, Ring, TileProgram, Transfer
from allo_air.passes.to_aie._emit import DeviceBuilder
from allo_air.passes.to_aie._interpret import Interpreter
from allo_air.passes.to_aie._program import descriptors
from allo_air.passes.to_aie._walks import Walk

_LOOPS = ("scf.for", "scf.parallel", "scf.while", "affine.for", "affine.parallel")


@dataclass(frozen=True)
class HostTransfer:
    """A host transfer of `memref` over bundle `name`: sent if `put`, otherwise received. `op` gives the location, at `ids` of
    a herd.
    """

    name: str
    op: Any
    memref: ir.Value
    put: bool
    lists: tuple[Sequence[ir.Value], Sequence[ir.Value], Sequence[ir.Value]]
    indices: Sequence[ir.Value] = ()
    ids: Sequence[ir.Value] = ()


def shim_programs(
    builder: DeviceBuilder,
    transfers: Sequence[HostTransfer],
    shims: Mapping[Key, Port],
    bundles: Mapping[str, Bundle],
    device: Device,
) -> None:
    """An `aie.shim_dma` for each shim, which performs the host's `transfers` in their order, between locks for the host."""
    rings: dict[Place, dict[tuple[bool, int], list[Transfer]]] = {}
    for key, (place, sends, channel) in shims.items():
        for transfer in transfers:
            if (
                transfer.name == key[0]
                and transfer.put is sends
                and (walk := _walk(transfer, key, bundles[key[0]])) is not None
            ):
                number = builder.external_number(root_of(transfer.memref))
                moves = rings.setdefault(place, {}).setdefault((sends, channel), [])
                moves.append(Transfer(transfer.op, key, sends, number, walk))
    for place, by_port in rings.items():
        for moves in by_port.values():
            _check_rounds(moves)
        program = _program(place, by_port, binary=not arch_of(device).semaphore_locks)
        tile = builder.tile(place, device.mem_rows)
        builder.add_locks(program, tile)
        builder.program(program, tile, memtile=False)


def _check_rounds(moves: Sequence[Transfer]) -> None:
    """Raises an error for transfers of one channel in different loops, since the program of a shim repeats them endlessly in
    turn."""
    of_host = [t for t in moves if t.op.operation.attached]  # each copy of a herd has its own channel
    nests = [[p for p in parents(t.op) if p.name in _LOOPS] for t in of_host]
    for transfer, nest in zip(of_host, nests, strict=True):
        if nest != nests[0]:
            raise error_at(
                transfer.op,
                f"is in another loop than the first transfer of '@{transfer.key[0]}'; a shim's DMA program has one loop for"
                " all of them: put them into one loop, or over channels of their own",
            )


def _program(place: Place, by_port: Mapping[tuple[bool, int], list[Transfer]], *, binary: bool) -> TileProgram:
    locks, rings = list[Lock](), list[Ring]()
    for sends, channel in sorted(by_port, key=lambda port: (not port[0], port[1])):
        data = len(locks)
        if binary:
            locks.append(Lock(data, EMPTY))
            states = (FULL, EMPTY) if sends else (EMPTY, FULL)
            hold = Hold((data, states[0]), (data, states[1]))
        else:
            locks += [Lock(data, 0), Lock(data + 1, 1)]
            hold = Hold((data, 1), (data + 1, 1)) if sends else Hold((data + 1, 1), (data, 1))
        bds: list[BD] = [bd for t in by_port[sends, channel] for bd in descriptors(t, hold, SHIM_BD)]
        rings.append(Ring(sends, channel, tuple(bds)))
    return TileProgram(place, tuple(locks), tuple(rings))


def _walk(transfer: HostTransfer, key: Key, bundle: Bundle) -> Walk | None:
    """The transfers of its buffer for channel `key`; None if it uses another channel."""
    numbers = Interpreter(dict(zip(transfer.ids, key[1], strict=False)))
    indices = [numbers.number(v) for v in transfer.indices]
    if (
        transfer.indices
        and None not in indices
        and bundle.key(transfer.op, [i for i in indices if i is not None], transfer.put) != key
    ):
        return None
    kind = transfer.memref.type
    if not isinstance(kind, ir.MemRefType) or not kind.has_static_shape:
        raise error_at(transfer.op, f"moves {kind}; the DMA program of a shim needs a static shape")
    offsets, sizes, strides = ([numbers.number(v) for v in values] for values in transfer.lists)
    if None in (*offsets, *sizes, *strides):
        raise error_at(transfer.op, "has an access list that is not constant; the DMA program of a shim is fixed")
    steps, start = kind.get_strides_and_offset()
    if sizes:
        start += sum((o or 0) * (s or 0) for o, s in zip(offsets, strides, strict=True))
    dims = list(zip(sizes, strides, strict=True)) if sizes else list(zip(kind.shape, steps, strict=True))
    return Walk(start, tuple(dims), prod(kind.shape), kind.element_type.width, ())  # type: ignore[arg-type]
