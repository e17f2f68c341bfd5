"""Connects planners and the tuner: plans that the tuner found are used instead of the planner's, and planners list candidates
for the tuner.

A planner reads plans from a folder with one file for each tuned kernel, named by the kernel's digest. Its plan attribute
contains `key`, the digest; `taken`, its plan as a Candidate; and `ranking`, the best Candidates.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from allo_air.core import options
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.device import Device
from allo_air.mlir import AnyOp
from allo_air.passes._analysis.columns import candidate_counts, columns_of, on_columns, price, record_columns, sharers
from allo_air.passes._analysis.kernels import content_of, is_kernel
from allo_air.plan.plan import TUNED, Plan
from allo_air.plan.schema import attach, from_text, plan_of, text_of

Found = TypeVar("Found")


@dataclass(frozen=True)
class Candidate:
    """A plan: as JSON, as a shorter text for the user, with its estimated cycles and its columns of the device."""

    plan: str
    shown: str
    cycles: float
    columns: int

    @property
    def text(self) -> str:
        """The candidate as JSON."""
        return json.dumps(asdict(self), sort_keys=True)

    @staticmethod
    def of(text: str) -> Candidate:
        """The Candidate in `text`; ValueError if it is not one."""
        try:
            entries = json.loads(text)
            kinds = {"plan": str, "shown": str, "cycles": float | int, "columns": int}
            if isinstance(entries, dict) and all(isinstance(entries.get(name), kind) for name, kind in kinds.items()):
                return Candidate(**{name: entries[name] for name in kinds})
        except json.JSONDecodeError:
            pass
        raise ValueError("no plan of a tuning")


@dataclass(frozen=True)
class Search(Generic[Found]):
    """The functions by which a planner plans a function.

    `best`: the planner's plan for a device. `cycles`: the cycles of a plan, None if it is invalid. `candidate_of`: the plan for
    a candidate's decision, None if it exceeds a limit. `described`: a plan's decision and its text for the user, None if it is
    no plan. `ranked`: the best `count` plans for a device, the best first. `below` and `sure`: as in `on_columns`.
    """

    best: Callable[[Device], Found]
    cycles: Callable[[Found], float | None]
    candidate_of: Callable[[Device, Plan], Found | None]
    described: Callable[[Found], tuple[Plan, str] | None]
    ranked: Callable[[Device, int], Sequence[Found]]
    below: Callable[[Device, float], Found] | None = None
    sure: float = 1


@dataclass(frozen=True)
class Decision(Generic[Found]):
    """A plan, with the entries of its attribute for the tuner."""

    plan: Found
    notes: Mapping[str, Any] = field(default_factory=dict)
    tuned: bool = False

    def noted(self, plan: Plan) -> Plan:
        """The decision with the tuner's entries."""
        return replace(plan, chosen=TUNED * self.tuned + plan.chosen, **self.notes)


def chosen(planner: Pass, function: AnyOp, device: Device, search: Search[Found]) -> Decision[Found]:
    """The plan of `function`: the one in the folder `planner.plans`, else the planner's own."""
    folder, count = planner.plans, planner.ranking  # type: ignore[attr-defined]
    if not folder and not count:
        return Decision(on_columns(function, device, search.best, search.cycles, search.below, search.sure))
    key = key_of(planner, function, device)
    stored = read(Path(folder), key) if folder else None
    plan = _plan_from(function, device, search, stored)
    notes: dict[str, Any] = {"key": key}
    tuned = plan is not None
    if plan is None:
        plan, stored = on_columns(function, device, search.best, search.cycles, search.below, search.sure), None
    if (candidate := _candidate(search, plan, columns_of(function, device.columns))) is None:
        return Decision(plan)
    notes["taken"] = (stored or candidate).text
    if count:
        ranked = _ranking(function, device, search, count)
        notes["ranking"] = tuple(c.text for c in ranked)
    return Decision(plan, notes, tuned)


def _plan_from(function: AnyOp, device: Device, search: Search[Found], stored: Candidate | None) -> Found | None:
    if stored is None or not 1 <= stored.columns <= device.columns:
        return None
    try:
        plan = search.candidate_of(replace(device, columns=stored.columns), from_text(stored.plan))
    except ValueError:
        return None
    if plan is not None and stored.columns < device.columns:
        record_columns(function, stored.columns, device, "these cycles were the fewest when it was tuned")
    return plan


def _candidate(search: Search[Found], plan: Found, columns: int) -> Candidate | None:
    result, cycles = search.described(plan), search.cycles(plan)
    return None if result is None or cycles is None else Candidate(text_of(result[0].bare), result[1], cycles, columns)


def _ranking(function: AnyOp, device: Device, search: Search[Found], count: int) -> list[Candidate]:
    """The best plans on all columns, and on fewer if the planner took fewer or there are other kernels, for which columns have
    a price.
    """
    other_kernels = sharers(function, device) if is_kernel(function) and device.columns > 1 else 0
    own = dict.fromkeys((columns_of(function, device.columns), device.columns))
    shared = candidate_counts(other_kernels, device) if other_kernels else []
    counts = list(dict.fromkeys((device.columns, *own, *shared))) if other_kernels else list(own)
    price_of_column = price(device) if other_kernels else 0
    priced: list[tuple[float, Candidate]] = []
    for columns in counts:
        plans = search.ranked(replace(device, columns=columns), count)
        described = (_candidate(search, plan, columns) for plan in plans)
        priced += [(c.cycles + price_of_column * columns, c) for c in described if c is not None]
    if len(counts) > 1:  # a single list stays in the planner's order, which accounts for padding
        priced.sort(key=lambda pair: pair[0])
    return [candidate for _, candidate in priced][:count]


def key_of(planner: Pass, function: AnyOp, device: Device) -> str:
    """The digest of everything on which a plan depends: the kernel's operations, the planner's options, and the number of
    kernels on the device.
    """
    own = replace(planner, plans="", ranking=0)  # type: ignore[call-arg]
    other_kernels = sharers(function, device) if is_kernel(function) else 0
    settings = {s.name: str(getattr(own, s.name)) for s in options.specs(type(own))}
    parts = [own.name, settings, device.name, device.columns, other_kernels, content_of(function)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def read(folder: Path, key: str) -> Candidate | None:
    """The plan in `folder` for the kernel with digest `key`; None if there is none, or if the file is damaged."""
    try:
        return Candidate.of((folder / key).read_text())
    except (OSError, ValueError):
        return None


@dataclass(frozen=True)
class Planned:
    """A planned kernel: its digest and name, the plan, whether it came from a folder, and the ranking."""

    key: str
    function: str
    candidate: Candidate
    tuned: bool
    ranking: tuple[Candidate, ...]


def collect(module: AnyOp) -> Iterator[Planned]:
    """The kernels of `module` whose planner read plans from a folder, or ranked plans. Removes the tuner's entries from their
    attributes.
    """
    for function in walk_named(module, "func.func"):
        plan = plan_of(function)
        if plan is not None and plan.key:
            attach(function, replace(plan, key="", taken="", ranking=()))
            yield Planned(
                plan.key,
                sym_name_of(function),
                Candidate.of(plan.taken),
                plan.is_tuned,
                tuple(map(Candidate.of, plan.ranking)),
            )
