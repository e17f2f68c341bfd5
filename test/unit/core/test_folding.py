"""Folding against MLIR's own: random operations of every width on random numbers, the edges of each width more often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from allo_air import asm, interp
from allo_air.core.affine import compiled, compiled_set
from allo_air.core.contexts import reused_context
from allo_air.core.folding import fold, number_of
from allo_air.core.integers import INDEX_WIDTH, Undefined, wrap
from allo_air.interp.errors import RunError
from allo_air.mlir import PassManager, ir
from bounds import bounded

WIDTHS = (1, 2, 5, 8, 16, 32, 33, 64, 100)
BINARY = (
    *("addi", "subi", "muli", "andi", "ori", "xori", "shli", "shrsi", "shrui", "divsi", "divui", "floordivsi", "ceildivsi"),
    *("ceildivui", "remsi", "remui", "minsi", "minui", "maxsi", "maxui"),
)
EXTENDED = ("addui_extended", "mulsi_extended", "mului_extended")
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def name_of(width: int) -> str:
    return "index" if width == 0 else f"i{width}"


def numbers(width: int) -> st.SearchStrategy[int]:
    """Numbers of a type, 0: an index."""
    bits = width or INDEX_WIDTH
    half = 1 << bits - 1
    edges = {wrap(n, bits) for n in (0, 1, -1, 2, -2, half, half - 1, half + 1, 7, -7, bits, bits - 1, 264)}
    return st.sampled_from(sorted(edges)) | st.integers(0, (1 << bits) - 1).map(lambda n: wrap(n, bits))


def constant(name: str, number: int, type_: str) -> str:
    if type_ == "i1":
        return f"{name} = arith.constant {'true' if number else 'false'}"
    return f"{name} = arith.constant {number} : {type_}"


@dataclass(frozen=True)
class Case:
    """An operation on constants: its text with `{}` for the operands, and its results' types."""

    text: str
    types: tuple[str, ...]
    operands: tuple[tuple[int, str], ...]


@st.composite
def cases(draw: Any) -> Case:
    width = draw(st.sampled_from((0, *WIDTHS)))
    type_, number = name_of(width), numbers(width)
    kind = draw(st.sampled_from(("binary", "binary", "cmpi", "select", "cast", "extended", "affine")))
    if kind == "binary":
        return Case(f"arith.{draw(st.sampled_from(BINARY))} {{}}, {{}} : {type_}", (type_,), _pair(draw, number, type_))
    if kind == "cmpi":
        predicate = draw(st.sampled_from(PREDICATES))
        return Case(f"arith.cmpi {predicate}, {{}}, {{}} : {type_}", ("i1",), _pair(draw, number, type_))
    if kind == "select":
        chosen = (draw(numbers(1)), "i1")
        return Case(f"arith.select {{}}, {{}}, {{}} : {type_}", (type_,), (chosen, *_pair(draw, number, type_)))
    if kind == "extended":
        type_ = "i32" if type_ == "index" else type_
        name = draw(st.sampled_from(EXTENDED))
        second = "i1" if name == "addui_extended" else type_
        text = f"arith.{name} {{}}, {{}} : {type_}" + (", i1" if name == "addui_extended" else "")
        return Case(text, (type_, second), _pair(draw, numbers(int(type_[1:])), type_))
    if kind == "cast":
        return _cast(draw, width)
    return _affine(draw)


def _pair(draw: Any, number: st.SearchStrategy[int], type_: str) -> tuple[tuple[int, str], ...]:
    return tuple((draw(number), type_) for _ in range(2))


def _cast(draw: Any, width: int) -> Case:
    other = draw(st.sampled_from(WIDTHS))
    if width == 0:
        name = draw(st.sampled_from(("index_cast", "index_castui")))
        pair = draw(st.sampled_from(((0, other), (other, 0))))
    elif other == width:
        name, pair = "bitcast", (width, width)
    else:
        name = "trunci" if other < width else draw(st.sampled_from(("extsi", "extui")))
        pair = (width, other)
    source, target = map(name_of, pair)
    return Case(f"arith.{name} {{}} : {source} to {target}", (target,), ((draw(numbers(pair[0])), source),))


EXPRESSIONS = st.recursive(
    st.sampled_from(("d0", "d1", "s0")) | st.integers(-9, 9).map(lambda n: f"({n})"),
    lambda inner: (
        st.tuples(inner, st.sampled_from(("+", "-")), inner)
        | st.tuples(inner, st.sampled_from(("*", "floordiv", "ceildiv", "mod")), st.integers(1, 9))
    ).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
    max_leaves=6,
)


