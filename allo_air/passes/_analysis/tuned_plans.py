"""The interface of tuner and planner: the planner's ranking, and the plan that is used instead of its own.

A planner reads plans from a folder with one file for each tuned kernel, named by the kernel's digest. Its plan attribute
contains `key`, the digest; `taken`, its plan as a Candidate; `ranking`, the best Candidates.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from allo_air.core import options
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.device import Device
from allo_air.errors import DiagnosticError
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.columns import candidate_counts, note, on_columns, price, sharers
from allo_air.passes._analysis.kernels import PLAN, is_kernel

Plan = TypeVar("Plan")

PAIRED = "paired"
"""Entry of a matrix multiplication's plan whose pieces of B take turns over channels into two memtiles side by side."""
TUNED = "tuned: "
"""How the reason of a plan begins that was taken from a folder."""


def is_tiled(function: AnyOp) -> bool:
    """Whether `plan-tiles` chose the tiles of kernel `function`."""
    attributes = function.operation.attributes
    return PLAN in attributes and "launch" in attributes[PLAN]


def is_paired(function: AnyOp) -> bool:
    """Whether the plan of `function`, a matrix multiplication, brings pieces of B to pairs of memtiles."""
    attributes = function.operation.attributes
    return PLAN in attributes and PAIRED in attributes[PLAN]


def paired_columns(function: AnyOp) -> int:
    """The columns over which all cores lie along B, if the plan lets B go to pairs of memtiles; 0 for others."""
    return spread_columns(function) if is_paired(function) else 0


def halves_array(spread: int) -> bool:
    """Whether a plan with pairs of memtiles and all cores along B over these columns uses half of the array, and the channels
    of all its shims.

    Plans for so few shims have no pairs.
    """
    return spread == 2


def pair_channels(spread: int) -> int:
    """Channels that bring pieces to a pair of memtiles in such a plan."""
    return 8 if halves_array(spread) else 4


def spread_columns(function: AnyOp) -> int:
    """The columns over which all cores lie along one dimension of the result of a matrix multiplication; 0 for others."""
    attributes = function.operation.attributes
    return int(attributes[PLAN]["spread"].value) if PLAN in attributes and "spread" in attributes[PLAN] else 0


@dataclass(frozen=True)
class Candidate:
    """A plan: the text for its planner, a shorter text for the user, its estimated cycles, and columns of the device."""

    plan: str
    shown: str
    cycles: float
    columns: int

    @property
    def text(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self), sort_keys=True)

    @staticmethod
    def of(text: str) -> Candidate:
        """The Candidate in `text`; ValueError if it is none."""
        try:
            found = json.loads(text)
            kinds = {"plan": str, "shown": str, "cycles": float | int, "columns": int}
            if isinstance(found, dict) and all(isinstance(found.get(name), kind) for name, kind in kinds.items()):
                return Candidate(**{name: found[name] for name in kinds})
        except json.JSONDecodeError:
            pass
        raise ValueError("no plan of a tuning")


@dataclass(frozen=True)
class Search(Generic[Plan]):
    """How a planner finds the plans of a function.

    `best` is its own plan for a device; `cycles` those of a plan, None if it is invalid; `taken` the plan for a candidate's
    text, None if it exceeds a limit; `described` a candidate's text and the text for the user, None if it is no plan; `ranked`
    the given number of plans for a device, the best first.
    """

    best: Callable[[Device], Plan]
    cycles: Callable[[Plan], float | None]
    taken: Callable[[Device, str], Plan | None]
    described: Callable[[Plan], tuple[str, str] | None]
    ranked: Callable[[Device, int], Sequence[Plan]]


@dataclass(frozen=True)
class Chosen(Generic[Plan]):
    """A plan, and the notes in its attribute."""

    plan: Plan
    notes: dict[str, ir.Attribute] = field(default_factory=dict)

    def noted(self, attribute: ir.DictAttr) -> ir.DictAttr:
        """The plan's `attribute` with these notes."""
        if not self.notes:
            return attribute
        found = {attribute[n].name: attribute[n].attr for n in range(len(attribute))} | self.notes
        if found.pop("tuned", None) is not None:
            found["chosen"] = ir.StringAttr.get(TUNED + found["chosen"].value)
        return ir.DictAttr.get(found)


def chosen(planner: Pass, function: AnyOp, device: Device, search: Search[Plan]) -> Chosen[Plan]:
    """The plan of `function`: the one in the folder `planner.plans`, else the planner's own."""
    folder, count = planner.plans, planner.ranking  # type: ignore[attr-defined]
    if not folder and not count:
        return Chosen(on_columns(function, device, search.best, search.cycles))
    key = key_of(planner, function, device)
    stored = read(Path(folder), key) if folder else None
    plan = _taken(function, device, search, stored)
    notes: dict[str, ir.Attribute] = {"key": ir.StringAttr.get(key)}
    if plan is None:
        plan, stored = on_columns(function, device, search.best, search.cycles), None
    else:
        notes["tuned"] = ir.UnitAttr.get()
    if (told := _candidate(search, plan, columns_taken(function, device))) is None:
        return Chosen(plan)
    notes["taken"] = ir.StringAttr.get((stored or told).text)
    if count:
        ranked = _ranking(function, device, search, count)
        notes["ranking"] = ir.ArrayAttr.get([ir.StringAttr.get(c.text) for c in ranked])
    return Chosen(plan, notes)


