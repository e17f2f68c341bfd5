"""Finds strands: loops of a launch whose transfers the host may interleave, so that none of them waits for data that a later
loop sends. The operations of a launch run concurrently. If one of them contains a wait, because it reads and writes the same
memory, the host would otherwise start the following operations too late.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Any

from allo_air.passes.runtime._core_order import Spans, is_before
from allo_air.passes.runtime._program import Act, Item, Loop, Mark, Node, Steps, Transfer, Wait, transfers

if TYPE_CHECKING:
    import numpy as np

    from allo_air.mlir import ir

_MOST = 1 << 26
"""Largest number of elements of a strand's transfers to analyse; a larger strand is assumed to overlap all others."""


@dataclass(frozen=True)
class Section:
    """The items that the host starts before it waits for `awaited`, which may be empty. It takes the time from `start` to
    `end`."""

    items: tuple[Item, ...]
    awaited: frozenset[Transfer] = frozenset()
    start: Fraction = Fraction(0)
    end: Fraction = Fraction(1)


def phases(
    group: Sequence[Item], outputs: frozenset[str], spans: Mapping[str, Spans]
) -> list[tuple[list[Section], list[Node]]]:
    """The phases of a launch, in order. Each has sections, in order, and items that are transferred during the whole phase:
    loops without waits. `outputs` are the allocations that write to the host's memory, and `spans` gives the operations of
    cores that use each allocation. Waits for transfers that no later transfer overlaps are dropped. A phase ends where the
    cores finish all earlier transfers before they start later ones. In a phase, strands that share a channel, or an element
    that one of them writes, stay in program order; others run their sections concurrently, each at its own pace. A launch
    without waits, or whose herds get parameters, is one strand.
    """
    passing = any(isinstance(item, Act) for item in group)
    if not passing and any(isinstance(item, Wait) for item in group):
        group = _needed(group, outputs)
    strands = _strands(group)
    if passing or not any(isinstance(item, Wait) for item in group) or len(strands) == 1:
        return [(_timed(_cut([i for i in group if not isinstance(i, Mark)])), [])]
    return [_sections(phase, outputs) for phase in _in_turn(strands, spans)]


def _sections(strands: Sequence[list[Item]], outputs: frozenset[str]) -> tuple[list[Section], list[Node]]:
    """The sections of strands that run concurrently if possible, and the items that are transferred during the whole phase."""
    joined = _joined([_StrandAccesses(strand, outputs) for strand in strands])
    waiting = [s for s in joined if any(isinstance(i, Wait) for i in s)]
    if not waiting:
        return _timed(_cut([i for strand in strands for i in strand])), []
    free = [i for s in joined if s not in waiting for i in s if isinstance(i, Transfer | Loop | Steps)]
    return _side_by_side([_timed(_cut(s)) for s in waiting]), free


def _side_by_side(strands: Sequence[Sequence[Section]]) -> list[Section]:
    """The sections of all strands, by start time: before a section starts, the host waits for those that have ended."""
    times = sorted({time for strand in strands for section in strand for time in (section.start, section.end)})
    sections = []
    for start, end in pairwise(times):
        items = tuple(i for strand in strands for section in strand if section.start == start for i in section.items)
        awaited = [section.awaited for strand in strands for section in strand if section.end == end]
        sections.append(Section(items, frozenset[Transfer]().union(*awaited), start, end))
    return sections


def _timed(sections: Sequence[Section]) -> list[Section]:
    """The sections of a strand, with equal durations."""
    count = len(sections)
    return [replace(s, start=Fraction(n, count), end=Fraction(n + 1, count)) for n, s in enumerate(sections)]


def _in_turn(strands: Sequence[list[Item]], spans: Mapping[str, Spans]) -> list[list[list[Item]]]:
    """The strands of each phase. The iterations of a launch are separate if any of them has several strands."""
    iterations: list[list[list[Item]]] = [[]]
    visited = set[Any]()
    for strand in strands:
        ops = {t.op for t in transfers(tuple(strand))}
        if ops & visited:
            iterations.append([])
            visited = set()
        visited |= ops
        iterations[-1].append(strand)
    results = [phase for iteration in iterations for phase in _phases(iteration, spans)]
    return results if len(results) > len(iterations) else [list(strands)]


def _phases(strands: Sequence[list[Item]], spans: Mapping[str, Spans]) -> list[list[list[Item]]]:
    """The strands of an iteration, split where all earlier ones end before later ones begin; items that only wait end a
    phase."""
    used = [[spans.get(name, {}) for name in {t.channel for t in transfers(tuple(strand))}] for strand in strands]

    def is_cut(cut: int) -> bool:
        pairs = [(earlier, later) for earlier in used[:cut] for later in used[cut:] if earlier and later]
        return bool(used[cut]) and bool(pairs) and all(is_before(earlier, later) for earlier, later in pairs)

    cuts = [0, *(cut for cut in range(1, len(strands)) if is_cut(cut)), len(strands)]
    return [list(strands[start:end]) for start, end in pairwise(cuts)]


