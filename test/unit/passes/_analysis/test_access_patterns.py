"""The folded access pattern of a chain of views walks the addresses that the chain walks, in the same order."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from allo_air import dialects
from allo_air.access.pattern import Lists
from allo_air.mlir import ir
from allo_air.passes._analysis.access import whole_of
from allo_air.passes._analysis.alias import root_of
from allo_air.passes._analysis.views import patterns_of
from bounds import bounded


def row_major(shape) -> list[int]:
    return [int(np.prod(shape[i + 1 :])) for i in range(len(shape))]


@dataclass
class Chain:
    """MLIR text of a chain of views, and beside it the same views of an array that holds its own addresses."""

    array: np.ndarray
    strides: list[int]
    offset: int | None = 0  # None: dynamic
    lines: list[str] = field(default_factory=list)
    dynamic: list[int] = field(default_factory=list)  # values of %d0, %d1, ...
    base_type: str = ""
    is_identity: bool = True  # reshapes keep an identity layout, all other views make a strided one

    @property
    def type(self) -> str:
        shape = "".join(f"{n}x" for n in self.array.shape)
        layout = f"strided<[{', '.join(map(str, self.strides))}], offset: {'?' if self.offset is None else self.offset}>"
        return f"memref<{shape}f32>" if self.is_identity else f"memref<{shape}f32, {layout}>"

    @property
    def name(self) -> str:
        return f"%v{len(self.lines)}"

    def add(self, op: str, array: np.ndarray, strides: list[int], offset: int | None) -> None:
        before, source = self.type, self.name
        self.lines.append("")
        reshapes = "shape" in op.split()[0]
        self.is_identity = reshapes and (self.is_identity or (self.strides, self.offset) == ([1], 0))
        self.array, self.strides, self.offset = array, strides, offset
        joint = "into" if reshapes else "to"
        self.lines[-1] = f"{self.name} = memref.{op.format(source)} : {before} {joint} {self.type}"

    def index(self, number: int, is_dynamic: bool) -> str:
        if not is_dynamic:
            return str(number)
        self.dynamic.append(number)
        return f"%d{len(self.dynamic) - 1}"

    def text(self) -> str:
        args = "".join(f", %d{i}: index" for i in range(len(self.dynamic)))
        body = "\n".join(self.lines)
        return f'func.func @f(%v0: {self.base_type}{args}) {{\n{body}\n"test.use"({self.name}) : ({self.type}) -> ()\nreturn }}'


def _subview(draw: st.DrawFn, c: Chain) -> None:
    offsets, sizes, steps, texts = [], [], [], []
    offset = c.offset
    for n, stride in zip(c.array.shape, c.strides, strict=True):
        step = draw(st.sampled_from([1, 1, 1, 2, 3]))
        start = draw(st.integers(0, n - 1))
        size = draw(st.integers(1, (n - 1 - start) // step + 1))
        is_dynamic = draw(st.booleans())
        offsets.append(start)
        sizes.append(size)
        steps.append(step)
        texts.append(c.index(start, is_dynamic))
        offset = None if is_dynamic or offset is None else offset + start * stride
    view = c.array[tuple(slice(o, o + (n - 1) * s + 1, s) for o, n, s in zip(offsets, sizes, steps, strict=True))]
    strides = [s * t for s, t in zip(c.strides, steps, strict=True)]
    if draw(st.booleans()):
        kept = [i for i, n in enumerate(sizes) if n != 1]
        view, strides = view.reshape([sizes[i] for i in kept]), [strides[i] for i in kept]
    c.add(f"subview {{}}[{', '.join(texts)}] {sizes} {steps}", view, strides, offset)


def _transpose(draw: st.DrawFn, c: Chain) -> None:
    order = draw(st.permutations(range(c.array.ndim)))
    names = [f"e{i}" for i in range(c.array.ndim)]
    text = f"transpose {{}} ({', '.join(names)}) -> ({', '.join(names[i] for i in order)})"
    c.add(text, c.array.transpose(order), [c.strides[i] for i in order], c.offset)


def _expand(draw: st.DrawFn, c: Chain) -> None:
    shape, strides, groups = [], [], []
    for n, s in zip(c.array.shape, c.strides, strict=True):
        inner = draw(st.sampled_from([d for d in range(1, n + 1) if n % d == 0]))
        groups.append([len(shape), len(shape) + 1])
        shape += [n // inner, inner]
        strides += [s * inner, s]
    c.add(f"expand_shape {{}} {groups} output_shape {shape}", c.array.reshape(shape), strides, c.offset)


def _collapse(draw: st.DrawFn, c: Chain) -> None:
    groups = [[0]]
    for i in range(1, c.array.ndim):
        dense = c.strides[i - 1] == c.strides[i] * c.array.shape[i]
        if dense and draw(st.booleans()):
            groups[-1].append(i)
        else:
            groups.append([i])
    shape = [int(np.prod([c.array.shape[i] for i in g])) for g in groups]
    c.add(f"collapse_shape {{}} {groups}", c.array.reshape(shape), [c.strides[g[-1]] for g in groups], c.offset)


def _reinterpret(draw: st.DrawFn, c: Chain) -> None:
    offset = draw(st.integers(0, 5))
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    strides = draw(st.lists(st.integers(1, 7), min_size=len(sizes), max_size=len(sizes)))
    is_dynamic = draw(st.booleans())
    walked = np.full(sizes, offset)
    for axis, (n, s) in enumerate(zip(sizes, strides, strict=True)):
        walked = walked + (np.arange(n) * s).reshape([-1 if i == axis else 1 for i in range(len(sizes))])
    text = f"reinterpret_cast {{}} to offset: [{c.index(offset, is_dynamic)}], sizes: {sizes}, strides: {strides}"
    c.add(text, walked, strides, None if is_dynamic else offset)


def _cast(draw: st.DrawFn, c: Chain) -> None:
    c.add("cast {}", c.array, c.strides, None if draw(st.booleans()) else c.offset)


@st.composite
def chains(draw: st.DrawFn) -> Chain:
    shape = draw(st.lists(st.integers(1, 6), min_size=1, max_size=3))
    c = Chain(np.arange(int(np.prod(shape))).reshape(shape), row_major(shape))
    c.base_type = c.type
    steps = [_subview, _transpose, _expand, _collapse, _reinterpret, _cast, _subview]
    for step in draw(st.lists(st.sampled_from(steps), min_size=1, max_size=5)):
        if not 0 < c.array.ndim <= 6:
            break
        step(draw, c)
    return c


def _fold(c: Chain):
    module = ir.Module.parse(c.text())
    block = module.body.operations[0].regions[0].blocks[0]
    used = block.operations[len(c.lines)].operands[0]
    values = dict(zip(list(block.arguments)[1:], c.dynamic, strict=True))
    return module, block.arguments[0], used, values


@pytest.fixture(scope="module", autouse=True)
def context():
    with ir.Context() as made, ir.Location.unknown():
        dialects.load(made, ("air",))
        made.allow_unregistered_dialects = True
        yield made


@bounded(100)
@given(chains())
def test_folded_chain_walks_the_same_addresses(c):
    _module, base, used, values = _fold(c)
    first = next(patterns_of(used))
    settled = first.resolved()
    assert settled is not None and not settled.start
    assert settled.base == base == root_of(used)
    np.testing.assert_array_equal(first.addresses(values), c.array.ravel())
    np.testing.assert_array_equal(settled.addresses(values), c.array.ravel())


@bounded(50)
@given(chains(), st.lists(st.tuples(st.integers(0, 4), st.integers(1, 3), st.integers(0, 70)), min_size=1, max_size=4))
def test_lists_on_a_view_count_from_its_first_element(c, dims):
    _module, _, used, values = _fold(c)
    lists = Lists(*(tuple(map(_linear, part)) for part in zip(*dims, strict=True)))
    settled = next(patterns_of(used)).with_lists(lists).resolved()
    own = sum(np.ix_(*[(o + np.arange(n)) * s for o, n, s in dims]), start=np.int64(0))
    np.testing.assert_array_equal(settled.addresses(values), c.array.flat[0] + np.ravel(own))


@bounded(50)
@given(chains())
def test_what_covers_a_buffer_walks_it_in_its_order(c):
    _module, base, used, values = _fold(c)
    settled = next(patterns_of(used)).resolved()
    walked = settled.addresses(values)
    same = np.array_equal(walked, whole_of(base).addresses())
    assert same or not settled.covers(whole_of(base))
    assert settled.covers(whole_of(base)) or not same or c.dynamic


def _linear(number):
    from allo_air.access.linear import Linear

    return Linear(number)


@pytest.mark.parametrize(
    ("view", "of"),
    [
        ("memref.memory_space_cast %m : memref<4x8xf32> to memref<4x8xf32, 1>", "memref<4x8xf32, 1>"),
        ("memref.cast %m : memref<4x8xf32> to memref<*xf32>", "memref<*xf32>"),
    ],
)
def test_no_pattern_through(view, of):
    module = ir.Module.parse(f'func.func @f(%m: memref<4x8xf32>) {{ %v = {view}\n "test.use"(%v) : ({of}) -> () return }}')
    use = module.body.operations[0].regions[0].blocks[0].operations[1]
    assert all(p.resolved() is None for p in patterns_of(use.operands[0]))


def test_reinterpret_cast_drops_the_offset_of_the_view_below():
    text = """func.func @f(%m: memref<64xf32>) {
      %s = memref.subview %m[16] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: 16>>
      %r = memref.reinterpret_cast %s to offset: [3], sizes: [4], strides: [2]
        : memref<16xf32, strided<[1], offset: 16>> to memref<4xf32, strided<[2], offset: 3>>
      "test.use"(%r) : (memref<4xf32, strided<[2], offset: 3>>) -> () return }"""
    module = ir.Module.parse(text)
    use = module.body.operations[0].regions[0].blocks[0].operations[2]
    assert next(patterns_of(use.operands[0])).resolved().addresses().tolist() == [3, 5, 7, 9]


def test_reinterpret_cast_of_a_view_argument_stays():
    text = """func.func @f(%m: memref<64xf32, strided<[1], offset: ?>>) {
      %r = memref.reinterpret_cast %m to offset: [3], sizes: [4], strides: [2]
        : memref<64xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[2], offset: 3>>
      "test.use"(%r) : (memref<4xf32, strided<[2], offset: 3>>) -> () return }"""
    module = ir.Module.parse(text)
    use = module.body.operations[0].regions[0].blocks[0].operations[1]
    assert not list(patterns_of(use.operands[0]))