def columns_taken(function: AnyOp, device: Device) -> int:
    """The columns that are recorded for a kernel, or all."""
    attributes = function.operation.attributes
    return int(attributes["allo.columns"]["count"].value) if "allo.columns" in attributes else device.columns


def _taken(function: AnyOp, device: Device, search: Search[Plan], stored: Candidate | None) -> Plan | None:
    if stored is None or not 1 <= stored.columns <= device.columns:
        return None
    try:
        plan = search.taken(replace(device, columns=stored.columns), stored.plan)
    except DiagnosticError:
        return None
    if plan is not None and stored.columns < device.columns:
        note(function, stored.columns, device, "these cycles were the fewest when it was tuned")
    return plan


def _candidate(search: Search[Plan], plan: Plan, columns: int) -> Candidate | None:
    texts, cycles = search.described(plan), search.cycles(plan)
    return None if texts is None or cycles is None else Candidate(*texts, cycles, columns)


def _ranking(function: AnyOp, device: Device, search: Search[Plan], count: int) -> list[Candidate]:
    """The best plans on all columns, and on fewer if the planner took fewer or there are other kernels, for which columns have
    a price.
    """
    beside = sharers(function, device) if is_kernel(function) and device.columns > 1 else 0
    own = dict.fromkeys((columns_taken(function, device), device.columns))
    counts = [device.columns, *candidate_counts(beside, device)] if beside else list(own)
    each = price(device) if beside else 0
    found: list[tuple[float, Candidate]] = []
    for columns in counts:
        try:
            plans = search.ranked(replace(device, columns=columns), count)
        except DiagnosticError:  # too few columns
            continue
        described = (_candidate(search, plan, columns) for plan in plans)
        found += [(c.cycles + each * columns, c) for c in described if c is not None]
    if len(counts) > 1:  # else in the planner's order, which knows what padding costs
        found.sort(key=lambda pair: pair[0])
    return [candidate for _, candidate in found][:count]


def key_of(planner: Pass, function: AnyOp, device: Device) -> str:
    """The digest of everything that a plan depends on: the kernel's operations, the planner's options, and the number of
    kernels on the device.
    """
    own = replace(planner, plans="", ranking=0)  # type: ignore[call-arg]
    beside = sharers(function, device) if is_kernel(function) else 0
    settings = {s.name: str(getattr(own, s.name)) for s in options.specs(type(own))}
    parts = [own.name, settings, device.name, device.columns, beside, _content(function.operation)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _content(function: ir.Operation) -> str:
    """The text of a function without its name and without notes of passes."""
    attributes = function.attributes
    left_out = {n: attributes[n] for n in attributes if n.startswith("allo.") or n == "sym_visibility"}
    name = attributes["sym_name"]
    for attribute in left_out:
        del attributes[attribute]
    attributes["sym_name"] = ir.StringAttr.get("kernel")
    try:
        return str(function.get_asm(print_generic_op_form=True, use_local_scope=True, assume_verified=True))
    finally:
        attributes["sym_name"] = name
        for attribute, value in left_out.items():
            attributes[attribute] = value


def read(folder: Path, key: str) -> Candidate | None:
    """The plan in `folder` for the kernel of digest `key`; None if there is none, or it is damaged."""
    try:
        return Candidate.of((folder / key).read_text())
    except (OSError, ValueError):
        return None


@dataclass(frozen=True)
class Planned:
    """A planned kernel: its digest and name, the plan, whether it came from a folder, and the ranking."""

    key: str
    function: str
    taken: Candidate
    tuned: bool
    ranking: tuple[Candidate, ...]


def collect(module: AnyOp) -> Iterator[Planned]:
    """The kernels of `module` whose planner read plans from a folder, or ranked them; removes their notes."""
    for function in walk_named(module, "func.func"):
        plan = function.attributes.get(PLAN, {})
        if "key" in plan:
            found = {plan[n].name: plan[n].attr for n in range(len(plan))}
            notes = found.keys() & {"key", "taken", "ranking"}
            function.attributes[PLAN] = ir.DictAttr.get({n: a for n, a in found.items() if n not in notes})
            ranking: Iterable[Any] = plan["ranking"] if notes & {"ranking"} else ()
            yield Planned(
                plan["key"].value,
                function.attributes["sym_name"].value,
                Candidate.of(plan["taken"].value),
                plan["chosen"].value.startswith(TUNED),
                tuple(Candidate.of(c.value) for c in ranking),
            )