def _affine(draw: Any) -> Case:
    name = draw(st.sampled_from(("apply", "min", "max")))
    results = [draw(EXPRESSIONS) for _ in range(1 if name == "apply" else draw(st.integers(1, 3)))]
    values = tuple((draw(st.integers(-100, 100)), "index") for _ in range(3))
    return Case(f"affine.{name} affine_map<(d0, d1)[s0] -> ({', '.join(results)})>({{}}, {{}})[{{}}]", ("index",), values)


def program(given: list[Case]) -> str:
    """A function for each case that returns its results."""
    functions = []
    for n, case in enumerate(given):
        lines = [constant(f"%x{i}", number, type_) for i, (number, type_) in enumerate(case.operands)]
        results = [f"%r#{i}" for i in range(len(case.types))] if len(case.types) > 1 else ["%r"]
        left = f"%r:{len(case.types)}" if len(case.types) > 1 else "%r"
        lines.append(f"{left} = {case.text.format(*(f'%x{i}' for i in range(len(case.operands))))}")
        lines.append(f"return {', '.join(results)} : {', '.join(case.types)}")
        functions.append(f"func.func @f{n}() -> ({', '.join(case.types)}) {{\n" + "\n".join(lines) + "\n}")
    return "\n".join(functions)


def returned(module: Any) -> list[list[int | None]]:
    """What each function returns, as far as constants say so."""
    lasts = [function.regions[0].blocks[0].operations[-1] for function in module.body.operations]
    return [[number_of(v) if v.owner.name == "arith.constant" else None for v in last.operands] for last in lasts]


def undefined(case: Case) -> bool:
    """Whether an operation gives poison or may do anything: by arith's documentation."""
    name = case.text.split()[0].removeprefix("arith.")
    values, bits = [number for number, _ in case.operands], 64 if case.types == ("index",) else int(case.types[0][1:])
    if name.startswith("sh"):
        return values[1] % (1 << bits) >= bits
    if "div" not in name and "rem" not in name:
        return False
    least, minus_one = (1, 1) if bits == 1 else (-(1 << bits - 1), -1)
    overflows = name in ("divsi", "floordivsi", "ceildivsi") and values == [least, minus_one]
    return values[1] == 0 or overflows


@bounded(15)
@given(st.lists(cases(), min_size=20, max_size=60))
def test_what_is_defined_folds_as_mlir_folds_it(given: list[Case]) -> None:
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse(program(given))
        ours = [fold(f.regions[0].blocks[0].operations[-2].operation, number_of) for f in module.body.operations]
        PassManager.parse("builtin.module(canonicalize)").run(module.operation)
        for case, mine, theirs in zip(given, ours, returned(module), strict=True):
            assert (mine is None) == undefined(case), case
            if mine is not None and None not in theirs:  # MLIR gives up where its own intermediate results overflow
                assert list(mine) == theirs, case


@bounded(15)
@given(cases())
def test_the_interpreter_computes_what_folds(case: Case) -> None:
    with reused_context():
        module = asm.read(program([case]))
        function = module.regions[0].blocks[0].operations[0]
        mine = fold(function.regions[0].blocks[0].operations[-2].operation, number_of)
        if mine is None:
            with pytest.raises(RunError):
                interp.run(module, [])
        else:
            assert [int(n) for n in interp.run(module, [])] == list(mine)


def test_integer_sets_are_tested_on_numbers() -> None:
    with ir.Context():
        inside = compiled_set(ir.Attribute.parse("affine_set<(d0)[s0, s1] : (d0 - s0 == 0, s1 - d0 * 2 >= 0)>"))
        assert inside([1, 1, 2]) and not inside([1, 1, 1]) and not inside([2, 1, 9])
        assert compiled_set(ir.Attribute.parse("affine_set<() : (0 == 0)>"))([])


def test_an_affine_division_wants_a_positive_divisor() -> None:
    with ir.Context():
        divide = compiled(ir.Attribute.parse("affine_map<()[s0, s1] -> (s0 floordiv s1, s0 mod s1, s0 ceildiv s1)>").value)
        assert divide([-7, 2]) == [-4, 1, -3]
        with pytest.raises(Undefined, match="divides by 0"):
            divide([1, 0])
