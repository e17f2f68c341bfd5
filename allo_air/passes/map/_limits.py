"""The limits on the tiles of a kernel: memory in L1 and L2, channels, buffer descriptors, and whole 32-bit words."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from allo_air.arch.limits import core_room
from allo_air.passes._analysis.columns import WHOLE_BUFFER_CORES
from allo_air.passes._analysis.dma_rings import ring_descriptors
from allo_air.passes.map._demand import Demand
from allo_air.passes.map._plan import Tiles
from allo_air.passes.map._space import Space, Tensor


def fits_l1(space: Space, needed: Demand, sizes: Sequence[int], padded: dict[int, int]) -> bool:
    """Whether a core's tile fits into L1, and its transfers are whole 32-bit words."""
    tile = tuple(sizes)
    if tile not in space.fitting:
        space.fitting[tile] = _subword_parts(space, needed, sizes)
    parts = space.fitting[tile]
    return parts is not None and all(_is_in_words(tensor, part, padded) for tensor, part in parts)


def _subword_parts(space: Space, needed: Demand, sizes: Sequence[int]) -> list[tuple[Tensor, tuple[int, ...]]] | None:
    """The parts of tensors that must be whole 32-bit words, if everything else allows a core's tile; None otherwise."""
    size = 0
    for tensors, times in ((space.inputs, 2), (space.outputs, 2), (space.inside, 2 if space.model.in_parts else 1)):
        for tensor in tensors:
            part = needed.pieces[tensor.number]
            copies = space.model.passes.get(tensor.number, 1) if tensors is space.inputs else 1
            copies *= space.model.offset_counts.get(tensor.number, 1) if tensors is space.inputs else 1
            size += 0 if part is None else copies * times * prod(part) * max(tensor.bits, 8) // 8
    if size > core_room(space.device):
        return None
    core = space.device.tiles["core"]
    if space.model.in_parts and len(space.inputs) > core.channels[0] and core_descriptors(space, needed) > core.bds:
        return None
    subword = [t for t in (*space.inputs, *space.outputs) if t.bits % 32]
    if subword and not _steps_in_words(space, needed, sizes, subword):
        return None
    variants = space.model.variants([sizes]) if _may_recompute(space, sizes) or (subword and space.model.reads_differ) else None
    parts = {
        (tensor, tuple(part))
        for tensor in subword
        for part in (
            needed.parts[tensor.number],
            needed.pieces[tensor.number],
            *(variant for [variant] in (variants[tensor.number] if variants else ())),
        )
        if part is not None and not (tensor.number in space.arguments and tuple(part) == tensor.shape)
    }
    return list(parts)


