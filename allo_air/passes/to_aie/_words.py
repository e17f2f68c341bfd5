"""Endless repetitions: the shortest word that, said over and over, is what a nest of loops says."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from math import lcm
from typing import TYPE_CHECKING, Any

from allo_air.errors import counted

if TYPE_CHECKING:
    from allo_air.passes.to_aie._design import Transfer

LIMIT = 4096
"""Items that loops may expand to where they do not repeat one word."""


@dataclass(frozen=True)
class Loop:
    """`body`, `count` times; None: a number that only the running program knows."""

    count: int | None
    body: tuple[Any, ...]


class TooLong(ValueError):
    """A repetition has more than LIMIT items, or an unknown number of them."""


def items(tree: tuple[object, ...]) -> Iterator[Any]:
    """The items of `tree` in order, each once."""
    for node in tree:
        if isinstance(node, Loop):
            yield from items(node.body)
        else:
            yield node


def pick(tree: tuple[object, ...], is_selected: Callable[[Any], bool]) -> tuple[Any, ...]:
    """`tree` with only the items that are `is_selected`; loops left empty go."""
    selected: list[Any] = []
    for node in tree:
        if not isinstance(node, Loop):
            selected += [node] * is_selected(node)
        elif node.count != 0 and (body := pick(node.body, is_selected)):
            selected.append(Loop(node.count, body))
    return tuple(selected)


def root(tree: tuple[object, ...], key: Callable[[Transfer], Hashable]) -> tuple[Any, ...]:
    """The shortest word w with w w w ... = tree tree tree ..., items being equal that have equal keys; TooLong."""
    return _power(tree, key)[0]


def primitive(word: tuple[object, ...], key: Callable[[Any], Hashable]) -> tuple[Any, ...]:
    """The shortest word that `word` is a power of."""
    keys = [key(item) for item in word]
    length = len(keys)
    for period in range(1, length // 2 + 1):
        if length % period == 0 and keys == keys[:period] * (length // period):
            return word[:period]
    return word


def common(a: int, b: int) -> tuple[int, int]:
    """The repetitions of words of `a` and of `b` items after which both have the same length."""
    both = lcm(a, b)
    return both // a, both // b


def _power(tree: tuple[object, ...], key: Callable[[Transfer], Hashable]) -> tuple[tuple[Any, ...], int | None]:
    """(word, exponent) of `tree`; the exponent is None where it is not known."""
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
        raise TooLong(f"what repeats has {counted(len(a) * m + len(b) * n, 'transfer')}")
    both = a * m + b * n
    shortest = primitive(both, key)
    return shortest, len(both) // len(shortest)
