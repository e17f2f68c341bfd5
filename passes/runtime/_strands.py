"""The loops of a launch that the host may drive side by side, so that none waits for what another one is yet to send.

A launch's operations run at the same time; where one of them waits in between, because it reads and writes the same memory, the
host would otherwise send what comes after it in the text too late.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import prod
from typing import Any

from allo_air.passes.runtime._program import Act, Item, Loop, Mark, Node, Steps, Transfer, Wait, transfers

_MOST = 1 << 26
"""Elements that a strand's transfers are looked at for; more are taken to meet all others."""


@dataclass(frozen=True)
class Section:
    """What the host starts before it waits for `awaited`, which may be nothing."""

    items: tuple[Item, ...]
    awaited: frozenset[Transfer] = frozenset()


def sections(group: Sequence[Item], outputs: frozenset[str]) -> tuple[list[Section], list[Node]]:
    """The sections of a launch, one after the other, and what it transfers all along: loops that wait for nothing.

    `outputs` are the allocations that write to the host's memory. Strands that use a channel or touch an element that one of
    them writes follow each other as in the text; others go through their sections side by side. Waits for what no later
    transfer meets go. A launch in which nothing waits, or whose herds get parameters, is one strand, as it is.
    """
    passing = any(isinstance(item, Act) for item in group)
    if not passing and any(isinstance(item, Wait) for item in group):
        group = _needed(group, outputs)
    strands = _strands(group)
    waiting = [s for s in strands if any(isinstance(i, Wait) for i in s)]
    if passing or not waiting or len(strands) == 1:
        return _cut([i for i in group if not isinstance(i, Mark)]), []
    joined = _joined([_Touched(strand, outputs) for strand in strands])
    cut = [_cut(s) for s in joined if any(isinstance(i, Wait) for i in s)]
    free = [i for s in joined if not any(isinstance(i, Wait) for i in s) for i in s if isinstance(i, Transfer | Loop | Steps)]
    found = []
    for several in zip_longest(*cut, fillvalue=Section(())):
        awaited = frozenset[Transfer]().union(*(s.awaited for s in several))
        found.append(Section(tuple(i for s in several for i in s.items), awaited))
    return found, free


def _needed(group: Sequence[Item], outputs: frozenset[str]) -> Sequence[Item]:
    """`group` without waits for transfers whose elements no later one writes, or touches where they are written."""
    import numpy as np

    elements: dict[Transfer, Any] = dict(_walks(group, {}))
    if any(found is None for found in elements.values()):
        return group
    sizes: dict[int, int] = {}
    for transfer, found in elements.items():
        sizes[transfer.argument] = max(sizes.get(transfer.argument, 0), int(found.max()) + 1)
    touched, written = ({a: np.zeros(n, np.bool_) for a, n in sizes.items()} for _ in range(2))  # by what comes later
    kept: list[Item] = []
    for item in reversed(group):
        if isinstance(item, Wait):
            later = {t: touched if t.channel in outputs else written for t in item.transfers}
            awaited = frozenset(t for t, by in later.items() if t not in elements or by[t.argument][elements[t]].any())
            kept += [Wait(awaited)] if awaited else []
            continue
        kept.append(item)
        for transfer in transfers((item,)):
            touched[transfer.argument][elements[transfer]] = True
            if transfer.channel in outputs:
                written[transfer.argument][elements[transfer]] = True
    return kept[::-1]


def _strands(group: Sequence[Item]) -> list[list[Item]]:
    """The items of each operation of the launch; one that only waits ends what came before, which it is part of."""
    found: list[list[Item]] = [[]]
    for item in group:
        if isinstance(item, Mark):
            found.append([])
        else:
            found[-1].append(item)
    return [strand for strand in found if strand]


def _cut(items: Sequence[Item]) -> list[Section]:
    """The sections of `items`, each up to a wait."""
    found, current = [], list[Item]()
    for item in items:
        if isinstance(item, Wait):
            found.append(Section(tuple(current), item.transfers))
            current = []
        else:
            current.append(item)
    return [*found, Section(tuple(current))] if current else found


def _joined(strands: list[_Touched]) -> list[list[Item]]:
    """The items of the strands, of those that must follow each other together."""
    found: list[list[_Touched]] = []
    for strand in strands:
        before = [several for several in found if any(strand.follows(other) for other in several)]
        found = [several for several in found if several not in before]
        found.append([*(other for several in before for other in several), strand])
    return [[item for strand in sorted(several, key=strands.index) for item in strand.items] for several in found]


class _Touched:
    """The channels that a strand uses, what it waits for, and the elements of each argument that it reads and writes."""

    def __init__(self, items: Sequence[Item], outputs: frozenset[str]) -> None:
        self.items, self.outputs = items, outputs
        self.transfers = set(transfers(tuple(items)))
        self.channels = {t.channel for t in self.transfers}
        self.awaited = frozenset[Transfer]().union(*(i.transfers for i in items if isinstance(i, Wait)))
        self._elements: dict[tuple[int, bool], Any] | None = None

    def follows(self, other: _Touched) -> bool:
        """Whether the strand must come behind `other`, one before it in the text."""
        if self.channels & other.channels or self.awaited & other.transfers:
            return True
        return any(
            (writes or wrote) and argument == same and _meet(mine, theirs)
            for (argument, writes), mine in self.elements().items()
            for (same, wrote), theirs in other.elements().items()
        )

    def elements(self) -> dict[tuple[int, bool], Any]:
        """Sorted numbers of the elements of an argument that are read, or written; None for too many."""
        if self._elements is None:
            parts: dict[tuple[int, bool], list[Any]] = {}
            for transfer, found in _walks(self.items, {}):
                parts.setdefault((transfer.argument, transfer.channel in self.outputs), []).append(found)
            self._elements = {key: _union(found) for key, found in parts.items()}
        return self._elements


def _walks(items: Iterable[Item], counts: Mapping[Any, int]) -> Iterator[tuple[Transfer, Any]]:
    """Each transfer with the numbers of the elements that it touches; `counts` has the rounds of the loops around."""
    for item in items:
        match item:
            case Transfer():
                yield item, _elements(item, counts)
            case Loop():
                yield from _walks(item.body, {**counts, item.symbol: item.trips})
            case Steps():
                for body in item.rounds:
                    yield from _walks(body, counts)


def _elements(transfer: Transfer, counts: Mapping[Any, int]) -> Any:
    import numpy as np

    dims = [*((counts[value], factor) for value, factor in transfer.offset.terms), *transfer.dims]
    dims = [(size, stride) for size, stride in dims if size > 1 and stride]
    if prod(size for size, _ in dims) > _MOST:
        return None
    found = np.array([transfer.offset.constant])
    for size, stride in dims:
        found = np.add.outer(found, stride * np.arange(size)).ravel()
    return found


def _union(parts: list[Any]) -> Any:
    import numpy as np

    return None if any(p is None for p in parts) else np.unique(np.concatenate(parts))


def _meet(one: Any, other: Any) -> bool:
    import numpy as np

    return one is None or other is None or bool(np.isin(one, other, assume_unique=True).any())
