"""Explains why a program of puts, gets and tokens cannot continue: the cycle of waiting events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from allo_air.errors import counted
from allo_air.mlir import ir
from allo_air.passes._analysis.findings import Findings, Note
from allo_air.passes.check._channels import Bundle
from allo_air.passes.check._events import Event, Program, agent_text
from allo_air.passes.check._schedule import UNBOUNDED, Links, Outcome, link, run, waiting
from allo_air.passes.check._unrolled_events import unroll

_SHOWN = 6


@dataclass(frozen=True)
class Rules:
    """Parameters of the abstract run: the number of transfers that a channel holds, and the largest number of steps.

    With `lowered`, the other ends of channels may already be in an `aie.device`, so that a missing end is not an error.
    """

    capacity: int
    most: int
    lowered: bool


def check_deadlock(function: ir.Operation, channels: dict[str, Bundle], rules: Rules, findings: Findings) -> None:
    """Reports the cycle of waiting events, or the missing end of a channel, that keeps `function` from ending."""
    program = unroll(function, channels, rules.most)
    for op, why in program.open:
        findings.undecided(op, why)
    links, capacity = link(program, channels), rules.capacity
    for op, why in links.unclear:
        findings.undecided(op, why)
    if program.open or links.unclear or program.outside:
        return
    if rules.lowered:
        links.short.clear()
    outcome = run(program, links, capacity)
    if not outcome.stuck:
        return
    chain, closes = _chain(program, links, capacity, outcome)
    if not closes:
        _report_end(chain, findings)
        return
    if not _is_stuck(function, channels, rules):
        _report_cycle(chain, findings.warning, _LATE)
        return
    bounded = not run(program, links, UNBOUNDED).stuck
    _report_cycle(chain, findings.error, _BOUNDED.format(capacity, "" if capacity == 1 else "s") if bounded else _UNBOUNDED)


_LATE = (
    "a herd waits for a token that depends on the herd's own transfers: remove that token; on a device the cores start anyway"
)
_BOUNDED = (
    "with room for more than {} transfer{} in the channels it would end: use another buffer, or exchange the order of the"
    " transfers"
)
_UNBOUNDED = "no channel is deep enough for it: change the order of the transfers, or remove a token"


def _is_stuck(function: ir.Operation, channels: dict[str, Bundle], rules: Rules) -> bool:
    """Whether the program is also stuck if its herds run from the start, as the cores of a device do."""
    program = unroll(function, channels, rules.most, running=True)
    return bool(run(program, link(program, channels), rules.capacity).stuck)


def _chain(program: Program, links: Links, capacity: int, outcome: Outcome) -> tuple[list[tuple[Event, str]], bool]:
    """A chain of stuck events, each with the reason why it waits for the next; and whether the last one waits for the first."""
    event_number = next((n for n in outcome.stuck if program.events[n].is_transfer), outcome.stuck[0])
    chain: list[tuple[Event, str]] = []
    visited: dict[int, int] = {}
    while event_number not in visited:
        visited[event_number] = len(chain)
        event = program.events[event_number]
        following, why = _reason(event, links, capacity, outcome)
        chain.append((event, why))
        if following is None:
            return chain, False
        event_number = following
    return chain[visited[event_number] :], True


def _reason(event: Event, links: Links, capacity: int, outcome: Outcome) -> tuple[int | None, str]:
    number = event.number
    for predecessor in sorted(event.after):
        if not outcome.over[predecessor]:
            return predecessor, "waits for this to end"
    first = links.before.get(number)
    if first is not None and not outcome.over[first]:
        return first, "comes after this at the same end of the channel"
    for put_number in links.needs.get(number, ()):
        if not outcome.begun[put_number]:
            return put_number, "waits for this put to begin"
    for get in waiting(number, links, capacity, outcome):
        return get, "waits for this get to begin"
    return None, "waits for a put that never comes" if not event.is_put else "waits for a get that never comes"


def _report_cycle(chain: list[tuple[Event, str]], report: Callable[..., None], cure: str) -> None:
    """Reports a `chain` whose last event waits for its first."""
    start = next((i for i, (e, _) in enumerate(chain) if e.is_transfer), 0)
    rotated = chain[start:] + chain[:start]
    notes: list[Note] = []
    for (_, reason), (following, _) in zip(rotated, rotated[1:] + rotated[:1], strict=True):
        if len(notes) < _SHOWN:
            notes.append((following.op, f"{reason}: {_text(following)}"))
    first = rotated[0][0]
    report(first.op, f"deadlocks: {_text(first)} waits, over {counted(len(rotated), 'step')}, for itself; {cure}", *notes)


def _report_end(chain: list[tuple[Event, str]], findings: Findings) -> None:
    """Reports a `chain` whose last event waits for a transfer that does not exist."""
    first, (last, reason) = chain[0][0], chain[-1]
    notes: list[Note] = [(first.op, f"{_text(first)} waits for it in the end")] if last is not first else []
    advice = "make the puts and gets of the channel agree (air-check-channels)"
    findings.error(last.op, f"never ends: {_text(last)} {reason}; {advice}", *notes)


def _text(event: Event) -> str:
    kind = event.op.name.rsplit(".", 1)[-1]
    channel_text = f" on @{event.element[0]}{list(event.element[1])}" if event.element else ""
    return f"{kind}{channel_text} of {agent_text(event.agent)}"