def _needed(group: Sequence[Item], outputs: frozenset[str]) -> Sequence[Item]:
    """`group` without waits for transfers that no later transfer conflicts with."""
    import numpy as np

    elements: dict[Transfer, Any] = dict(_walks(group, {}))
    if any(value is None for value in elements.values()):
        return group
    sizes: dict[int, int] = {}
    for transfer, entry in elements.items():
        sizes[transfer.argument] = max(sizes.get(transfer.argument, 0), int(entry.max()) + 1)
    touched, written = ({a: np.zeros(n, np.bool_) for a, n in sizes.items()} for _ in range(2))  # compared with later transfers
    kept_items: list[Item] = []
    for item in reversed(group):
        if isinstance(item, Wait):
            later = {t: touched if t.channel in outputs else written for t in item.transfers}
            awaited = frozenset(t for t, by in later.items() if t not in elements or by[t.argument][elements[t]].any())
            kept_items += [Wait(awaited)] if awaited else []
            continue
        kept_items.append(item)
        for transfer in transfers((item,)):
            touched[transfer.argument][elements[transfer]] = True
            if transfer.channel in outputs:
                written[transfer.argument][elements[transfer]] = True
    return kept_items[::-1]


def _strands(group: Sequence[Item]) -> list[list[Item]]:
    """The items of each operation of the launch; an item that only waits is the end of the group before it."""
    items: list[list[Item]] = [[]]
    for item in group:
        if isinstance(item, Mark):
            items.append([])
        else:
            items[-1].append(item)
    return [strand for strand in items if strand]


def _cut(items: Sequence[Item]) -> list[Section]:
    """The sections of `items`, each of which ends with a wait."""
    result, current = [], list[Item]()
    for item in items:
        if isinstance(item, Wait):
            result.append(Section(tuple(current), item.transfers))
            current = []
        else:
            current.append(item)
    return [*result, Section(tuple(current))] if current else result


def _joined(strands: list[_StrandAccesses]) -> list[list[Item]]:
    """The items of the strands; strands that must follow each other are merged."""
    groups: list[list[_StrandAccesses]] = []
    for strand in strands:
        before = [group for group in groups if any(strand.follows(member) for member in group)]
        groups = [group for group in groups if group not in before]
        groups.append([*(member for group in before for member in group), strand])
    return [[item for strand in sorted(group, key=strands.index) for item in strand.items] for group in groups]


class _StrandAccesses:
    """The channels of a strand, the transfers that it waits for, and the elements of each argument that it reads and writes."""

    def __init__(self, items: Sequence[Item], outputs: frozenset[str]) -> None:
        self.items, self.outputs = items, outputs
        self.transfers = set(transfers(tuple(items)))
        self.channels = {t.channel for t in self.transfers}
        self.awaited = frozenset[Transfer]().union(*(i.transfers for i in items if isinstance(i, Wait)))
        self._elements: dict[tuple[int, bool], Any] | None = None

    def follows(self, other: _StrandAccesses) -> bool:
        """Whether the strand must follow `other`, an earlier one in program order."""
        if self.channels & other.channels or self.awaited & other.transfers:
            return True
        return any(
            (writes or wrote) and argument == same and _overlap(own_range, other_range)
            for (argument, writes), own_range in self.elements().items()
            for (same, wrote), other_range in other.elements().items()
        )

    def elements(self) -> dict[tuple[int, bool], Any]:
        """Sorted numbers of the elements of an argument that are read, or written; None if there are too many."""
        if self._elements is None:
            parts: dict[tuple[int, bool], list[Any]] = {}
            for transfer, item in _walks(self.items, {}):
                parts.setdefault((transfer.argument, transfer.channel in self.outputs), []).append(item)
            self._elements = {key: _union(item) for key, item in parts.items()}
        return self._elements


def _walks(items: Iterable[Item], counts: Mapping[ir.Value, int]) -> Iterator[tuple[Transfer, Any]]:
    """Each transfer with the numbers of the elements that it accesses; `counts` are the trip counts of the enclosing loops."""
    for item in items:
        match item:
            case Transfer():
                yield item, _elements(item, counts)
            case Loop():
                yield from _walks(item.body, {**counts, item.symbol: item.trips})
            case Steps():
                for body in item.rounds:
                    yield from _walks(body, counts)


def _elements(transfer: Transfer, counts: Mapping[ir.Value, int]) -> Any:
    import numpy as np

    dims = [*((counts[value], factor) for value, factor in transfer.offset.terms), *transfer.dims]
    dims = [(size, stride) for size, stride in dims if size > 1 and stride]
    if prod(size for size, _ in dims) > _MOST:
        return None
    elements = np.array([transfer.offset.constant])
    for size, stride in dims:
        elements = np.add.outer(elements, stride * np.arange(size)).ravel()
    return elements


def _union(parts: list[np.ndarray]) -> Any:
    import numpy as np

    return None if any(p is None for p in parts) else np.unique(np.concatenate(parts))


def _overlap(first: Any, second: np.ndarray) -> bool:
    import numpy as np

    return first is None or second is None or bool(np.isin(first, second, assume_unique=True).any())
