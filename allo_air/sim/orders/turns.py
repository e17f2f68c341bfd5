"""Lists the executions of a chain of BDs, each with the address that its iteration has reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Fields = Mapping[str, int]

_MOST = 4096
"""Maximum number of executions after which a chain must have returned to its start."""


@dataclass(frozen=True)
class Executions:
    """The executions of a task: BD numbers with their fields.

    After the last one, execution number `back` follows; if that is None, the whole list is repeated `repeat` times. `turns` are
    the iterations of the BDs afterwards.
    """

    bds: list[tuple[int, Fields]]
    back: int | None
    repeat: int
    turns: Mapping[int, int]


def executions(chain: Sequence[tuple[int, Fields]], repeat: int) -> Executions | None:
    """The execution of a task that executes `chain`, and repeats it `repeat` times; None if its iterations coincide too
    late.
    """
    last = chain[-1][1]
    back = [number for number, _ in chain].index(last["next_bd"]) if last["use_next"] else None
    counts = {number: fields["iteration_current"] for number, fields in chain if fields.get("iteration_wrap")}
    if not counts:
        return Executions(list(chain), back, repeat, {})
    results: list[tuple[int, Fields]] = []
    visited: dict[tuple[int, ...], int] = {}
    index, remaining = 0, repeat
    while len(results) < _MOST:
        state = (index, *counts.values())
        if back is not None and state in visited:
            return Executions(results, visited[state], repeat, counts)
        visited[state] = len(results)
        number, fields = chain[index]
        results.append((number, _after_steps(fields, counts.get(number, 0))))
        if number in counts:
            counts[number] = (counts[number] + 1) % (fields["iteration_wrap"] + 1)
        index += 1
        if index == len(chain) and back is not None:
            index = back
        elif index == len(chain):
            if not remaining:
                return Executions(results, None, 0, counts)
            index, remaining = 0, remaining - 1
    return None


def _after_steps(fields: Fields, turn: int) -> Fields:
    """The fields of a BD after `turn` steps of its iteration."""
    if not fields.get("iteration_wrap"):
        return fields
    return {**fields, "base": fields["base"] + turn * (fields["iteration_step"] + 1), "iteration_wrap": 0}
