"""The findings of a search over orders: hangs, results that depend on the order, lost data, and the state that a second run
starts from.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from allo_air.errors import counted, placeless
from allo_air.sim.cores.rounds import Undecided
from allo_air.sim.naming import Names, place_text, position_of
from allo_air.sim.orders.extract import RunFacts, System
from allo_air.sim.orders.margins import margins, room_that_cures, tried_cure
from allo_air.sim.orders.meeting import pairs_sharing_switch
from allo_air.sim.orders.story import StoryWriter
from allo_air.sim.report_types import Finding, make_finding

_STATES, _STEPS, _ORDERS = 20_000, 3_000_000, 400
_OVERFLOW, _LOCK_OVERFLOW, _OVERWRITE = 0, 1, 2
_MOST_PAIRS = 24
_MOVE, _S2MM = 2, 0


def findings_of_orders(names: Names, seen: RunFacts, seconds: float, *, near: bool = False) -> tuple[list[Finding], str]:
    """Findings about other orders than that of a successful run, searched for at most `seconds`, and a text about the share
    of orders that was covered.

    `near` also checks how close the design is to a hang, and whether it can only run once.
    """
    try:
        system = System(names.design, names.control, seen)
    except Undecided as why:
        file, line, _ = position_of(why.op)
        return [], f"other orders are not searched: {f'{file}:{line}' if line else 'the design'} {why.why}"
    search = _OrderSearch(system, StoryWriter(system, names), seconds, near)
    return search.findings(), search.covered


def with_cure(finding: Finding, names: Names, seen: RunFacts, seconds: float) -> Finding:
    """Returns `finding`, about a run that hangs, with the smallest change that fixes it, if one is found in `seconds`."""
    try:
        story = StoryWriter(System(names.design, names.control, seen), names)
    except Undecided:
        return finding
    result = story.model.system.every(_STATES, _STEPS, seconds / 4, False)
    if not result["hanging"]:
        return finding
    cure = tried_cure(story, result["hangs"][0], seconds / 2)
    notes = [placeless("note", text) for text in room_that_cures(story, seconds / 4)]
    _, alternative, second = finding.cure.partition(", or ") if finding.cure.startswith("give ") else ("", "", "")
    value = replace(
        finding.diagnostic,
        cure=f"{cure}{alternative}{second}" if cure else finding.cure,
        notes=(*finding.diagnostic.notes, *notes),
    )
    return replace(finding, diagnostic=value)


class _OrderSearch:
    def __init__(self, system: System, story: StoryWriter, seconds: float, near: bool) -> None:
        self.model, self.story, self.seconds, self.near = system, story, seconds, near
        self.system, self.covered = system.system, ""

    def findings(self) -> list[Finding]:
        result = self._search(self.system)
        self.covered = self._covered(result)
        findings = self._hangs(result) + self._events(result)
        if not result["hanging"]:
            findings += self._overflows(result) + self._arbiters() + self._again(result)
            if len(result["results"]) > 1 and (names := self.story.deciding()):
                findings.append(self.story.differs(len(result["results"]), names, self.covered))
            if self.near:
                findings += margins(self.story, self.seconds)
        return findings

    def _search(self, system: Any, share: float = 1.0, data: bool = True) -> Any:
        """Explores all orders if they are few, otherwise some; small searches are tried first."""
        result = system.every(_STATES, _STEPS, self.seconds * share, data)
        if not result["complete"] and not result["hanging"] and system.any_choice():
            more = system.some(_ORDERS, _STEPS, self.seconds * share, 0, data)
            more["events"] = result["events"] + more["events"]
            return more
        return result

    def _covered(self, result: dict[str, int]) -> str:
        if result["complete"]:
            return "every order that the hardware may choose was examined"
        return f"{result['orders']} of the orders that the hardware may choose were tried"

    def _hangs(self, result: Any) -> list[Finding]:
        if not result["hanging"]:
            return []
        hang = min(result["hangs"], key=lambda h: len(h["choices"]))
        info = self.story.of_hang(hang)
        all_hang = result["complete"] and result["hanging"] == result["orders"]
        how = (
            "hangs in every order, as FIFOs are no longer than AM020 says"
            if all_hang
            else "another order of the same design hangs"
        )
        share = f"{result['hanging']} of {counted(result['orders'], 'order')} hang" if not all_hang else "all orders hang"
        lines = [*info.lines, f"{share} (searched for {result['seconds']:.2f} s: {self.covered})"]
        for why in self.model.followed[:1]:
            where = position_of(why.op)
            lines.append(f"what{place_text(where)} {why.why} goes on as in this run, in every order searched")
        cure = tried_cure(self.story, hang, self.seconds / 2) or info.cure
        return [
            make_finding(
                "hang.may", f"{how}: {info.head}", info.position, cure=cure, story=lines, holders=info.holders, tile=info.tile
            )
        ]

    def _events(self, result: Any) -> list[Finding]:
        findings = []
        lost = [e for e in result["events"] if e[0] == _OVERWRITE and self.story.is_read(e[3])]
        if lost:
            findings.append(self.story.overwritten(lost[0], len(lost)))
        full = [e for e in result["events"] if e[0] == _LOCK_OVERFLOW]
        if full:
            findings.append(self.story.lock_overflow(full[0]))
        return findings

    def _overflows(self, result: Any) -> list[Finding]:
        """Tasks for which a queue may be full: in this search, or if the channel is as slow as possible."""
        events = [e for e in result["events"] if e[0] == _OVERFLOW]
        counts: dict[int, int] = {}
        for kind, channel, _ in self.model.orders:
            if kind == 0:
                counts[channel] = counts.get(channel, 0) + 1
        for channel, count in counts.items():
            if count > 5 and not events:
                lazy = self.system.every(200, _STEPS // 4, self.seconds / 8, False, channel)
                events = [e for e in lazy["events"] if e[0] == _OVERFLOW]
        return [self.story.overflow(min(events, key=lambda e: e[2]))] if events else []

    def _arbiters(self) -> list[Finding]:
        """Pairs of packet flows without routes that hang if they meet at one arbiter."""
        pairs = pairs_sharing_switch(self.model.streams.flows)[:_MOST_PAIRS]
        bad = []
        for first, second in pairs:
            trial = self.system.copy()
            arbiter = trial.arbiter()
            for link in (first[1], second[1]):
                trial.set_arbiter(link, 0, arbiter)
            trial.prepare()
            tried = trial.every(1000, 1_000_000, self.seconds / 16, False)
            if tried["hanging"]:
                bad.append((first[0], second[0]))
        return [self.story.unrouted(bad)] if bad else []

    def _again(self, result: Any) -> list[Finding]:
        """A second run of the sequence on the state that the first run left."""
        rest = self.system.rest(_STEPS // 10)
        ends = [e for e in result["ends"] if not e["endless"]]
        if rest is None or not ends or all(e["fingerprint"] == rest["fingerprint"] for e in ends):
            return []
        findings = []
        end = ends[0]
        for number, (phase, bd, done, _, _) in enumerate(end["channels"]):
            channel = self.model.channels[number]
            if phase == _MOVE and channel[2] == _S2MM and done > 0 and not rest["channels"][number][2]:
                findings.append(self.story.partial(channel, bd, done))
                break
        once = [i for i, turn in enumerate(end["cores"]) if self.story.ended(i, turn) and self.model.steps[i]]
        if once:  # it is made to run once
            return findings + [self.story.one_shot(self.model.design.core_ops[self.model.cores[once[0]]])] * self.near
        begun = {self.model.channels.index((*s.tile, s.direction, s.channel)): s for s in self.model.design.starts}
        over = [n for n in begun if not end["channels"][n][0] and rest["channels"][n][0]]
        if any(begun[n].repeat for n in over) or (over and len(over) == len(begun)):
            return findings + [self.story.one_shot(begun[over[0]].op)] * self.near
        trial = self.system.copy()
        trial.set_sequence(self.model.orders * 3)
        trial.prepare()
        again = self._search(trial, 0.25, data=False)
        if again["hanging"] and not findings and not self.story.once(again["hangs"][0]):
            hang = again["hangs"][0]
            if (lock := self.story.supply(hang)) is not None:
                return [self.story.spent(lock)] * self.near
            run = hang["sequence"] // max(len(self.model.orders), 1) + 1
            findings.append(self.story.second_run(hang, rest, end, run, begun[over[0]].op if over else None))
        return findings
