"""Which operations must keep their sequential order, from their effects on buffers and channels.

Two operations conflict if both access an element that one of them writes (RAW, WAR, WAW), or both use the same end of a
channel, which processes its transfers in order. Views, `air.execute` and hierarchy arguments are resolved to the buffer.
Different allocations, and different memref arguments of a function, are different buffers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from allo_air.access.footprint import Footprint
from allo_air.core.walking import is_defined_in
from allo_air.dialects.air_values import HIERARCHIES, TRANSFERS, forwarded_value
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import are_distinct, root_of
from allo_air.passes._analysis.effects import accesses, is_pure
from allo_air.passes._analysis.footprint import footprint_of
from allo_air.passes._analysis.indices import IndexValues

STREAMED = frozenset((*HIERARCHIES, *TRANSFERS, "air.custom"))
"""Operations that a loop executes in the order of its iterations, whatever they access: each has a single engine, or its own
cores.
"""

_SIDES = {"air.dma_memcpy_nd": ("src", "dst"), "air.channel.put": ("src",), "air.channel.get": ("dst",)}
_SPREAD = 32
"""Largest number of footprints per buffer in the summary of a region. With more, the summary says that any element may be
accessed.
"""


@dataclass(frozen=True)
class End:
    """One end of a bundle of channels. Its puts, or its gets, are ordered."""

    channel: str
    direction: str


OUTSIDE = End("", "outside")
"""The effect of a call without buffer arguments: it may print or use globals, so such calls stay in order."""


@dataclass(frozen=True)
class Effect:
    """Accesses to the elements `elements` of buffer `root` (None: any element); or one end of a channel, at constant indices
    `elements` or at any.
    """

    root: Any
    elements: Any
    writes: bool


@dataclass
class Summary:
    """The effects of operation `op` and of all operations in it, as visible in its block.

    Buffers that `op` itself allocates and that do not leave it are excluded. `blocks` contain the summaries of the operations
    in its blocks.
    """

    op: Any
    name: str
    effects: list[Effect] = field(default_factory=list)
    blocks: list[tuple[Any, list[Summary]]] = field(default_factory=list)
    local: set[Any] = field(default_factory=set)  # buffers allocated inside that stay inside
    is_streamed: bool = False  # contains a transfer or a hierarchy
    is_coarse: bool = False  # contains an operation that becomes a task: an AIR operation, a kernel, an allocation
    makes_values: bool = False  # contains an operation that has effects and whose results are used


class Dependence:
    """Summaries of a module's operations, and whether two of them conflict. The IR must not change while the object is in use.

    With `from_outside`, effects of a hierarchy on buffers that are allocated inside it are excluded from its summary. Without
    `parts`, each access is one of the whole buffer, which takes half of the time.
    """

    def __init__(self, *, from_outside: bool = False, parts: bool = True) -> None:
        self.indices = IndexValues()
        self._from_outside, self._parts = from_outside, parts
        self._hierarchy: ir.Operation | None = None  # the outermost one that is being summarized
        self._inner: dict[Any, bool] = {}
        self._aliases: dict[tuple[Any, Any], bool] = {}
        self._unique: dict[Any, bool] = {}
        self._whole: dict[Any, Footprint | None] = {}

    def summary(self, op: AnyOp) -> Summary:
        """The summary of `op` and, nested in it, of all that it contains."""
        operation = op.operation
        name = operation.name
        summary = Summary(operation, name, is_streamed=name in STREAMED)
        summary.is_coarse = name.startswith(("air.", "linalg.")) or name in _COARSE
        if name.startswith("linalg.") or not len(operation.regions):
            summary.effects = list(self._own_effects(operation))
            summary.makes_values = any(not _is_memref(v) for v in operation.results) and bool(summary.effects)
            return summary
        memrefs = [] if name in HIERARCHIES else [v for v in operation.operands if _is_memref(v)]
        effects = [Effect(root_of(v), None, True) for v in memrefs]
        outermost = self._from_outside and self._hierarchy is None and name in HIERARCHIES
        if outermost:
            self._hierarchy = operation
        for region in operation.regions:
            for block in region.blocks:
                inside = [self.summary(inner) for inner in block.operations]
                summary.blocks.append((block, inside))
                effects += self._seen_from_outside(summary, block, inside)
        if outermost:
            self._hierarchy = None
        summary.effects = _condensed(effects)
        summary.is_streamed |= any(s.is_streamed for _, inside in summary.blocks for s in inside)
        summary.is_coarse |= any(s.is_coarse for _, inside in summary.blocks for s in inside)
        summary.makes_values = any(s.makes_values for _, inside in summary.blocks for s in inside)
        return summary

    def meet(self, a: Effect, b: Effect) -> bool:
        """Whether two effects of one execution of their block conflict."""
        if not (a.writes or b.writes) or not self.may_alias(a.root, b.root):
            return False
        if a.elements is None or b.elements is None or a.root != b.root:
            return True
        if isinstance(a.root, End):
            return bool(a.elements == b.elements)
        return bool(a.elements.meets(b.elements, self.indices))

    def may_alias(self, a: ir.Value | End, b: ir.Value | End) -> bool:
        """Whether two roots, or channel ends, may be the same."""
        if a == b:
            return True
        if isinstance(a, End) or isinstance(b, End):
            return False
        if (a, b) not in self._aliases:
            self._aliases[a, b] = (
                not (_is_argument(a) and _is_argument(b)) and not are_distinct(a, b) and not _differ_in_kind(a, b)
            )
        return self._aliases[a, b]

    def is_unique(self, root: ir.Value | End) -> bool:
        """Whether no other root is the same buffer as `root`, except roots that may alias anything."""
        if root not in self._unique:
            self._unique[root] = isinstance(root, End) or _is_argument(root) or _is_allocation(root)
        return self._unique[root]

    def _own_effects(self, op: ir.Operation) -> Iterator[Effect]:
        if op.name == "memref.alloc":
            if not self._is_inner(op.results[0]):
                yield Effect(op.results[0], None, True)
        elif op.name in TRANSFERS:
            yield from self._transferred(op)
        elif op.name not in HIERARCHIES and not is_pure(op):
            result = False
            for access in accesses(op):
                result = True
                if not self._is_inner(access.root):
                    yield Effect(access.root, self._footprint(access.memref), access.kind != "read")
            if op.name == "func.call" and not result:
                yield Effect(OUTSIDE, None, True)

    def _is_inner(self, root: ir.Value) -> bool:
        """Whether `root` is allocated inside the hierarchy that is summarized from outside."""
        if self._hierarchy is None:
            return False
        if root not in self._inner:
            self._inner[root] = is_defined_in(root, self._hierarchy)
        return self._inner[root]

    def _footprint(self, memref: ir.Value) -> Footprint | None:
        """The part that an access of all of `memref` touches."""
        if memref not in self._whole:
            self._whole[memref] = footprint_of(memref, None, self.indices) if self._parts else None
        return self._whole[memref]

    def _transferred(self, op: ir.Operation) -> Iterator[Effect]:
        view = op.opview
        for side in _SIDES[op.name]:
            memref = getattr(view, side)
            root = root_of(memref)
            if self._is_inner(root):
                continue
            if not self._parts:
                yield Effect(root, None, side == "dst")
                continue
            lists = [getattr(view, f"{side}_{part}") for part in ("offsets", "sizes", "strides")]
            yield Effect(root, footprint_of(memref, lists, self.indices), side == "dst")
        if op.name != "air.dma_memcpy_nd":
            indices = [self.indices.constant(i) for i in view.indices]
            yield Effect(End(view.chan_name, op.name[-3:]), None if None in indices else tuple(indices), True)

    def _seen_from_outside(self, summary: Summary, block: ir.Block, inside: list[Summary]) -> Iterator[Effect]:
        """The effects `inside`, of the operations of `block`, for all values that the block's own SSA values may have."""
        allocated = {s.op.results[0] for s in inside if s.name in ("memref.alloc", "memref.alloca")}
        allocated |= {root for s in inside if s.name == "air.execute" for root in s.local}
        if summary.name == "air.execute":
            summary.local |= allocated  # including yielded buffers, which are visible outside of it
        else:
            summary.local |= {root for root in allocated if not _escapes(root)}
        for effect in (e for s in inside for e in s.effects):
            if effect.root in summary.local and summary.name != "air.execute":
                continue
            elements = effect.elements
            if isinstance(elements, Footprint):
                elements = elements.over(block, self.indices)
            yield Effect(effect.root, elements, effect.writes)


