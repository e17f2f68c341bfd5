"""The binding passes keep what a program computes: a small numpy interpreter runs the IR before and after each of them."""

from collections import deque
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from allo_air import asm
from allo_air.core.pass_ import Pass
from allo_air.mlir import ir
from allo_air.passes._analysis.parallel import view
from allo_air.passes.air_copy_to_dma import AirCopyToDma
from allo_air.passes.air_par_to_herd import AirParToHerd
from allo_air.passes.air_par_to_launch import AirParToLaunch
from allo_air.passes.canonicalize import Canonicalize

REFERENCE = Path(__file__).parents[1] / "data/reference"
DTYPES = {"i8": np.int8, "i32": np.int32, "f32": np.float32, "index": np.int64, "i1": np.bool_}
DYNAMIC = ir.ShapedType.get_dynamic_size()


def evaluate(expression: Any, dims: list[int], symbols: list[int]) -> int:
    """An affine expression's value."""
    if isinstance(expression, ir.AffineDimExpr):
        return dims[expression.position]
    if isinstance(expression, ir.AffineSymbolExpr):
        return symbols[expression.position]
    if isinstance(expression, ir.AffineConstantExpr):
        return expression.value
    left, right = (evaluate(e, dims, symbols) for e in (expression.lhs, expression.rhs))
    if isinstance(expression, ir.AffineAddExpr):
        return left + right
    if isinstance(expression, ir.AffineMulExpr):
        return left * right
    assert isinstance(expression, ir.AffineModExpr), expression
    return left % right


def window(memref: Any, offset: int, sizes: list[int], strides: list[int]) -> Any:
    """`memref`'s elements at offset + sum(index * stride), in elements from its first one."""
    reach = offset + sum((n - 1) * s for n, s in zip(sizes, strides, strict=True)) + 1
    flat = as_strided(memref, (reach,), (memref.itemsize,))
    return as_strided(flat[offset:], sizes, [s * memref.itemsize for s in strides])


