"""The operations that air.api builds, and their operands; spellings of the assembly are told elsewhere."""

import re

import numpy as np
import pytest

from allo_air import asm
from allo_air.air import api as air
from allo_air.air.api import bf16, f16, f32, i8, i16, i32, ui8
from allo_air.air.api.symbol import PENDING_SYMBOLS
from allo_air.air.api.tensor import PENDING_TENSORS
from allo_air.core.constants import constant_of
from allo_air.core.walking import walk_named
from allo_air.mlir import ir, new_context


@pytest.fixture(autouse=True)
def nothing_pending():
    PENDING_TENSORS.clear()
    PENDING_SYMBOLS.clear()


def found(module, *names):
    return [op.opview for op in walk_named(module.operation, *names)]


def numbers(values):
    """Constants as integers, other values as None."""
    return [constant_of(v) for v in values]


def names_in(op):
    return [o.operation.name for o in op.regions[0].blocks[0].operations]


def herd_program(body, grid, shape=None, tensors=(((64,), i32), ((64,), i32)), target="npu1", **kwargs):
    given = [air.tensor(s, d, f"T{i}") for i, (s, d) in enumerate(tensors)]
    launch = air.launch(name="program")

    @launch.body
    def _():
        with air.herd(grid, shape=shape, **kwargs) as h:
            h.body(lambda *indices: body(h, *indices, *given))

    return launch.build(target)


def one_tile(body, shape, dtype, **alloc):
    """`body(t)` on a tile that is loaded and stored whole."""

    def traced(h, i, X, Y):
        t = air.alloc(shape, dtype, scope=h.private(), **alloc)
        air.ops.load(t, X)
        body(t)
        air.ops.store(t, Y)

    return herd_program(traced, range(1), tensors=((shape, dtype), (shape, dtype)))


def add_one(t):
    t[:] = t[:] + 1


# Hierarchies


def test_a_launch_with_herds_only_is_a_bare_function():
    def body(h, i, X, Y):
        t = air.alloc([16], i32, scope=h.private())
        air.ops.load(t, X[i * 16 : i * 16 + 16])
        air.ops.store(t, Y[i * 16 : i * 16 + 16])

    module = herd_program(body, range(0, 64, 16))
    assert not found(module, "air.launch", "air.segment")
    [function] = found(module, "func.func")
    assert str(function.attributes["sym_name"]) == '"program"'
    [herd] = found(module, "air.herd")
    assert numbers(herd.sizes) == [4, 1]
    assert [str(a.type) for a in herd.args] == ["memref<64xi32>"] * 2
    assert str(herd.attributes["sym_name"]) == '"herd_0"'


