"""Arbiters, master selects and packet rules of one switch, from the packet streams that pass it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

from allo_air.passes.resources._nets import Local, Net, Slave, Tree

ARBITERS, SELECTS, RULES = 6, 4, 4
_IDS = 32
Masters = frozenset[Local]
"""The master ports of packets with one id."""


@dataclass
class SwitchPlan:
    """The configuration of a switch: an arbiter and select for each set of masters, and rules (mask, id, masters) of slave
    ports."""

    selects: dict[Masters, tuple[int, int]] = field(default_factory=dict)
    rules: dict[Local, list[tuple[int, int, Masters]]] = field(default_factory=dict)
    keep: dict[Local, bool] = field(default_factory=dict)

    @property
    def masters(self) -> dict[Local, list[tuple[int, int]]]:
        """The arbiters and selects of each master port."""
        results: dict[Local, list[tuple[int, int]]] = defaultdict(list)
        for masters, select in self.selects.items():
            for master in masters:
                results[master].append(select)
        return {master: sorted(selects) for master, selects in sorted(results.items())}


class FullSwitch(Exception):
    """Raised for a switch whose packet streams need more arbiters, selects or rules than it has."""


def streams(nets: Iterable[Net], trees: Iterable[Tree]) -> dict[tuple[int, int], dict[Local, dict[int, Masters]]]:
    """For each switch and slave port: the master ports of each packet id."""
    results: dict[tuple[int, int], dict[Local, dict[int, Masters]]] = defaultdict(lambda: defaultdict(dict))
    for net, tree in zip(nets, trees, strict=True):
        if net.packet is not None:
            for (tile, slave), masters in tree.inside.items():
                results[tile][slave][net.packet] = frozenset(masters)
    return results


def planned(passing: Mapping[Local, Mapping[int, Masters]], occupied: Iterable[tuple[int, int]] = ()) -> SwitchPlan:
    """The plan of a switch; raises FullSwitch if it has too few resources. `occupied` are arbiters and selects in use."""
    plan = SwitchPlan()
    master_sets = sorted({masters for ids in passing.values() for masters in ids.values()}, key=sorted)
    used: dict[int, set[int]] = defaultdict(set)
    for arbiter, select in occupied:
        used[arbiter].add(select)
    values = set(used)
    for group in _joined(master_sets):
        room = [a for a in range(ARBITERS) if a not in used]
        room += [a for a in range(ARBITERS) if a in used and a not in values and len(used[a]) + len(group) <= SELECTS]
        if not room or len(group) > SELECTS:
            raise FullSwitch(
                f"its packets go to {len(master_sets)} sets of ports, and it has {ARBITERS} arbiters of {SELECTS} selects"
            )
        arbiter = room[0]
        for masters in group:
            select = next(s for s in range(SELECTS) if s not in used[arbiter])
            used[arbiter].add(select)
            plan.selects[masters] = arbiter, select
    for slave, ids in sorted(passing.items()):
        plan.rules[slave] = _rules(ids)
    return plan


def overflowing(nets: list[Net], trees: Mapping[int, Tree]) -> set[Slave]:
    """The slave ports of switches with too few resources for their packet streams."""
    order = sorted(trees)
    slaves = set()
    for tile, passing in streams([nets[i] for i in order], [trees[i] for i in order]).items():
        try:
            plan = planned(passing)
        except FullSwitch:
            slaves |= {(tile, slave) for slave in passing}
            continue
        slaves |= {(tile, slave) for slave, rules in plan.rules.items() if len(rules) > RULES}
    return slaves


def _joined(master_sets: list[Masters]) -> list[list[Masters]]:
    """Groups of sets that share a port, directly or indirectly: a group needs one arbiter, since a port has one."""
    groups: list[list[Masters]] = []
    for masters in master_sets:
        touching = [g for g in groups if any(masters & group for group in g)]
        groups = [g for g in groups if g not in touching]
        groups.append([m for g in touching for m in g] + [masters])
    return sorted(groups, key=lambda g: min(sorted(m) for m in g))


def _rules(ids: Mapping[int, Masters]) -> list[tuple[int, int, Masters]]:
    """The fewest rules that separate the ids of one slave port; of several such sets, the one with the most exact rules."""
    rules = []
    for masters in sorted(set(ids.values()), key=lambda m: min(i for i, id_masters in ids.items() if id_masters == m)):
        own = frozenset(i for i, id_masters in ids.items() if id_masters == masters)
        rest = frozenset(ids) - own
        rules += [(mask, value, masters) for mask, value in _cover(own, rest)]
    return rules


@cache
def _cover(own: frozenset[int], rest: frozenset[int]) -> tuple[tuple[int, int], ...]:
    cubes = []
    for mask in range(_IDS):
        for value in sorted({i & mask for i in own}):
            if not any(i & mask == value for i in rest):
                cubes.append((mask, value, frozenset(i for i in own if i & mask == value)))
    cubes.sort(key=lambda c: (-len(c[2]), -c[0].bit_count(), c[1]))
    exact = [c for i, c in enumerate(cubes) if not any(c[2] == earlier[2] for earlier in cubes[:i])]
    for count in range(1, len(own)):
        for chosen in combinations(exact, count):
            if frozenset().union(*(c[2] for c in chosen)) == own:
                return tuple(sorted((mask, value) for mask, value, _ in chosen))
    return tuple((_IDS - 1, i) for i in sorted(own))