class Machine:
    """Runs one function; instances of parallel loops and grids run one after another."""

    def __init__(self, module: Any):
        self.values: dict[Any, Any] = {}
        self.channels: dict[tuple[Any, ...], deque[Any]] = {}
        self.functions = [o.operation for o in module.regions[0].blocks[0] if o.operation.name == "func.func"]
        bundles = [o for o in module.regions[0].blocks[0] if o.operation.name == "air.channel"]
        self.cascades = bool(bundles)

    def call(self, arguments: list[Any]) -> None:
        [function] = self.functions
        self.block(function.regions[0].blocks[0], arguments)
        assert not any(self.channels.values()), "every put has its get"

    def block(self, block: Any, arguments: Any = ()) -> list[Any]:
        """Runs a block; the values that its terminator yields."""
        self.values.update(zip(block.arguments, arguments, strict=True))
        for view_ in block.operations:
            op = view_.operation
            given = [self.values[v] for v in op.operands]
            if op.name in ("scf.yield", "affine.yield", "scf.reduce.return", "linalg.yield", "air.affine_yield", "scf.reduce"):
                return given
            if op.name.endswith(("terminator", ".return", "in_parallel")):
                return []
            results = getattr(self, op.name.replace(".", "_"))(op.opview, *given)
            self.values.update(zip(op.results, results if isinstance(results, list) else [results], strict=bool(op.results)))
        raise AssertionError("a block ends in a terminator")

    def mixed(self, static: Any, dynamic: Any) -> list[int]:
        values = iter(dynamic)
        return [self.values[next(values)] if s == DYNAMIC else s for s in static]

    # Control flow.

    def scf_parallel(self, op: Any, *given: Any) -> list[Any]:
        loop = view(op.operation, "a loop")
        states = [self.values[v] for v in loop.inits]
        for point in product(*(range(d.lower, d.upper, d.step) for d in loop.dims)):
            parts = self.block(loop.block, point)
            for n, (region, part) in enumerate(zip(loop.terminator.regions, parts, strict=False)):
                [states[n]] = self.block(region.blocks[0], [states[n], part])
        return states

    scf_forall = affine_parallel = scf_parallel

    def scf_for(self, op: Any, lower: int, upper: int, step: int, *state: Any) -> list[Any]:
        carried = list(state)
        for i in range(lower, upper, step):
            carried = self.block(op.region.blocks[0], [i, *carried])
        return carried

    def air_herd(self, op: Any, *given: Any) -> list[Any]:
        sizes, args = [self.values[v] for v in op.sizes], [self.values[v] for v in op.args]
        points = list(product(*map(range, sizes)))
        southwards = self.cascades and sizes[1] > 1  # a cascade along dimension 1 starts at its highest id
        for point in reversed(points) if southwards else points:
            self.block(op.block, [*point, *sizes, *args])
        return []

    air_launch = air_segment = air_herd

    def air_affine_if(self, op: Any, *given: int) -> list[Any]:
        # The bindings do not open an integer set attribute: its text, `affine_set<()[s0, s1] : (s0 - 3 == 0, s1 == 0)>`, does.
        names, constraints = str(op.condition).removeprefix("affine_set<()[").removesuffix(")>").split("] : (")
        known = dict(zip(names.split(", "), map(int, given), strict=True))
        holds = all(eval(c, known) for c in constraints.split(","))
        return self.block(op.operation.regions[0 if holds else 1].blocks[0])

    # Values and buffers.

    def arith_constant(self, op: Any) -> Any:
        return DTYPES[str(op.type)](op.value.value if hasattr(op.value, "value") else op.value)

    def arith_addi(self, op: Any, left: Any, right: Any) -> Any:
        return left + right

    def affine_apply(self, op: Any, *given: int) -> int:
        used = op.map.value
        return evaluate(used.results[0], list(given[: used.n_dims]), list(given[used.n_dims :]))

    def memref_alloc(self, op: Any) -> Any:
        kind = op.memref.type
        return np.full(kind.shape, 77, DTYPES[str(kind.element_type)])

    def memref_dealloc(self, op: Any, memref: Any) -> list[Any]:
        return []

    def memref_copy(self, op: Any, source: Any, target: Any) -> list[Any]:
        target[...] = source
        return []

    def memref_load(self, op: Any, memref: Any, *at: int) -> Any:
        return memref[at]

    def memref_store(self, op: Any, value: Any, memref: Any, *at: int) -> list[Any]:
        memref[at] = value
        return []

    def memref_subview(self, op: Any, memref: Any, *given: Any) -> Any:
        offsets, sizes = self.mixed(op.static_offsets, op.offsets), self.mixed(op.static_sizes, op.sizes)
        return memref[tuple(slice(o, o + n) for o, n in zip(offsets, sizes, strict=True))]

    def air_dma_memcpy_nd(self, op: Any, *given: Any) -> list[Any]:
        target = self.walked(op.dst, op.dst_offsets, op.dst_sizes, op.dst_strides)
        source = self.walked(op.src, op.src_offsets, op.src_sizes, op.src_strides)
        target[...] = np.array(source).reshape(target.shape)
        return []

    def walked(self, memref: Any, *lists: Any) -> Any:
        offsets, sizes, strides = ([int(self.values[v]) for v in given] for given in lists)
        if not sizes:
            return self.values[memref]
        start = sum(o * s for o, s in zip(offsets, strides, strict=True))
        return window(self.values[memref], start, sizes, strides)

    def air_channel_put(self, op: Any, *given: Any) -> list[Any]:
        self.channels.setdefault((op.chan_name, *(self.values[i] for i in op.indices)), deque()).append(
            self.values[op.src].copy()
        )
        return []

    def air_channel_get(self, op: Any, *given: Any) -> list[Any]:
        self.values[op.dst][...] = self.channels[(op.chan_name, *(self.values[i] for i in op.indices))].popleft()
        return []

    # Compute.

    def linalg_fill(self, op: Any, value: Any, memref: Any) -> list[Any]:
        memref[...] = value
        return []

    def linalg_matmul(self, op: Any, a: Any, b: Any, c: Any) -> list[Any]:
        c += a.astype(c.dtype) @ b.astype(c.dtype)
        return []

    def linalg_add(self, op: Any, a: Any, b: Any, c: Any) -> list[Any]:
        c[...] = a + b
        return []

    def linalg_generic(self, op: Any, a: Any, c: Any) -> list[Any]:
        [c[...]] = self.block(op.regions[0].blocks[0], [a, c])
        return []

    def linalg_pack(self, op: Any, source: Any, target: Any) -> list[Any]:
        for at in np.ndindex(target.shape):
            target[at] = source[self.plain(op, source.ndim, at)]
        return []

    def linalg_unpack(self, op: Any, source: Any, target: Any) -> list[Any]:
        for at in np.ndindex(source.shape):
            target[self.plain(op, target.ndim, at)] = source[at]
        return []

    def plain(self, op: Any, rank: int, at: tuple[int, ...]) -> tuple[int, ...]:
        """The unpacked index of packed index `at`, by the definition of linalg.pack."""
        index = dict(zip(op.outer_dims_perm or range(rank), at[:rank], strict=True))
        for dim, tile, inner in zip(op.inner_dims_pos, op.static_inner_tiles, at[rank:], strict=True):
            index[dim] = index[dim] * tile + inner
        return tuple(index[d] for d in range(rank))


