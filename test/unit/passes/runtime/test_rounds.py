"""Loops of which rounds are kept, against the same ones as pieces of their own."""

import random
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from allo_air.access.linear import Linear
from allo_air.passes.runtime import _fold
from allo_air.passes.runtime._chains import chained
from allo_air.passes.runtime._fold import parts
from allo_air.passes.runtime._program import Loop, Node, Transfer
from allo_air.passes.runtime._rounds import Rounds, one_by_one

SHAPES = (((4, 1),), ((2, 8), (4, 1)))


def _body(chosen: random.Random, symbols: tuple[str, ...], depth: int) -> tuple[Node, ...]:
    return tuple(_node(chosen, symbols, depth) for _ in range(chosen.choice((1, 1, 2, 2, 3, 5))))


def _node(chosen: random.Random, symbols: tuple[str, ...], depth: int) -> Node:
    if depth and chosen.random() < 0.6:
        symbol = f"i{len(symbols)}"
        return Loop(chosen.choice((1, 2, 5, 6)), symbol, _body(chosen, (*symbols, symbol), depth - 1))
    terms: Any = tuple((s, chosen.choice((1, 4, 8, 20, -4))) for s in symbols if chosen.random() < 0.7)
    offset = Linear(chosen.choice((0, 0, 16, 400)), terms)
    return Transfer(SimpleNamespace(), "c", chosen.choice((0, 0, 1)), offset, chosen.choice(SHAPES))


def _of(symbol: Any, step: int) -> Linear:
    return Linear(0, ((symbol, step),))


def _shown(nodes: Sequence[Node]) -> tuple[list[object], list[object]]:
    found = parts(nodes, "c")
    pieces = [(p.offset, p.dims, p.argument, p.start, p.end) for p in one_by_one(found)]
    turns = [(len(t.first), t.rounds, t.steps, t.first[0].start, t.first[0].offset) for t in chained(found)]
    return [*pieces], [*turns]


@pytest.mark.parametrize("seed", range(100))
def test_rounds_that_are_kept_are_the_pieces_of_a_loop(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    nodes = _body(random.Random(seed), (), 2)
    kept = _shown(nodes)
    monkeypatch.setattr(_fold, "_SOME", 1 << 20)
    assert kept == _shown(nodes)


def test_many_loops_keep_rounds() -> None:
    found = [part for seed in range(100) for part in parts(_body(random.Random(seed), (), 2), "c")]
    assert sum(isinstance(part, Rounds) for part in found) > 10


def test_a_loop_of_several_pieces_is_kept() -> None:
    """12,125 tiles of a product of 20,000^3 with an accumulator took 10 seconds as pieces of their own."""
    a = Transfer(SimpleNamespace(), "c", 0, _of("m", 8), SHAPES[0])
    b = Transfer(SimpleNamespace(), "c", 1, _of("n", 4), SHAPES[1])
    found = parts([Loop(97, "m", (Loop(125, "n", (a, b)),))], "c")
    assert [(type(part), part.rounds) for part in found if isinstance(part, Rounds)] == [(Rounds, 125)] * 97
