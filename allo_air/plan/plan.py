"""The plan of a kernel: tiles at each level, cores, and the route of each operand. Planners write it, and passes read it."""

from __future__ import annotations

from dataclasses import dataclass, replace

TUNED = "tuned: "
"""Beginning of `chosen` if a plan came from a tuner's folder."""


@dataclass(frozen=True)
class Route:
    """How an operand moves from external memory to the cores, or a result back."""

    operand: str = ""
    """a, b: operands of a matrix multiplication; c: its result; others: epilogue operands; q: queries of attention; for moves
    the number of the stream."""
    parts: int = 1
    """Number of parts that each core receives or sends one after another, with double buffers; of a panel, the parts in L2."""
    rows: int = 0
    """Rows in one transfer to the cores, or to L2 if it is multiplexed; 0 for all."""
    memtiles: int = 1
    """Number of memtiles between which its pieces alternate."""
    channels: int = 1
    """Number of channels to these memtiles; if it is multiplexed, of the other operand's channels that bring parts of it."""
    alternating: int = 1
    """Number of groups of these channels between which whole pieces alternate; the channels of a group bring parts of a piece.
    """
    multiplexed: str = ""
    """The operand whose channels it shares: a multiplexed transfer precedes a piece of that operand, or a step of it on the way
    to the cores; "" for channels of its own.
    """
    panel: int = 0
    """Number of tiles of the result for which a panel of it stays in L2; 0 for no panel."""
    turn: tuple[int, ...] = ()
    """Sizes and strides in which L2 sends the data that one transfer delivered, for transpositions."""
    walks: tuple[tuple[int, ...], ...] = ()
    """For moves: source and target of each transfer, each as the argument's number, the first element, then sizes and
    strides.
    """


@dataclass(frozen=True)
class Plan:
    """A plan. Lists have one number for each loop of the kernel's root operation, outermost first; 0 means the whole loop.

    For matrix multiplication, these loops are m, n, k; for attention, they are queries and keys.
    """

    family: str
    """The family of the kernel (`allo_air.plan.family`)."""
    chosen: str = ""
    """The choice and its reason, as text for the user."""
    padded: tuple[int, ...] = ()
    """The padded extents."""
    launch: tuple[int, ...] = ()
    """The tile sizes of a launch iteration."""
    launches: int = 0
    """Number of launch iterations, 0 if this family does not count them."""
    core: tuple[int, ...] = ()
    """The tile sizes of a core."""
    micro: tuple[int, ...] = ()
    """The micro-tile of the MAC instruction: m, n, k (for attention m, k, n)."""
    cores: tuple[int, ...] = ()
    """Cores along the two dimensions of the result; columns and rows of the array in other families."""
    spread: int = 0
    """Number of array columns over which the cores are spread, if they all lie along one dimension of the result; 0
    otherwise.
    """
    piece: int = 0
    """Elements along a reduced dimension that L2 holds at a time; 0 if it holds all."""
    cut: tuple[int, ...] = ()
    """A dimension that is split in two: its number, its padded extent, the inner extent."""
    along: int = -1
    """The dimension whose tiles go to different rows of cores, -1 for none."""
    reduced: tuple[int, ...] = ()
    """A reduction loop that is computed in parts: the operation's number, the loop's number, and the size of a part."""
    narrow: bool = False
    """Whether sums are kept in the result's type."""
    routes: tuple[Route, ...] = ()
    """The routes that differ from the default."""
    l1: int = 0
    """Largest number of bytes of a core's buffers, 0 if this family does not count them."""
    moved: int = 0
    """Bytes to and from external memory, 0 if this family does not count them."""
    cycles: int = 0
    """Predicted cycles of a run, 0 if this family does not store them."""
    descriptors: int = 0
    """Buffer descriptors of a core's DMA, 0 if this family does not count them."""
    key: str = ""
    """For the tuner: the digest of everything that the plan depends on."""
    taken: str = ""
    """For the tuner: the plan as a candidate."""
    ranking: tuple[str, ...] = ()
    """For the tuner: the best candidates."""

    def route(self, operand: str) -> Route:
        """The route of `operand`, by default an empty one."""
        return next((r for r in self.routes if r.operand == operand), Route(operand))

    @property
    def is_tiled(self) -> bool:
        """Whether it has tiles for launches and cores."""
        return self.family in ("tiles", "window")

    @property
    def is_paired(self) -> bool:
        """Whether pieces of B alternate over channels into two adjacent memtiles."""
        return self.route("b").memtiles == 2

    @property
    def spread_routes(self) -> tuple[Route, Route]:
        """The routes of A and B if all cores lie along one dimension of the result: first of the operand of which each core
        has its own part, then of the one that all cores receive. Otherwise empty routes.
        """
        if not self.spread:
            return Route(), Route()
        large, small = "ba" if self.cores[0] == 1 else "ab"
        return self.route(large), self.route(small)

    @property
    def is_tuned(self) -> bool:
        """Whether it came from a tuner's folder."""
        return self.chosen.startswith(TUNED)

    @property
    def bare(self) -> Plan:
        """The plan without its reason, derived sizes and the tuner's entries."""
        return replace(self, chosen="", l1=0, moved=0, cycles=0, descriptors=0, key="", taken="", ranking=())


UNPLANNED = Plan("none")
"""The plan of a function that has none."""