def check(text: str, passes: tuple[Pass, ...], *arguments: Any) -> list[Any]:
    """Runs `text` before and after each of `passes` on copies of `arguments`; returns them as the program left them."""

    def outcome(module: Any) -> list[Any]:
        copies = [np.array(a) for a in arguments]
        Machine(module).call(copies)
        return copies

    module = asm.read(text)
    expected = outcome(module)
    assert any((a != b).any() for a, b in zip(arguments, expected, strict=True)), "the program does something"
    for step in passes:
        with module.context, module.location:
            step.run(module)
        asm.verify(module)
        for ours, wanted in zip(outcome(module), expected, strict=True):
            np.testing.assert_array_equal(ours, wanted, err_msg=step.name)
    return expected


BIND = (AirParToHerd(depth=1), AirParToLaunch(has_air_segment=True), AirCopyToDma(), Canonicalize())


def data(*shape: int, dtype: Any = np.int32) -> Any:
    return np.random.default_rng(0).integers(-9, 9, shape).astype(dtype)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(
    ("folder", "a", "b", "c"),
    [
        ("walkthrough_i32", data(64, 256), data(256, 64), data(64, 64)),
        ("matmul_no_l2_i32", data(64, 64), data(64, 64), data(64, 64)),
        ("matmul_k_outer_i8", data(128, 256, dtype=np.int8), data(256, 128, dtype=np.int8), data(128, 128)),
    ],
)
def test_matmul(folder: str, a: Any, b: Any, c: Any) -> None:
    *_, product_ = check((REFERENCE / folder / "00-input.mlir").read_text(), BIND, a, b, c)
    np.testing.assert_array_equal(product_, a.astype(np.int32) @ b.astype(np.int32))