@pytest.mark.parametrize(
    ("grid", "target", "physical"),
    [
        ((6,), "npu1", [3, 1]),
        ((16,), "npu1", [4, 1]),
        ((16,), "npu2", [8, 1]),
        ((8, 8), "npu1", [1, 4]),
        ((8, 8), "npu2", [2, 4]),
        ((3, 6), "npu2", [1, 3]),
        ((7, 5), "npu1", [1, 1]),
        ((8,), "npu1_2col", [2, 1]),
        ((8, 8), "npu2_1col", [1, 4]),
    ],
)
def test_a_shape_that_nobody_gives_is_the_largest_divisor(grid, target, physical):
    kept = []

    def body(h, *rest):
        kept.append(h)
        t = air.alloc([64], i32, scope=h.private())
        air.ops.load(t, rest[-2])
        air.ops.store(t, rest[-1])

    [herd] = found(herd_program(body, [range(n) for n in grid], target=target), "air.herd")
    assert numbers(herd.sizes) == physical
    assert kept[0].physical == tuple(physical[: len(grid)])
    assert kept[0].repeats == tuple(n // p for n, p in zip(grid, physical, strict=False))


def test_tiles_of_a_core_are_a_nest_of_loops():
    def body(h, i, j, X, Y):
        assert h.tile_sizes == (4, 16)
        t = air.alloc([4, 16], i32, scope=h.private())
        at = (slice(i * 4, i * 4 + 4), slice(j * 16, j * 16 + 16))
        air.ops.load(t, X[at])
        air.ops.store(t, Y[at])

    shapes = (((16, 64), i32), ((16, 64), i32))
    module = herd_program(body, [range(0, 16, 4), range(0, 64, 16)], shape=(2, 4), tensors=shapes)
    [herd] = found(module, "air.herd")
    [loop] = found(module, "scf.for")
    assert numbers(loop.operands) == [0, 2, 1], "only the axis with several tiles a core has a loop"
    assert "memref.alloc" in names_in(loop)
    assert names_in(loop)[-2:] == ["memref.dealloc", "scf.yield"]
    rows, _ = found(module, "affine.apply")[:2]
    assert str(rows.attributes["map"]) == "affine_map<()[s0, s1] -> (s0 * 8 + s1 * 4)>"
    assert list(rows.operands) == [herd.ids[0], loop.induction_variable]


def test_a_segment_stands_in_a_launch_of_one():
    X, Y = air.tensor([64], i32), air.tensor([64], i32)
    launch = air.launch(name="two")

    @launch.body
    def _():
        for name in ("first", "second"):
            with air.segment(name=name) as seg:

                @seg.body
                def _():
                    t = air.alloc([64], i32, scope=seg.private())
                    air.ops.load(t, X)
                    air.ops.store(t, Y)

    module = launch.build("npu2")
    [outer] = found(module, "air.launch")
    assert numbers(outer.sizes) == [1, 1]
    assert [str(s.attributes["sym_name"]) for s in found(outer, "air.segment")] == ['"first"', '"second"']
    segment = found(outer, "air.segment")[0]
    assert not segment.sizes and len(segment.args) == 2
    assert names_in(segment) == [
        "memref.alloc", "air.dma_memcpy_nd", "air.dma_memcpy_nd", "memref.dealloc", "air.segment_terminator",
    ]  # fmt: skip


def grid_of_segments(body):
    X, Y = air.tensor([256], i32), air.tensor([256], i32)
    launch = air.launch(range(0, 256, 64), name="points")

    @launch.body
    def _(p):
        with air.segment(range(2)) as seg:

            @seg.body
            def _(s):
                b = air.alloc([32], i32, scope=seg.private())
                air.ops.load(b, X[p * 64 + s * 32 : p * 64 + s * 32 + 32])
                with air.herd(range(1)) as h:
                    h.body(lambda i: body(h, p, s, b, Y))

    return launch.build("npu2")


def test_operands_of_segments_and_herds():
    def body(h, p, s, b, Y):
        t = air.alloc([32], i32, scope=h.private())
        air.ops.load(t, b)
        air.ops.store(t, Y[0:32])

    module = grid_of_segments(body)
    [launch], [segment], [herd] = (found(module, f"air.{k}") for k in ("launch", "segment", "herd"))
    assert numbers(launch.sizes) == [4, 1]
    assert numbers(segment.sizes) == [2, 1]
    assert list(segment.args) == [launch.ids[0], *launch.body_args]
    [buffer] = found(segment, "memref.alloc")[:1]
    assert list(herd.args) == [segment.ids[0], *segment.body_args[1:], buffer.result]


def test_coordinates_of_the_launch_are_threaded_into_herds_that_use_them():
    def body(h, p, s, b, Y):
        t = air.alloc([32], i32, scope=h.private())
        air.ops.load(t, b)
        t[:] = t[:] + p
        air.ops.store(t, Y[p * 64 + s * 32 : p * 64 + s * 32 + 32])

    module = grid_of_segments(body)
    [segment], [herd] = (found(module, f"air.{k}") for k in ("segment", "herd"))
    assert len(herd.args) == 5, "after those that every herd has"
    assert herd.args[-1] == segment.body_args[0]


# Index expressions


def test_equal_divisions_are_one_term():
    def body(h, i, X, Y):
        row = (i // 2) * 16 + (i % 2) * 8
        assert row - (i // 2) * 16 - (i % 2) * 8 == 0
        assert (row + 8) - row == 8
        assert i // 1 is i and i % 1 == 0
        t = air.alloc([8], i32, scope=h.private())
        air.ops.load(t, X[row : row + 8])
        air.ops.store(t, Y[row : row + 8])

    module = herd_program(body, range(4))
    [offset, _] = found(module, "affine.apply")
    assert str(offset.attributes["map"]) == "affine_map<()[s0] -> ((s0 floordiv 2) * 16 + (s0 mod 2) * 8)>"


def test_symbols_are_integers():
    size = air.symbol(choices=[16, 32], hint=32)
    other = air.symbol()
    assert (size + 1, 2 * size, size // 3, size % 5, -size, [0] * size) == (33, 64, 10, 2, -32, [0] * 32)
    assert size == 32 and hash(size) == hash(32) and type(size * 1) is int
    X = air.tensor([64], i32)
    Y = air.tensor([64], i32)
    launch = air.launch(name="tiles")
    assert launch.search_space == {"size": 32, "other": 64}
    assert [s.choices for s in launch.symbols] == [(16, 32), None] and other == 64
    assert launch.tensors == (X, Y) and (X.name, Y.name) == ("X", "Y")


# Buffers


def test_buffers_end_after_their_last_use():
    def body(h, i, X, Y):
        a = air.alloc([64], i32, scope=h.private())
        b = air.alloc([64], i32, scope=h.private(), vector=0)
        air.ops.load(a, X[0:64])
        b[:] = a[:] + 1
        air.ops.store(b, Y[0:64])

    [herd] = found(herd_program(body, range(1)), "air.herd")
    told = [n for n in names_in(herd) if n in ("memref.alloc", "memref.dealloc", "air.dma_memcpy_nd", "scf.for")]
    assert told == ["memref.alloc"] * 2 + [
        "air.dma_memcpy_nd",
        "scf.for",
        "memref.dealloc",
        "air.dma_memcpy_nd",
        "memref.dealloc",
    ]


def test_memory_spaces():
    def body(h, p, s, b, Y):
        t = air.alloc([32], i32, scope=h.private())
        air.ops.load(t, b)
        air.ops.store(t, Y[0:32])

    kinds = [ir.MemRefType(a.result.type) for a in found(grid_of_segments(body), "memref.alloc")]
    assert [k.memory_space.value for k in kinds] == [1, 2]


# Elementwise


@pytest.mark.filterwarnings("ignore::allo_air.air.api.HardwareWarning")
def test_vector_loops():
    def body(t):
        t[:] = -(t[:] * 2 - air.ops.maximum(t[:], 0.5)) / 3

    module = one_tile(body, (4, 32), f32)
    outer, inner = found(module, "scf.for")
    assert (numbers(outer.operands), numbers(inner.operands)) == ([0, 4, 1], [0, 32, 16])
    assert [n for n in names_in(inner) if n.startswith(("arith", "vector"))] == [
        "vector.transfer_read", "arith.mulf", "vector.transfer_read", "arith.maximumf", "arith.subf", "arith.subf",
        "arith.divf", "vector.transfer_write",
    ]  # fmt: skip
    read = found(module, "vector.transfer_read")[0]
    assert str(read.results[0].type) == "vector<16xf32>"
    assert str(read.attributes["permutation_map"]) == "affine_map<(d0, d1) -> (d1)>"
    assert str(read.attributes["in_bounds"]) == "[true]"


@pytest.mark.parametrize(
    ("dtype", "lanes"), [(bf16, 16), (f16, 16), (f32, 16), (i8, 32), (i16, 16), (i32, 16)], ids=lambda x: str(x)
)
def test_default_lanes(dtype, lanes):
    [write] = found(one_tile(add_one, (64,), dtype), "vector.transfer_write")
    assert list(ir.VectorType(write.operands[0].type).shape) == [lanes]


@pytest.mark.parametrize(("shape", "vector"), [((20,), None), ((64,), 0), ((4, 8), None)])
def test_scalar_loops(shape, vector):
    module = one_tile(add_one, shape, i32, vector=vector)
    assert not found(module, "vector.transfer_read")
    assert len(found(module, "scf.for")) == len(shape)
    assert found(module, "memref.load") and found(module, "memref.store")


def test_lanes_of_a_buffer():
    [write] = found(one_tile(add_one, (64,), i32, vector=8), "vector.transfer_write")
    assert str(write.operands[0].type) == "vector<8xi32>"


def test_unsigned_copies_are_scalar():
    def body(h, i, X, Y):
        a, b = (air.alloc([64], ui8, scope=h.private()) for _ in range(2))
        air.ops.load(a, X)
        b[:] = a[:]
        air.ops.store(b, Y)

    module = herd_program(body, range(1), tensors=(((64,), ui8), ((64,), ui8)))
    [store] = found(module, "memref.store")
    assert str(store.operands[0].type) == "ui8"


def test_a_coordinate_in_an_integer_expression():
    def body(h, i, X, Y):
        t = air.alloc([16], i32, scope=h.private())
        air.ops.load(t, X[i * 16 : i * 16 + 16])
        t[:] = t[:] + i
        air.ops.store(t, Y[i * 16 : i * 16 + 16])

    [cast] = found(herd_program(body, range(4)), "arith.index_cast")
    assert cast.operands[0].owner.name == "affine.apply"
    [use] = cast.results[0].uses
    assert use.owner.name == "vector.broadcast"


# Transfers and products


def test_whole_tensors_have_empty_patterns():
    module = one_tile(add_one, (64,), i32)
    for copy in found(module, "air.dma_memcpy_nd"):
        assert len(copy.operands) == 2
    whole = herd_program(lambda h, i, X, Y: air.ops.store(air.alloc([64], i32, scope=h.private()), Y[:]), range(1))
    [copy] = found(whole, "air.dma_memcpy_nd")
    assert [numbers(v) for v in (copy.dst_offsets, copy.dst_sizes, copy.dst_strides)] == [[0], [64], [1]]


MM = air.micro_tile(4, 8, 4)


def test_packed_shapes():
    assert MM.a(32, 16) == (1, 1, 2, 8, 4, 8)
    assert MM.b(16, 32) == (1, 1, 8, 2, 8, 4)
    c = MM.c(32, 32, lead=(2, 2))
    assert c == (2, 2, 8, 8, 4, 4)
    assert (c.role, c.micro, c.logical, c.lead) == ("C", MM, (32, 32), (2, 2))


def test_packed_patterns():
    """The pattern is that of the flat side, or of the packed accumulator where it is drained."""
    X, Y = air.tensor([32, 32], bf16), air.tensor([32, 32], f32)
    launch = air.launch(name="packed")

    @launch.body
    def _():
        with air.segment() as seg:

            @seg.body
            def _():
                flat = air.alloc([1, 1, 32, 32], bf16, scope=seg.private())
                back = air.alloc([32, 32], f32, scope=seg.private())
                with air.herd(range(1)) as h:

                    @h.body
                    def _(i):
                        a, b = (air.alloc(s, bf16, scope=h.private()) for s in (MM.a(32, 16), MM.b(16, 32)))
                        c = air.alloc(MM.c(32, 32), f32, scope=h.private())
                        air.ops.load(a, flat[:, :, 0:32, 16:32])
                        air.ops.load(b, flat[0, 0, 16:32, :])
                        c[:] = 0.0
                        air.ops.dot(a, b, acc=c)
                        air.ops.store(c[0, 0, :, :], back)
                        air.ops.load(b, X[0:16, :])

                air.ops.store(back, Y)

    module = launch.build("npu1")
    a, b, c, of_tensor, _ = found(module, "air.dma_memcpy_nd")
    assert numbers(a.src_offsets) == [0, 0, 0, 0, 0, 16]
    assert numbers(a.src_sizes) == [1, 1, 2, 8, 4, 8]
    assert numbers(a.src_strides) == [1024, 1024, 8, 128, 32, 1]
    assert numbers(b.src_offsets) == [0, 0, 0, 0, 16, 0]
    assert numbers(b.src_sizes) == [1, 1, 8, 2, 8, 4]
    assert numbers(b.src_strides) == [1024, 1024, 4, 256, 32, 1]
    assert numbers(c.src_sizes) == [1, 1, 8, 4, 8, 4]
    assert numbers(c.src_strides) == [1024, 1024, 16, 4, 128, 1]
    assert not c.dst_offsets
    assert numbers(of_tensor.src_strides) == [1024, 1024, 4, 256, 32, 1]
    [contraction] = found(module, "linalg.generic")
    assert [str(m) for m in contraction.attributes["indexing_maps"]] == [
        f"affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8) -> ({of})>"
        for of in ("d0, d2, d5, d3, d6, d8", "d1, d2, d4, d5, d8, d7", "d1, d0, d4, d3, d6, d7")
    ]
    kinds = "#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>"
    assert str(contraction.attributes["iterator_types"]) == f"[{', '.join([kinds] * 3)}]"
    assert names_in(contraction) == ["arith.extf", "arith.extf", "arith.mulf", "arith.addf", "linalg.yield"]


@pytest.mark.parametrize(
    ("shapes", "name"),
    [
        (((16,), (16,), ()), "linalg.dot"),
        (((16,), (16, 8), (8,)), "linalg.vecmat"),
        (((8, 16), (16,), (8,)), "linalg.matvec"),
        (((8, 16), (16, 4), (8, 4)), "linalg.matmul"),
    ],
)
def test_products_by_rank(shapes, name):
    def body(h, i, X, Y):
        a, b, c = (air.alloc(s, d, scope=h.private()) for s, d in zip(shapes, (bf16, bf16, f32), strict=True))
        air.ops.dot(a, b, acc=c, kernel="mm")
        air.ops.store(air.alloc([64], i32, scope=h.private()), Y)

    [product] = found(herd_program(body, range(1)), name)
    assert str(product.attributes["library_call"]) == '"mm"'


def test_transposed_product():
    def body(h, i, X, Y):
        a, b, c = (air.alloc(s, i32, scope=h.private()) for s in ((8, 16), (4, 16), (8, 4)))
        air.ops.dot(a, b, acc=c, transpose_b=True)
        air.ops.store(air.alloc([64], i32, scope=h.private()), Y)

    [product] = found(herd_program(body, range(1)), "linalg.matmul")
    assert [str(m) for m in product.attributes["indexing_maps"]][1] == "affine_map<(d0, d1, d2) -> (d1, d2)>"


# Channels and extern kernels


def test_channels_are_declared_in_order_of_use():
    X, Y = air.tensor([64], i32), air.tensor([64], i32)
    second, first = air.channel("Second", size=[1, 2]), air.channel("First")
    spread = air.channel("Spread", size=[1, 1], broadcast_shape=[1, 2])
    launch = air.launch(name="channels")

    @launch.body
    def _():
        with air.segment() as seg:

            @seg.body
            def _():
                first.put(X)
                spread.put(X[0:32])
                for n in range(2):
                    second.get(Y[n * 32 : n * 32 + 32], indices=[0, n])

    module = launch.build("npu1")
    made = found(module, "air.channel")
    assert [str(c.attributes["sym_name"]) for c in made] == ['"First"', '"Spread"', '"Second"']
    assert [str(c.attributes["size"]) for c in made] == ["[]", "[1, 1]", "[1, 2]"]
    assert str(made[1].attributes["broadcast_shape"]) == "[1, 2]"
    assert [numbers(g.indices) for g in found(module, "air.channel.get")] == [[0, 0], [0, 1]]
    assert launch.outputs == (Y,) and launch.inputs == (X,)


def test_extern_kernels_are_declared_once():
    scale = air.extern("scale_rows", object="scale.o", scalars=[i32, bf16])

    def body(h, i, X, Y):
        a, b = (air.alloc([64], i32, scope=h.private()) for _ in range(2))
        air.ops.load(a, X)
        scale(i * 2, 0.5, a, b)
        scale(3, 1, a, b)
        air.ops.store(b, Y)

    module = herd_program(body, range(1))
    declared = module.body.operations[0]
    assert str(declared.attributes["sym_name"]) == '"scale_rows"'
    assert str(declared.attributes["link_with"]) == '"scale.o"' and "llvm.emit_c_interface" in declared.attributes
    assert len(found(module, "func.call")) == 2
    [herd] = found(module, "air.herd")
    assert herd.link_with == "scale.o"


# Text, targets, places


def test_the_text_reads_back():
    module = one_tile(add_one, (64,), i32)
    with new_context(), ir.Location.unknown():
        again = asm.read(str(module), "-")
        assert [o.name for o in walk_named(again, "air.herd")] == ["air.herd"]


def test_operations_know_the_users_line():
    module = one_tile(add_one, (64,), i32)
    copies = found(module, "air.dma_memcpy_nd")
    assert all(f'"{__file__}"' in str(c.location) for c in copies)
    assert str(copies[0].location) != str(copies[1].location)


def test_a_launch_is_traced_once_for_each_target():
    runs = []
    X, Y = air.tensor([64], i32), air.tensor([64], i32)
    launch = air.launch(name="counted")

    @launch.body
    def _():
        runs.append(1)
        with air.herd(range(8)) as h:

            @h.body
            def _(i):
                t = air.alloc([8], i32, scope=h.private())
                air.ops.load(t, X[i * 8 : i * 8 + 8])
                air.ops.store(t, Y[i * 8 : i * 8 + 8])

    assert launch.build("npu1") is launch.build("npu1") and len(runs) == 1
    assert numbers(found(launch.build("npu2"), "air.herd")[0].sizes) == [8, 1] and launch.target == "npu2"
    assert launch.mlir() == str(launch.build()) and len(runs) == 2


def test_the_environment_names_the_target(monkeypatch):
    monkeypatch.setenv("AIR_TARGET_DEVICE", "npu1")
    air.tensor([64], i32)
    Y = air.tensor([64], i32)
    launch = air.launch()
    launch.body(lambda: air.segment().body(lambda: air.channel("c").get(Y)))
    launch.build("auto")
    assert launch.target == "npu1"


def test_types():
    assert repr(bf16) == "air.api.bf16" and air.types.f32 is f32
    assert (ui8.is_unsigned, ui8.is_float, ui8.itemsize, f16.is_float, i16.default_vector_width) == (True, False, 1, True, 16)
    assert air.dtype_of(np.dtype("uint8")) is ui8 and air.dtype_of(np.float32) is f32
    assert i8.np_dtype == np.int8


@pytest.mark.parametrize(
    ("dtype", "expression", "how", "message"),
    [
        (f32, lambda t: t[:] * 2 + 1, {}, "a product in a sum does not compile"),
        (f32, lambda t: air.ops.relu(t[:]), {}, "vectors of f32: maximum does not compile"),
        (bf16, lambda t: t[:] / 3, {}, "a division of bf16 does not compile"),
        (f32, lambda t: air.ops.tanh(t[:]), {"vector": 0}, "tanh of f32 does not compile"),
        (bf16, lambda t: air.ops.tanh(t[:]), {}, "of npu2 only, as vectors"),
    ],
)
def test_what_does_not_compile_for_cores_is_warned_of(dtype, expression, how, message):
    def body(t):
        t[:] = expression(t)

    with pytest.warns(air.HardwareWarning, match=message) as told:
        one_tile(body, (64,), dtype, **how)
    assert told[0].filename == __file__


def test_what_compiles_is_not_warned_of(recwarn):
    def body(t):
        t[:] = t[:] * 2 + air.ops.maximum(t[:], 1)

    one_tile(body, (64,), bf16)
    one_tile(body, (64,), i32)
    one_tile(body, (64,), f32, vector=0)
    assert not recwarn.list


def test_numbers_in_access_lists_are_printed_as_such():
    X, Y = air.tensor([64, 32], i32), air.tensor([64, 32], i32)
    to_core = air.channel("to_core")
    launch = air.launch(name="k")

    @launch.body
    def _():
        with air.segment() as seg:

            @seg.body
            def _():
                to_core.put(X[0:8, :])
                with air.herd(range(1)) as h:

                    @h.body
                    def _(i):
                        t = air.alloc([8, 32], i32, scope=h.private())
                        to_core.get(t)
                        air.ops.store(t, Y[i * 8 : i * 8 + 8, :])

    text = launch.build("npu1") and launch.mlir()
    assert re.search(r"air.channel.put  ?@to_core\[\] \(%\w+\[0, 0\] \[8, 32\] \[32, 1\]\)", text)
    assert re.search(r"air.dma_memcpy_nd \(%\w+\[%\w+, 0\] \[8, 32\] \[32, 1\], %\w+\[\] \[\] \[\]\)", text)
