"""Margins of a design that ends in every order: the FIFOs and depths without which it would hang."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from allo_air.errors import counted
from allo_air.sim.naming import NOWHERE, Position, position_of
from allo_air.sim.orders.story import StoryWriter
from allo_air.sim.report_types import Finding, make_finding

if TYPE_CHECKING:
    from allo_air.sim._engine import Orders

_STATES, _STEPS = 4000, 2_000_000
_MOST = 8


def margins(story: StoryWriter, seconds: float) -> list[Finding]:
    """Remarks on the resources without which the design of `story` would hang; as many as are found in `seconds`."""
    return [*_fifos(story, seconds), *_depths(story, seconds)]


def _hang(system: Any, seconds: float) -> Any:
    """A hang of a changed system; None without one, or if that is undecided."""
    system.prepare()
    tried = system.every(_STATES, _STEPS, seconds, False)
    return tried["hangs"][0] if tried["hanging"] else None


def tried_cure(story: StoryWriter, hang: object, seconds: float) -> str:
    """The smallest of the tried changes after which the design hangs in no order; empty if none is found in time."""
    system, until = story.model.system, time.thread_time() + seconds
    for more in (1, 2, 3, 4, 8):
        for name, locks in story.deepened(hang).items():
            trial = system.copy()
            for lock in locks:
                trial.set_init(lock, story.model.lock_inits[lock] + more)
            if time.thread_time() < until and _goes_on(trial):
                return f"give {name} {counted(more, 'more object')}: tried, it hangs in no order then"
    for link, hop, text in story.apart(hang):
        trial = system.copy()
        trial.set_arbiter(link, hop, trial.arbiter())
        if time.thread_time() < until and _goes_on(trial):
            return f"{text}: tried, it hangs in no order then"
    return ""


def room_that_cures(story: StoryWriter, seconds: float) -> Iterator[str]:
    """The longer FIFOs with which a hanging design would not hang."""
    system, until = story.model.system, time.thread_time() + seconds
    longest = max((system.capacity(link) for link in range(system.links())), default=0)
    for words in (64, 128, 256, 512, 1024):
        trial = system.copy()
        for link in range(system.links()):
            trial.set_capacity(link, max(words, system.capacity(link)))
        if words > longest and time.thread_time() < until and _goes_on(trial):
            yield f"with {counted(words, 'word')} in each FIFO of its streams it would continue; they hold at most {longest}"
            return


def _goes_on(system: Orders) -> bool:
    """Whether a changed system hangs in no order."""
    system.prepare()
    tried = system.every(_STATES, _STEPS, 0.05, False)
    return bool(tried["complete"] and not tried["hanging"])


def _fifos(story: StoryWriter, seconds: float) -> Iterator[Finding]:
    """The smallest number of words in FIFOs that keeps the design from hanging, if fewer would not."""
    system = story.model.system
    rooms = [system.capacity(link) for link in range(system.links())]

    def at_most(words: int) -> Any:
        trial = system.copy()
        for link, room in enumerate(rooms):
            trial.set_capacity(link, min(room, max(words, 2)))
        return _hang(trial, seconds / 8)

    hang = at_most(0)
    if hang is None:
        return
    low, high = 2, max(rooms)  # `low` words hang
    while high - low > 1:
        middle = (low + high) // 2
        worse = at_most(middle)
        low, high, hang = (low, middle, hang) if worse is None else (middle, high, worse)
    info = story.of_hang(hang)
    text = (
        f"it continues only because each FIFO of its streams holds {counted(high, 'word')}; with "
        f"{counted(low, 'word')} it hangs: {info.head}"
    )
    yield make_finding(
        "margin.fifo", text, info.position, cure=info.cure, story=info.lines, holders=info.holders, tile=info.tile
    )


def _depths(story: StoryWriter, seconds: float) -> Iterator[Finding]:
    """Locks that begin at more than one, and cannot begin at one less."""
    until = time.thread_time() + seconds
    reported = 0
    for lock, init in enumerate(story.model.lock_inits):
        if init < 2 or reported == _MOST or time.thread_time() > until:
            continue
        trial = story.model.system.copy()
        trial.set_init(lock, init - 1)
        hang = _hang(trial, seconds / 16)
        if hang is None:
            continue
        reported += 1
        less = f"with {counted(init - 1, 'object')} the design hangs: {story.of_hang(hang).head}"
        text = f"{story.lock(lock)} begins at {init}; {less}"
        yield make_finding("margin.depth", text, _place_text(story, lock))


def _place_text(story: StoryWriter, lock: int) -> Position:
    result = story.names.design.layout.lock_at(*story.lock_key(lock))
    return position_of(result.op) if result else NOWHERE
