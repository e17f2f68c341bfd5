"""Assigns expected arrays to results: the only result, one array for each in order, or by name or number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from allo_air.errors import AlloAirError, UnknownNameError, counted
from allo_air.program.host.signature import Argument

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Result:
    """Argument `number`, which the run wrote. `names` are the names that users may use, the first one in messages."""

    number: int
    names: tuple[str, ...]
    array: Any


def results_of(arguments: Sequence[Argument], arrays: Sequence[np.ndarray]) -> tuple[list[Result], list[Result]]:
    """All arguments with their arrays after a run, and those of them that were written."""
    all_results = [
        Result(n, (*filter(None, [a.source_name]), a.name), array)
        for n, (a, array) in enumerate(zip(arguments, arrays, strict=False))
    ]
    return all_results, [r for r in all_results if arguments[r.number].role != "in"]


def pairs_with_expected(expect: object, arguments: Sequence[Result], results: Sequence[Result]) -> list[tuple[Result, Any]]:
    """Pairs each result in `expect` with its expected array; raises AlloAirError if that is ambiguous.

    `expect` is an array for the only result, a list with an array (or None) for each result in order, or a dictionary by name
    or number. `arguments` are all arguments that may be named, `results` those that were written.
    """
    if isinstance(expect, Mapping):
        return [(_called(key, arguments), array) for key, array in expect.items()]
    if isinstance(expect, list | tuple):
        if len(expect) > len(results):
            raise AlloAirError(f"expect has {counted(len(expect), 'array')}, and there {_available_names(results)}")
        return [(result, array) for result, array in zip(results, expect, strict=False) if array is not None]
    if len(results) != 1:
        raise AlloAirError(f"one array is expected, and there {_available_names(results)}; name the one that is meant")
    return [(results[0], expect)]


def _called(key: int | str, arguments: Sequence[Result]) -> Result:
    if isinstance(key, int) and not isinstance(key, bool):
        key = str(key)
    results = [a for a in arguments if key in a.names or str(key).lstrip("%") in a.names or key == str(a.number)]
    if not results:
        names = [name for a in arguments for name in a.names] + [str(a.number) for a in arguments]
        raise UnknownNameError(
            "result", str(key), names, f"there {_available_names(arguments)}, by number {_numbers(arguments)}"
        )
    return results[0]


def _available_names(results: Sequence[Result]) -> str:
    if not results:
        return "is no result: the run writes none of its arguments"
    names = ", ".join(r.names[0] for r in results)
    return f"{'is' if len(results) == 1 else 'are'} {len(results)} ({names})"


def _numbers(arguments: Sequence[Result]) -> str:
    return ", ".join(str(a.number) for a in arguments)
