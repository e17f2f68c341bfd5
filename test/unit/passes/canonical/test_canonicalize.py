"""Canonicalization keeps the order of everything that can be told apart, adds none, and finds its fixpoint in one run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from allo_air import asm, dialects
from allo_air.core import walking
from allo_air.core.walking import walk_named
from allo_air.dialects.air_values import ASYNC, dep_count
from allo_air.mlir import ir
from allo_air.passes._ir.tokens import deps_of
from allo_air.passes.canonical.canonicalize import Canonicalize
from bounds import bounded

BUFFERS = 3
KINDS = ("wait_all", "put", "get", "dma", "execute")


@st.composite
def graphs(draw: st.DrawFn) -> list[tuple]:
    """Asynchronous operations in order: kind, dependences (positions before it), buffers, channel."""
    count = draw(st.integers(1, 12))
    return [
        (
            draw(st.sampled_from(KINDS)),
            draw(st.lists(st.integers(0, i - 1), max_size=3)) if i else [],
            draw(st.integers(0, BUFFERS - 1)),
            draw(st.integers(0, BUFFERS - 1)),
            draw(st.integers(0, 1)),
        )
        for i in range(count)
    ]


def text_of(graph: list[tuple], kept: set[int]) -> str:
    lines = ["air.channel @c0 [1, 1]", "air.channel @c1 [1, 1]", "func.func @f() {"]
    lines += [f"%m{i} = memref.alloc() : memref<8xi32>" for i in range(BUFFERS)]
    for i, (kind, deps, a, b, channel) in enumerate(graph):
        waits = f"async [{', '.join(f'%t{d}' for d in deps)}]"
        number = f"{{id = {i} : i32}}"
        lines.append(
            f"%t{i} = "
            + {
                "wait_all": f"air.wait_all {waits} {number}",
                "put": f"air.channel.put {waits} @c{channel}[] (%m{a}[] [] []) {number} : (memref<8xi32>)",
                "get": f"air.channel.get {waits} @c{channel}[] (%m{a}[] [] []) {number} : (memref<8xi32>)",
                "dma": f"air.dma_memcpy_nd {waits} (%m{a}[] [] [], %m{b}[] [] []) {number} : (memref<8xi32>, memref<8xi32>)",
                "execute": f'air.execute {waits[6:]} {{ "test.effect"() : () -> () }} {number}',
            }[kind]
        )
    lines += [f'"test.keep"(%t{i}) : (!air.async.token) -> ()' for i in sorted(kept)]
    return "\n".join([*lines, "return", "}"])


def closure(module) -> tuple[dict[int, set[int]], list[set[int]]]:
    """The numbered operations that each numbered operation, and each "test.keep", waits for.

    Joins, and copies of a buffer onto itself, which become joins, are left out.
    """
    reach: dict[int, set[int]] = {}
    by_token: dict = {}
    for op in walk_named(module, *ASYNC):
        found: set[int] = set()
        for token in deps_of(op):
            found |= by_token[token]
        copies = list(op.operands)[dep_count(op) :] if op.name == "air.dma_memcpy_nd" else []
        joins = op.name == "air.wait_all" or (copies and copies[0] == copies[1])
        number = None if joins else op.attributes["id"].value
        if number is not None:
            reach[number] = found
        by_token[op.results[0]] = found | ({number} if number is not None else set())
    return reach, [by_token[op.operands[0]] for op in walk_named(module, "test.keep")]


def meet(a: tuple, b: tuple) -> bool:
    """Whether the order of two operations can be told apart."""
    if "execute" in (a[0], b[0]) or (a[0] == b[0] != "dma" and a[4] == b[4]):
        return True
    (reads, writes), (other_reads, other_writes) = effects(a), effects(b)
    return bool(writes & (other_reads | other_writes) or reads & other_writes)


def effects(op: tuple) -> tuple[set[int], set[int]]:
    kind, _, a, b, _ = op
    return {"put": ({a}, set()), "get": (set(), {a}), "dma": ({b}, {a})}[kind]


@pytest.fixture(scope="module", autouse=True)
def context():
    with ir.Context() as made, ir.Location.unknown():
        dialects.load(made, ("air",))
        made.allow_unregistered_dialects = True
        yield made


@bounded(33)
@given(graphs(), st.sets(st.integers(0, 11)))
def test_order_is_kept(graph, kept):
    text = text_of(graph, {k for k in kept if k < len(graph)})
    module = asm.read(text)
    before, waited_before = closure(module)
    Canonicalize().run(module)
    asm.verify(module)
    after, waited_after = closure(module)
    assert waited_after == waited_before
    for number, found in after.items():
        assert found <= before[number], "an order was made up"
        assert not any(meet(graph[n], graph[number]) for n in before[number] - found), "an order was lost"
    once = asm.write(module)
    Canonicalize().run(module)
    assert asm.write(module) == once


LIT = Path(__file__).parents[3] / "lit" / "passes"
FILES = [p for name in ("canonical/canonicalize", "schedule/air-dependency-canonicalize") for p in (LIT / name).glob("*.mlir")]


def canonical(text: str) -> str:
    module = asm.read(text)
    Canonicalize().run(module)
    return asm.write(module)


@bounded(33)
@given(graphs(), st.sets(st.integers(0, 11)))
def test_cpp_finds_what_python_does(graph, kept):
    text = text_of(graph, {k for k in kept if k < len(graph)})
    found = canonical(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walking, "_native", None)
        assert found == canonical(text)


@pytest.mark.parametrize("file", FILES, ids=lambda p: p.stem)
def test_cpp_finds_what_python_does_in_files(file, monkeypatch):
    texts = [text for text in file.read_text().split("// -----\n") if "@" in text]
    for text in texts:
        with monkeypatch.context() as patch:
            patch.setattr(walking, "_native", None)
            wanted = canonical(text)
        assert canonical(text) == wanted


def test_a_long_chain_of_joins_is_linear():
    lines = ["air.channel @c [1, 1]", "func.func @f(%m: memref<8xi32>) {", "%w0 = air.wait_all async"]
    for i in range(1, 1500):
        lines.append(f"%p{i} = air.channel.put async [%w{i - 1}] @c[] (%m[] [] []) : (memref<8xi32>)")
        lines.append(f"%w{i} = air.wait_all async [%w{i - 1}, %p{i}]")
    module = asm.read("\n".join([*lines, "air.wait_all [%w1499]", "return", "}"]))
    Canonicalize().run(module)
    text = asm.write(module)
    assert len(re.findall("air.wait_all", text)) == 1
    assert "air.wait_all [%1498]" in text
    assert max(map(len, text.splitlines())) < 100


@pytest.mark.parametrize(
    "options",
    [
        "",
        "top-down=false",
        "region-simplify=aggressive",
        "max-iterations=3 test-convergence=true",
        "disable-patterns=a,b",
        "max-num-rewrites=7 cse-between-iterations=true filter-dialects=air",
    ],
)
def test_options_reach_upstream(options):
    made = Canonicalize.parse(options)
    assert Canonicalize.parse(str(made).removeprefix("canonicalize").strip("{}")) == made
    made.run(asm.read("func.func @f() { return }"))


def test_runs_on_a_function():
    module = asm.read("func.func @f(%t: !air.async.token) {\n%0 = air.wait_all async [%t]\nair.wait_all [%0]\nreturn\n}")
    Canonicalize().run(module.regions[0].blocks[0].operations[0])
    assert "async [" not in asm.write(module)
