"""All orders of a drawn design, one step after another, without any shortcut: whether it hangs in none, some or all of them."""

from __future__ import annotations

from typing import Any

from .drawn import Drawn

State = tuple[Any, ...]


class TooMany(Exception):
    """The design has more states than are looked at."""


class System:
    """The steps of a drawn design whose streams hold `room` words each."""

    def __init__(self, drawn: Drawn, room: int) -> None:
        self.drawn, self.room = drawn, room
        self.names = list(drawn.locks)
        self.tiles = list(drawn.cores)
        self.stream_of = {end: n for n, ends in enumerate(drawn.streams) for end in ends}

    def start(self) -> State:
        """Locks, channels (BD and words left, -1: not begun), words in streams, places of cores and of the sequence."""
        channels = tuple((0, -1) if c.bds else (0, 0) for c in self.drawn.channels)
        locks = tuple(init for _, init in self.drawn.locks.values())
        return locks, channels, (0,) * len(self.drawn.streams), (0,) * len(self.tiles), 0

    def after(self, state: State) -> list[State]:
        """The states that one step of somebody leads to."""
        found = [self._core(state, n) for n in range(len(self.tiles))]
        found += [self._channel(state, n) for n in range(len(self.drawn.channels))]
        return [s for s in [*found, self._sequence(state)] if s is not None]

    def _core(self, state: State, number: int) -> State | None:
        locks, channels, streams, cores, sequence = state
        code = self.drawn.cores[self.tiles[number]]
        if not code:
            return None
        kind, name, amount = code[cores[number]]
        changed = self._locked(locks, name, -amount if kind == "acquire" else amount)
        if changed is None:
            return None
        at = (cores[number] + 1) % len(code)
        return changed, channels, streams, (*cores[:number], at, *cores[number + 1 :]), sequence

    def _locked(self, locks: Any, name: str, amount: int) -> Any:
        n = self.names.index(name)
        value = locks[n] + amount
        return None if value < 0 else (*locks[:n], min(value, 63), *locks[n + 1 :])

    def _channel(self, state: State, number: int) -> State | None:
        locks, channels, streams, cores, sequence = state
        channel, (at, left) = self.drawn.channels[number], channels[number]

        def put(new: tuple[int, int], locks: Any, streams: Any) -> State:
            return locks, (*channels[:number], new, *channels[number + 1 :]), streams, cores, sequence

        if channel.bds and left < 0:
            bd = channel.bds[at]
            taken = self._locked(locks, bd.take, -bd.taken) if bd.take else locks
            return None if taken is None else put((at, bd.words), taken, streams)
        if left == 0:
            return None
        n = self.stream_of[number]
        words = min(left, self.room - streams[n] if channel.sends else streams[n])
        if words <= 0:
            return None
        streams = (*streams[:n], streams[n] + (words if channel.sends else -words), *streams[n + 1 :])
        if left > words or not channel.bds:
            return put((at, left - words), locks, streams)
        bd = channel.bds[at]
        given = self._locked(locks, bd.give, bd.given) if bd.give else locks
        return put(((at + 1) % len(channel.bds), -1), given, streams)

    def _sequence(self, state: State) -> State | None:
        locks, channels, streams, cores, sequence = state
        if sequence == len(self.drawn.sequence):
            return None
        kind, n = self.drawn.sequence[sequence]
        if kind == "wait" and channels[n][1] != 0:
            return None
        if kind == "start":
            channels = (*channels[:n], (0, self.drawn.channels[n].words), *channels[n + 1 :])
        return locks, channels, streams, cores, sequence + 1


def hangs(drawn: Drawn, room: int, most: int = 60_000) -> str:
    """`never`, `sometimes` or `always`; TooMany where there are more than `most` states."""
    system = System(drawn, room)
    first = system.start()
    todo, seen = [first], {first}
    stuck = ended = False
    last = len(drawn.sequence)
    while todo:
        state = todo.pop()
        if state[-1] == last:
            ended = True
            continue
        following = system.after(state)
        stuck = stuck or not following
        for new in following:
            if new not in seen:
                seen.add(new)
                todo.append(new)
        if len(seen) > most:
            raise TooMany
    return "never" if not stuck else "sometimes" if ended else "always"
