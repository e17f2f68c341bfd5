"""Finds the period of an endlessly repeated loop nest: the shortest sequence of items whose repetition equals it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from math import lcm
from typing import TYPE_CHECKING, Any

from allo_air.errors import counted

if TYPE_CHECKING:
    from allo_air.passes.to_aie._design import Transfer

LIMIT = 4096
"""Largest number of items to which loops may expand if they have no shorter period."""


@dataclass(frozen=True)
class Loop:
    """`body` repeated `count` times; None is a number known only at run time."""

    count: int | None
    body: tuple[Any, ...]


class TooLong(ValueError):
    """Raised if a period has more than LIMIT items, or an unknown number of them."""


def items(tree: tuple[object, ...]) -> Iterator[Any]:
    """The items of `tree` in order, each once."""
    for node in tree:
        if isinstance(node, Loop):
            yield from items(node.body)
        else:
            yield node


def pick(tree: tuple[object, ...], is_selected: Callable[[Any], bool]) -> tuple[Any, ...]:
    """`tree` with only the items that are `is_selected`, without empty loops."""
    selected: list[Any] = []
    for node in tree:
        if not isinstance(node, Loop):
            selected += [node] * is_selected(node)
        elif node.count != 0 and (body := pick(node.body, is_selected)):
            selected.append(Loop(node.count, body))
    return tuple(selected)


def period_of(tree: tuple[object, ...], key: Callable[[Transfer], Hashable]) -> tuple[Any, ...]:
    """The shortest sequence w with w w w ... = tree tree tree ...; items are equal if their keys are. Raises TooLong."""
    return _power(tree, key)[0]


def shortest_period(word: tuple[object, ...], key: Callable[[Any], Hashable]) -> tuple[Any, ...]:
    """The shortest sequence whose repetition is `word`."""
    keys = [key(item) for item in word]
    length = len(keys)
    for period in range(1, length // 2 + 1):
        if length % period == 0 and keys == keys[:period] * (length // period):
            return word[:period]
    return word


def common(a: int, b: int) -> tuple[int, int]:
    """The numbers of repetitions of sequences with `a` and `b` items after which both have the same length."""
    both = lcm(a, b)
    return both // a, both // b


def _power(tree: tuple[object, ...], key: Callable[[Transfer], Hashable]) -> tuple[tuple[Any, ...], int | None]:
    """The period of `tree` and its number of repetitions, None if unknown."""
    word: tuple[Any, ...] = ()
    exponent: int | None = 1
    for node in tree:
        part, times = _power(node.body, key) if isinstance(node, Loop) else ((node,), 1)
        if isinstance(node, Loop):
            times = None if times is None or node.count is None else times * node.count
        if not part or times == 0:
            continue
        if not word:
            word, exponent = part, times
        elif [key(i) for i in word] == [key(i) for i in part]:
            exponent = None if exponent is None or times is None else exponent + times
        else:
            word, exponent = _joined(word, exponent, part, times, key)
    return word, exponent


def _joined(
    a: tuple[Transfer, ...], m: int | None, b: tuple[Transfer, ...], n: int | None, key: Callable[[Transfer], Hashable]
) -> tuple[tuple[Any, ...], int]:
    if m is None or n is None:
        raise TooLong("a loop with an unknown number of iterations is next to other transfers")
    if len(a) * m + len(b) * n > LIMIT:
        raise TooLong(f"the period has {counted(len(a) * m + len(b) * n, 'transfer')}")
    both = a * m + b * n
    shortest = shortest_period(both, key)
    return shortest, len(both) // len(shortest)
