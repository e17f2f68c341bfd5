"""Finds a place for every block: the largest first, each as far south as possible, and then as far west as possible."""

from allo_air.errors import PassError, counted
from allo_air.mlir import ir
from allo_air.passes.place._blocks import Block, Grid, Neighbours, Place, overlap

_TRIES = 20_000
"""Largest number of places that are tried."""


def place_blocks(blocks: list[Block], grid: Grid, neighbours: list[list[Neighbours]]) -> list[Place]:
    """The places of `blocks` under the first constraints that can be met; raises PassError with the name of the first block
    that does not fit.

    Blocks whose place the program sets come first. If no place is left for a block, the previous block is moved to its next
    place.
    """
    order = sorted(range(len(blocks)), key=lambda n: (_free_positions(blocks[n]), -blocks[n].width * blocks[n].height, n))
    for constraints in neighbours:
        search = _Search([blocks[n] for n in order], grid, constraints)
        if search.run(0):
            break
    else:
        raise _refusal(search)
    results = dict(zip(order, search.places, strict=True))
    return [results[n] for n in range(len(blocks))]


def _free_positions(block: Block) -> int:
    return (block.x is None) + (block.y is None)


class _Search:
    def __init__(self, blocks: list[Block], grid: Grid, neighbours: list[Neighbours]) -> None:
        self.blocks, self.grid, self.wanted = blocks, grid, neighbours
        self.places: list[Place] = []
        self.best: list[Place] = []
        self.tries = 0

    def run(self, n: int) -> bool:
        """Places blocks from number `n` on; returns False if that is impossible, or took too many tries."""
        if n == len(self.blocks):
            return True
        for y in range(self.grid.row, self.grid.row + self.grid.rows):
            for x in range(self.grid.column, self.grid.column + self.grid.columns):
                self.tries += 1
                if not self._fits(n, (x, y)):
                    continue
                self.places.append((x, y))
                if len(self.places) > len(self.best):
                    self.best = list(self.places)
                if self.run(n + 1):
                    return True
                self.places.pop()
                if self.tries > _TRIES:
                    return False
        return False

    def _fits(self, n: int, place: Place) -> bool:
        block = self.blocks[n]
        if not block.may_be_at(place) or not self.grid.holds(block, place):
            return False
        if any(overlap(block, place, placed, there) for placed, there in zip(self.blocks, self.places, strict=False)):
            return False
        return all(self._near(w, block, place) for w in self.wanted)

    def _near(self, pair: Neighbours, block: Block, place: Place) -> bool:
        """Whether `block` at `place_blocks` and the other block, if it has a place, satisfy the constraint."""
        places = {id(b): p for b, p in zip(self.blocks, self.places, strict=False)} | {id(block): place}
        first, second = places.get(id(pair.first)), places.get(id(pair.second))
        return first is None or second is None or pair.hold(first, second)


def _refusal(search: _Search) -> PassError:
    block, grid = search.blocks[len(search.best)], search.grid
    if grid.columns < block.width or grid.rows < block.height:
        why = f"and it is larger than the {grid}"
    else:
        why = f"and the {grid} has no room for it" + _placed_text(search)
    pinned = [f"{name} = {value}" for name, value in (("x_loc", block.x), ("y_loc", block.y)) if value is not None]
    needs = f" (at {', '.join(pinned)})" if pinned else ""
    tried = "" if search.tries <= _TRIES else f" (after {_TRIES} tries; give some herds x_loc and y_loc to help)"
    reasons = [w.reason for w in search.wanted if block in (w.first, w.second)]
    near = f"; it must lie next to another herd, as {' and '.join(dict.fromkeys(reasons))}" if reasons else ""
    herd: ir.OpView = block.herds[0]
    return PassError(
        f"No valid placement found. Unplaced herd: {block.name.removeprefix('@')}; it has "
        f"{counted(block.width, 'column')} and"
        f" {counted(block.height, 'row')}{needs}, {why}{near}{tried}; enlarge the grid (num-rows, num-cols), reshape the herd"
        " (air-collapse-herd), or make it smaller",
        herd.location,
        herd.operation.name,
    )


def _placed_text(search: _Search) -> str:
    placed_blocks = [
        f"{b.name} ({b.size} at column {x}, row {y})" for b, (x, y) in zip(search.blocks, search.best, strict=False)
    ]
    return f" beside {', '.join(placed_blocks)}" if placed_blocks else ""
