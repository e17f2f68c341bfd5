"""Runs the IR of the binding passes in numpy, before and after each pass."""

from collections import deque
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from allo_air import asm
from allo_air.core.pass_ import Pass
from allo_air.mlir import ir
from allo_air.passes._analysis.parallel import view

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
    if isinstance(expression, ir.AffineFloorDivExpr):
        return left // right
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

    def arith_divsi(self, op: Any, left: Any, right: Any) -> Any:
        return left // right  # of coordinates, which are not negative

    def arith_remsi(self, op: Any, left: Any, right: Any) -> Any:
        return left % right

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


def run_and_compare(text: str, passes: tuple[Pass, ...], *arguments: Any) -> list[Any]:
    """Runs `text` before and after each of `passes` on copies of `arguments`; returns them as the program left them."""

    def outcome(module: Any) -> list[Any]:
        copies = [np.array(a) for a in arguments]
        Machine(module).call(copies)
        return copies

    module = asm.read(text)
    expected = outcome(module)
    for step in passes:
        with module.context, module.location:
            step.run(module)
        asm.verify(module)
        for ours, wanted in zip(outcome(module), expected, strict=True):
            np.testing.assert_array_equal(ours, wanted, err_msg=step.name)
    return expected


@pytest.fixture
def check() -> Callable[..., list[Any]]:
    """`check(text, passes, *arguments)`: see `run_and_compare`."""
    return run_and_compare