def core_descriptors(space: Space, needed: Demand) -> int:
    """Buffer descriptors of a core's DMA: one for each result, and for each transfer of an operand that shares a channel.

    The parts of an operand with a channel of its own alternate between two buffers, or fill a single one if they would take too
    many descriptors (`air-label-scf-for-to-ping-pong`).
    """
    core = space.device.tiles["core"]
    shapes = [(needed.parts[t.number] or [1], needed.pieces[t.number] or [1]) for t in space.inputs]
    transfers = [-(-prod(part) // prod(piece)) for part, piece in shapes]
    if len(space.inputs) <= core.channels[0]:
        transfers = sorted(map(ring_descriptors, transfers))
        while transfers and sum(transfers) + len(space.outputs) > core.bds and transfers[-1] > 1:
            transfers = sorted((1, *transfers[:-1]))
    return sum(transfers) + len(space.outputs)


def _may_recompute(space: Space, sizes: Sequence[int]) -> bool:
    """Whether users of a tensor may need different parts of it for one tile, so that parts are computed repeatedly."""
    return any(size and may_repeat for size, may_repeat in zip(sizes, space.recomputing, strict=True))


def splits(space: Space, launch: Sequence[int], x: int, columns: int) -> bool:
    """Whether each operand's part of a launch can be cut for the columns' memtiles: neighbouring pieces must not overlap."""
    if columns == 1:
        return True
    column = space.model.demand([s // columns if i == x else s for i, s in enumerate(launch)])
    whole = space.model.demand(launch)
    pairs = [(column.parts[t.number], whole.parts[t.number]) for t in space.inputs]
    return all(
        n in (m, m * columns)
        for part, launch_part in pairs
        if part and launch_part
        for m, n in zip(part, launch_part, strict=True)
    )


def shares(space: Space, needed: Demand, sizes: Sequence[int], times: dict[int, int]) -> bool:
    """Whether a core has enough channels. Operands that go to the same cores can share a channel.

    Operands go to the same cores if the same loops over cores change their parts: the tiles of all cores along one loop are
    compared with the tile of one core.
    """
    channels, _ = space.device.tiles["core"].channels
    wide_tiles = [[s * n if i == loop else s for i, s in enumerate(sizes)] for loop, n in times.items() if n > 1]
    if _may_recompute(space, sizes):
        variants_of = space.model.variants([sizes, *wide_tiles])
        broadcasts = {tuple(w == part for w in wide) for t in space.inputs for part, *wide in variants_of[t.number]}
        return len(broadcasts) <= channels
    if len(space.inputs) <= channels:
        return True
    wide_demands = [space.model.demand(tile) for tile in wide_tiles]
    broadcasts = {tuple(w.parts[t.number] == needed.parts[t.number] for w in wide_demands) for t in space.inputs}
    return len(broadcasts) <= channels


def fits_l2(space: Space, tiles: Tiles, needed: Demand) -> bool:
    """Whether a memtile has the memory and descriptors for one column's operands and results in a launch."""
    memtile = space.device.tiles["mem"]
    return l2_bytes(space, tiles, needed) <= memtile.memory and _part_descriptors(space, tiles, needed) <= memtile.bds


def _part_descriptors(space: Space, tiles: Tiles, needed: Demand) -> int:
    """Buffer descriptors of a memtile for parts that share a core's channel: one per part and core.

    A memtile serves the cores of two columns if both channels of a shim bring one operand (`air-split-l2-memref`). Beside other
    kernels it serves all of a few cores: one channel brings them what all of them get, and another one the rest.
    """
    channels = space.device.tiles["core"].channels[0]
    if not space.model.in_parts or len(space.inputs) <= channels:
        return 0
    shapes = [(t.number, needed.parts[t.number] or [1], needed.pieces[t.number] or [1]) for t in space.inputs]
    transfers = {n: space.model.passes.get(n, 1) * -(-prod(part) // prod(piece)) for n, part, piece in shapes}
    in_parts = [n for n, part, piece in shapes if part != piece]
    if len(in_parts) > channels:
        return min(2, tiles.cores[0]) * tiles.cores[1] * sum(transfers[n] for n in in_parts)
    if space.is_alone or prod(tiles.cores) > WHOLE_BUFFER_CORES:
        return 0
    sizes = list(tiles.launch)
    if tiles.cut is not None:
        loop = space.loops.index(tiles.cut.dimension)
        sizes[loop : loop + 2] = [min(sizes[loop] * sizes[loop + 1], space.extents[loop])]
    launch = space.model.demand(sizes)
    own = [n for n, part, _ in shapes if (launch.parts[n] or [1]) != part]
    if len(own) in (1, len(shapes)) or not set(own) & set(in_parts):
        return 0
    return (prod(tiles.cores) + 1) * sum(transfers[n] for n in own)


def l2_bytes(space: Space, tiles: Tiles, needed: Demand) -> int:
    """L2 bytes of one column's operands and results in a launch; double for those that move in parts."""
    size = 0
    for tensor in (*space.inputs, *space.outputs):
        rows = tiles.cores[1] if tiles.rows_along is None or tiles.rows_along in tensor.dimensions else 1
        part = prod(needed.parts[tensor.number] or [0])
        size += rows * min(part, round(2 * share(space, needed, tensor) * part)) * max(tensor.bits, 8) // 8
    return size


def share(space: Space, needed: Demand, tensor: Tensor) -> float:
    """The fraction of a core's tile of a tensor that arrives at a time. Tensors that are read once arrive in parts, if rows
    stay whole.

    Parts of rows are collected in L2 for long runs in external memory (`chunk-l2-copies`).
    """
    part, piece = needed.parts[tensor.number], needed.pieces[tensor.number]
    if space.model.passes.get(tensor.number) != 1 or tensor not in space.inputs or not part or not piece:
        return 1
    return prod(piece) / prod(part) if piece[-1] == part[-1] else 1


def _is_in_words(tensor: Tensor, tile: Sequence[int], padded: dict[int, int]) -> bool:
    """Whether each run of a tile begins and ends at a 32-bit word, in external memory and in L2."""
    shape = [padded.get(d, e) for d, e in zip(tensor.dimensions, tensor.shape, strict=True)]
    run, stride, merged = 1, 1, True
    for extent, size in reversed(list(zip(shape, tile, strict=True))):
        if merged:
            run *= size
            merged = size == extent
            if not merged and run * tensor.bits % 32:
                return False
        elif stride * tensor.bits % 32:
            return False
        stride *= extent
    return run * tensor.bits % 32 == 0


def _steps_in_words(space: Space, needed: Demand, sizes: Sequence[int], subword: Sequence[Tensor]) -> bool:
    """Whether tiles begin at 32-bit words. With windows and sums of loops, the distance between tiles differs from the tile
    size.
    """
    steps = [[s * (1 + (i == loop)) for i, s in enumerate(sizes)] for loop, s in enumerate(sizes) if s and space.model.has_sums]
    for double_sizes in steps or [[2 * s for s in sizes]]:
        double_parts = space.model.demand(double_sizes).parts
        for tensor in subword:
            parts = needed.parts[tensor.number], double_parts[tensor.number]
            for d, (size, double) in enumerate(zip(*(part or () for part in parts), strict=True)):
                if size < double < 2 * size and (double - size) * prod(tensor.shape[d + 1 :]) * tensor.bits % 32:
                    return False
    return True
