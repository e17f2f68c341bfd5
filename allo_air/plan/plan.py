"""The plan of a kernel: tiles at each level, cores, and the route of each operand. All planners write it; passes read it."""

from __future__ import annotations

from dataclasses import dataclass, replace

TUNED = "tuned: "
"""The start of `chosen` if a plan came from a tuner's folder."""


@dataclass(frozen=True)
class Route:
    """How an operand gets from external memory to the cores, or a result back."""

    operand: str = ""
    """a, b: operands of a matrix multiplication; c: its result; others: epilogue operands; q: queries of attention; for moves
    the number of the stream."""
    parts: int = 1
    """Parts in which each core sends or takes it, one after another, with double buffers."""
    rows: int = 0
    """Rows in a transfer to the cores, 0 for all."""
    memtiles: int = 1
    """Memtiles between which its pieces alternate."""
    channels: int = 0
    """Channels to these memtiles, 0 if the passes choose."""
    multiplexed: str = ""
    """The operand whose channel it shares, in transfers as large as that operand's steps; "" for a channel of its own."""
    panel: int = 0
    """Tiles of the result, one after another, for which a panel of it stays in L2; 0 for no panel."""
    turn: tuple[int, ...] = ()
    """Sizes and strides in which L2 sends the data that one transfer delivered, for transpositions."""
    walks: tuple[tuple[int, ...], ...] = ()
    """For moves: source and target of each transfer, as number of the argument, first element, then sizes and strides."""


@dataclass(frozen=True)
class Plan:
    """A plan. Lists have one number for each loop of the kernel's root, outermost first; 0 stands for the whole loop.

    For matrix multiplication these are m, n, k; for attention queries and keys.
    """

    family: str
    """The family that made it (`allo_air.plan.family`)."""
    chosen: str = ""
    """What was chosen and why, for the user."""
    padded: tuple[int, ...] = ()
    """Extents with padding."""
    launch: tuple[int, ...] = ()
    """The tile of a launch iteration."""
    launches: int = 0
    """Launch iterations, 0 if this family does not count them."""
    core: tuple[int, ...] = ()
    """The tile of a core."""
    micro: tuple[int, ...] = ()
    """The micro-tile of the MAC instruction: m, n, k; of attention m, k, n."""
    cores: tuple[int, ...] = ()
    """Cores along the two dimensions of the result; columns and rows of the array in other families."""
    spread: int = 0
    """Columns of the array over which the cores lie if all of them are along one dimension of the result; 0 otherwise."""
    piece: int = 0
    """Elements along a reduced dimension that L2 holds at a time; 0 if no dimension is cut so."""
    cut: tuple[int, ...] = ()
    """A dimension that was split in two: its number, its extent with padding, the inner extent."""
    along: int = -1
    """The dimension whose tiles go to different rows of cores, -1 for none."""
    reduced: tuple[int, ...] = ()
    """A loop that is reduced in parts: the operation's number, the loop's, and the size of a part."""
    narrow: bool = False
    """Whether sums are kept in the type of the result."""
    routes: tuple[Route, ...] = ()
    """The routes that differ from the default."""
    l1: int = 0
    """Bytes of a core's buffers at most, 0 if this family does not count them."""
    moved: int = 0
    """Bytes to and from external memory, 0 if this family does not count them."""
    key: str = ""
    """For the tuner: the digest of everything that the plan depends on."""
    taken: str = ""
    """For the tuner: the plan as a candidate."""
    ranking: tuple[str, ...] = ()
    """For the tuner: the best candidates."""

    def route(self, operand: str) -> Route:
        """The route of `operand`."""
        return next((r for r in self.routes if r.operand == operand), Route(operand))

    @property
    def is_tiled(self) -> bool:
        """Whether it has tiles for launches and cores."""
        return self.family in ("tiles", "window")

    @property
    def is_paired(self) -> bool:
        """Whether pieces of B take turns over channels into two memtiles side by side."""
        return self.route("b").memtiles == 2

    @property
    def paired_columns(self) -> int:
        """The columns over which all cores lie along B, if B goes to pairs of memtiles; 0 otherwise."""
        return self.spread if self.is_paired else 0

    @property
    def is_tuned(self) -> bool:
        """Whether it came from a tuner's folder."""
        return self.chosen.startswith(TUNED)

    @property
    def bare(self) -> Plan:
        """The decision alone, without its reason, derived sizes and the tuner's notes."""
        return replace(self, chosen="", l1=0, moved=0, key="", taken="", ranking=())


UNPLANNED = Plan("none")
"""Stands for the plan of a function that has none."""


def halves_array(spread: int) -> bool:
    """Whether a plan with pairs of memtiles and all cores along B over these columns uses half of the array, and the channels
    of all its shims.

    Plans for so few shims have no pairs.
    """
    return spread == 2


def pair_channels(spread: int) -> int:
    """Channels to a pair of memtiles in a plan with pairs."""
    return 8 if halves_array(spread) else 4