_COARSE = ("func.call", "memref.alloc", "memref.dealloc", "memref.copy")


def _condensed(effects: Iterable[Effect]) -> list[Effect]:
    """`effects` without duplicates; if there are many for one buffer, they are merged."""
    kinds: dict[tuple[ir.Value | End, bool], dict[Effect, None]] = {}
    for effect in effects:
        kinds.setdefault((effect.root, effect.writes), {})[effect] = None
    condensed: list[Effect] = []
    for (root, writes), several in kinds.items():
        whole = Effect(root, None, writes)
        condensed += [whole] if whole in several or len(several) > _SPREAD else several
    return condensed


def _escapes(root: ir.Value) -> bool:
    """Whether buffer `root`, an allocation, may be accessed through another value, or from outside of its block."""
    todo = [root]
    while todo:
        value = todo.pop()
        for use in value.uses:
            owner = use.owner
            if (forwarded := forwarded_value(use)) is not None:
                todo.append(forwarded)
            elif _is_view(owner):
                todo += list(owner.results)
            elif any(_is_memref(v) for v in owner.results) or _ends_block(owner):
                return True
    return False


def _is_view(op: ir.OpView) -> bool:
    """Whether the results of `op` are views of its first operand."""
    return len(op.results) == 1 and _is_memref(op.results[0]) and bool(root_of(op.results[0]) != op.results[0])


def _ends_block(op: ir.OpView) -> bool:
    return op.name.endswith(("yield", "return", "scf.condition", "scf.reduce", ".br", ".cond_br"))


def _is_memref(value: ir.Value) -> bool:
    return isinstance(value.type, (ir.MemRefType, ir.UnrankedMemRefType))


def _is_argument(root: ir.Value) -> bool:
    """Whether `root` is an argument of a function."""
    return isinstance(root, ir.BlockArgument) and root.owner.owner.operation.name == "func.func"


def _is_allocation(root: ir.Value) -> bool:
    return isinstance(root, ir.OpResult) and root.owner.name in ("memref.alloc", "memref.alloca")


def _differ_in_kind(a: ir.Value, b: ir.Value) -> bool:
    """Whether the two are different kinds of roots, an allocation and an argument, or two globals. Such roots never alias."""
    if (_is_allocation(a) and _is_argument(b)) or (_is_argument(a) and _is_allocation(b)):
        return True
    named = [r.owner.attributes["name"] for r in (a, b) if isinstance(r, ir.OpResult) and r.owner.name == "memref.get_global"]
    return len(named) == 2 and named[0] != named[1]