@pytest.mark.usefixtures("context")
def test_two_herds() -> None:
    a = data(64, 32)
    _, c = check((REFERENCE / "two_herds_i32/00-input.mlir").read_text(), BIND, a, np.zeros_like(a))
    np.testing.assert_array_equal(c, 2 * (a + 1))


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("depth", [-2, -1, 0, 1])
@pytest.mark.parametrize("first_dim", [0, 1])
def test_loops(depth: int, first_dim: int) -> None:
    text = """
      func.func @f(%a: memref<12x9x5x8xi32, 2>, %v: index) {
        affine.parallel (%i, %j, %k) = (2, 3, 1) to (12, 9, 4) step (5, 2, 1) {
          scf.forall (%l) = (7) to (10) step (3) {
            %x = affine.apply affine_map<(d0, d1, d2, d3)[s0] -> (d0 * 1000 + d1 * 100 + d2 * 10 + d3 + s0)>(%i, %j, %k, %l)[%v]
            %y = affine.apply affine_map<(d0) -> (d0 mod 7)>(%x)
            %z = arith.constant 5 : i32
            memref.store %z, %a[%i, %j, %k, %y] : memref<12x9x5x8xi32, 2>
          }
          scf.forall (%l) in (0) {
            %z = arith.constant 6 : i32
            memref.store %z, %a[%i, %j, %k, %l] : memref<12x9x5x8xi32, 2>
          }
        }
        return
      }"""
    check(text, (AirParToHerd(depth=depth, first_dim=first_dim), AirParToLaunch()), data(12, 9, 5, 8), np.int64(3))


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize("first_dim", [0, 1])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("returned", ["%l", "%m"])
def test_reduction(first_dim: int, count: int, returned: str) -> None:
    text = f"""
      func.func @f(%parts: memref<5x8xi32>, %start: memref<8xi32>, %o: memref<8xi32>) {{
        %c0 = arith.constant 0 : index
        %c2 = arith.constant 2 : index
        %n = arith.constant {2 * count} : index
        %init = memref.alloc() : memref<8xi32, 2>
        memref.copy %start, %init : memref<8xi32> to memref<8xi32, 2>
        %r = scf.parallel (%i) = (%c0) to (%n) step (%c2) init (%init) -> memref<8xi32, 2> {{
          %p = memref.alloc() : memref<8xi32, 2>
          %one = memref.subview %parts[%c0, 0] [1, 8] [1, 1] : memref<5x8xi32> to memref<1x8xi32, strided<[8, 1], offset: ?>>
          %h = arith.constant 3 : i32
          %w = affine.apply affine_map<(d0) -> (d0)>(%i)
          linalg.fill ins(%h : i32) outs(%p : memref<8xi32, 2>)
          memref.store %h, %p[%w] : memref<8xi32, 2>
          scf.reduce (%p : memref<8xi32, 2>) {{
          ^bb0(%l: memref<8xi32, 2>, %m: memref<8xi32, 2>):
            linalg.add ins(%l, %m : memref<8xi32, 2>, memref<8xi32, 2>) outs({returned} : memref<8xi32, 2>)
            scf.reduce.return {returned} : memref<8xi32, 2>
          }}
        }}
        memref.copy %r, %o : memref<8xi32, 2> to memref<8xi32>
        return
      }}"""
    text = text.replace("memref<8xi32, 2>", "memref<16xi32, 2>").replace("memref<8xi32>", "memref<16xi32>")
    start = data(16)
    *_, o = check(text, (AirParToHerd(first_dim=first_dim),), data(5, 8), start, np.zeros_like(start))
    np.testing.assert_array_equal(o, start + 3 * count)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(
    ("order", "where", "tiles", "packed"),
    [
        ("[1, 0]", "[0, 1]", "[4, 8]", (4, 4, 4, 8)),
        ("[0, 1]", "[1, 0]", "[8, 4]", (4, 4, 8, 4)),
        ("[1, 0]", "[1]", "[16]", (2, 16, 16)),
        ("[1, 0]", "[0]", "[2]", (32, 8, 2)),
    ],
)
def test_pack_and_unpack(order: str, where: str, tiles: str, packed: tuple[int, ...]) -> None:
    kind = f"memref<{'x'.join(map(str, packed))}xi8, 1>"
    how = f"outer_dims_perm = {order} inner_dims_pos = {where} inner_tiles = {tiles}"
    text = f"""
      func.func @f(%a: memref<16x32xi8>, %b: {kind}, %c: memref<16x32xi8>) {{
        linalg.pack %a {how} into %b : memref<16x32xi8> -> {kind}
        linalg.unpack %b {how} into %c : {kind} -> memref<16x32xi8>
        return
      }}"""
    a = data(16, 32, dtype=np.int8)
    *_, c = check(text, (AirCopyToDma(),), a, np.zeros(packed, np.int8), np.zeros_like(a))
    np.testing.assert_array_equal(c, a)


@pytest.mark.usefixtures("context")
def test_tiled_dma() -> None:
    [*_, text] = (
        (Path(__file__).parents[1] / "lit/passes/air-par-to-herd/tile-dma.mlir")
        .read_text()
        .split("// CHECK-LABEL: func.func @tiled")
    )
    text = "func.func @tiled" + text.split("func.func @tiled", 1)[1].split("// Tiles that", 1)[0]
    check(text, (AirParToHerd(depth=0), Canonicalize()), data(4, 8), data(16, 16), np.int64(5))
