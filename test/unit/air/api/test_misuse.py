"""Every misuse of air.api that is refused, and the exact message that it gets at the user's line."""

import inspect
import re
from itertools import product

import numpy as np
import pytest

from allo_air.air import api as air
from allo_air.air.api import bf16, f32, i8, i32, ui8
from allo_air.air.api.symbol import PENDING_SYMBOLS
from allo_air.air.api.tensor import PENDING_TENSORS
from allo_air.errors import AlloAirError


@pytest.fixture(autouse=True)
def nothing_pending():
    PENDING_TENSORS.clear()
    PENDING_SYMBOLS.clear()


def built(body, grid=None, shape=(64,), dtype=i32):
    """A launch of tensors X and Y; `body` takes them, and a coordinate for each axis of the grid."""
    X, Y = air.tensor(shape, dtype, "X"), air.tensor(shape, dtype, "Y")
    launch = air.launch(grid, name="misused")
    launch.body(body(X, Y))
    launch.build("npu1")


def segment_of(body, **kwargs):
    """`body(seg, X, Y)` in a segment."""

    def launch_body(X, Y):
        def traced():
            with air.segment() as seg:

                @seg.body
                def _():
                    body(seg, X, Y)

        return traced

    built(launch_body, **kwargs)


def herd_of(body, **kwargs):
    """`body(h, i, X, Y)` in a herd of four tiles."""

    def launch_body(X, Y):
        def traced():
            with air.herd(range(4)) as h:

                @h.body
                def _(i):
                    body(h, i, X, Y)

        return traced

    built(launch_body, **kwargs)


CASES = {}


def misuse(kind, message):
    """Registers a function that must raise `kind` with `message`."""

    def register(function):
        CASES[function.__name__] = (function, kind, message)
        return function

    return register


# Places


@misuse(RuntimeError, "herd is outside of a launch body; call it in the function that @launch.body registers")
def herd_outside_of_a_launch_body():
    air.herd(range(4))


@misuse(RuntimeError, "segment is outside of a launch body; call it in the function that @launch.body registers")
def segment_outside_of_a_launch_body():
    air.segment()


@misuse(RuntimeError, "herd is in the body of another herd; put herds side by side in a segment or launch")
def herd_in_a_herd():
    herd_of(lambda h, i, X, Y: air.herd(range(2)))


@misuse(RuntimeError, "segment is in the body of a segment; put segments into a launch body")
def segment_in_a_segment():
    segment_of(lambda seg, X, Y: air.segment())


@misuse(RuntimeError, "alloc: L1 buffers of herd.private() are allocated in the body of a herd")
def l1_outside_of_a_herd():
    def body(seg, X, Y):
        with air.herd(range(4)) as h:
            air.alloc([16], i32, scope=h.private())

    segment_of(body)


@misuse(RuntimeError, "alloc: L2 buffers of segment.private() are allocated in the body of a segment")
def l2_in_a_herd():
    def body(seg, X, Y):
        with air.herd(range(4)) as h:

            @h.body
            def _(i):
                air.alloc([16], i32, scope=seg.private())

    segment_of(body)


@misuse(
    RuntimeError,
    "alloc: herd.private() is the scope of another herd's body; use the scope of the herd that is open",
)
def scope_of_another_body():
    def launch_body(X, Y):
        def traced():
            with air.herd(range(4)) as first:
                first.body(lambda i: None)
            with air.herd(range(4)) as second:
                second.body(lambda i: air.alloc([16], i32, scope=first.private()))

        return traced

    built(launch_body)


@misuse(TypeError, "air.api has no `@` of tiles; use ops.dot(a, b, acc)")
def product_as_an_operator():
    def body(h, i, X, Y):
        a = air.alloc([16, 16], i32, scope=h.private())
        a[:] = a[:] @ a[:]

    herd_of(body)


@misuse(TypeError, "air.api has no `+` of tiles; an operand is a whole tile: write `t[:]` for buffer t")
def sum_of_buffers():
    def body(h, i, X, Y):
        a = air.alloc([16], i32, scope=h.private())
        a[:] = a + a

    herd_of(body)


@misuse(
    TypeError,
    "air.api has no `//` of tiles; a tensor is in L3: load it into a buffer with ops.load, and compute with tiles `t[:]`",
)
def arithmetic_on_tensors():
    herd_of(lambda h, i, X, Y: X[0:16] // 2)


@misuse(RuntimeError, "herd.shared() is not supported; for L1 buffers that several herds use, use segment.shared()")
def shared_of_a_herd():
    herd_of(lambda h, i, X, Y: h.shared())


@misuse(
    RuntimeError,
    "channel 'c', put: tensor 'X' is in L3, and is outside of a segment, where the shims' DMAs belong",
)
def l3_channel_outside_of_a_segment():
    built(lambda X, Y: lambda: air.channel("c").put(X))


@misuse(RuntimeError, "extern kernel 'f' is called outside of the body of a herd; cores call kernels")
def extern_outside_of_a_herd():
    segment_of(lambda seg, X, Y: air.extern("f", object="f.o")())


@misuse(RuntimeError, "sequential is outside of the body of a herd or segment; a launch's grid is its loop")
def sequential_in_a_launch_body():
    built(lambda X, Y: lambda: air.sequential(0, 4))


@misuse(
    RuntimeError,
    "sequential is outside of the body of a herd or segment; call it in the function that @launch.body registers",
)
def sequential_outside_of_everything():
    air.sequential(0, 4)


@misuse(RuntimeError, "tensor 'F' belongs to another body, or to another launch")
def tensor_of_another_launch():
    foreign = air.tensor([64], i32, "F")
    air.launch(name="other")

    def body(h, i, X, Y):
        t = air.alloc([16], i32, scope=h.private())
        air.ops.load(t, foreign[0:16])

    herd_of(body)


@misuse(RuntimeError, "coordinate 'first[0]' belongs to another body, or to another launch")
def coordinate_of_another_herd():
    kept = []

    def launch_body(X, Y):
        def traced():
            with air.herd(range(4), name="first") as first:
                first.body(lambda i: kept.append(i))
            with air.herd(range(4), name="second") as second:

                @second.body
                def _(i):
                    t = air.alloc([16], i32, scope=second.private())
                    air.ops.load(t, X[kept[0] * 16 : kept[0] * 16 + 16])

        return traced

    built(launch_body)


@misuse(RuntimeError, "coordinate 'k' belongs to another body, or to another launch")
def loop_variable_after_its_loop():
    def body(h, i, X, Y):
        t = air.alloc([16], i32, scope=h.private())
        [k] = air.sequential(0, 4)
        air.ops.load(t, X[k * 16 : k * 16 + 16])

    herd_of(body)


# Bodies, launches and outputs


@misuse(RuntimeError, "launch 'kernel' has a body already; make another launch for another body")
def launch_body_twice():
    air.tensor([64], i32)
    launch = air.launch()
    launch.body(lambda: None)
    launch.body(lambda: None)


@misuse(RuntimeError, "herd 'herd_0' has a body already; open another herd for another body")
def herd_body_twice():
    def launch_body(X, Y):
        def traced():
            with air.herd(range(4)) as h:
                h.body(lambda i: None)
                h.body(lambda i: None)

        return traced

    built(launch_body)


@misuse(RuntimeError, "segment 'segment_0' has a body already; open another segment for another body")
def segment_body_twice():
    def launch_body(X, Y):
        def traced():
            with air.segment() as seg:
                seg.body(lambda: None)
                seg.body(lambda: None)

        return traced

    built(launch_body)


@misuse(RuntimeError, "launch 'kernel' has no body; register one with @launch.body")
def launch_without_body():
    air.tensor([64], i32)
    air.launch().build("npu1")


@misuse(RuntimeError, "herd 'herd_0' has no body; register one with @herd.body")
def herd_without_body():
    def traced():
        with air.herd(range(4)):
            pass

    built(lambda X, Y: traced)


@misuse(RuntimeError, "segment 'segment_0' has no body; register one with @segment.body")
def segment_without_body():
    def traced():
        with air.segment():
            pass

    built(lambda X, Y: traced)


@misuse(RuntimeError, "launch 'kernel' has no tensors; declare them with air.tensor before the launch")
def launch_without_tensors():
    launch = air.launch()
    launch.body(lambda: None)
    launch.build("npu1")


@misuse(RuntimeError, "launch 'misused' has no outputs; write to a tensor with air.ops.store or a channel's get")
def launch_without_outputs():
    built(lambda X, Y: lambda: None)


@misuse(
    RuntimeError,
    "launch 'misused': tensor 'X' is an output and is declared before tensor 'Y', an input; declare outputs after inputs",
)
def output_before_an_input():
    def body(h, i, X, Y):
        t = air.alloc([16], i32, scope=h.private())
        air.ops.load(t, Y[i * 16 : i * 16 + 16])
        air.ops.store(t, X[i * 16 : i * 16 + 16])

    herd_of(body)


@misuse(
    TypeError,
    "the body of the launch has 0 parameters, and its grid has 2 dimensions: it takes exactly one coordinate for "
    "each (one with a default counts, too: use the enclosing function's variable)",
)
def arity_of_a_launch_body():
    built(lambda X, Y: lambda: None, grid=[range(2), range(2)])


@misuse(
    TypeError,
    "the body of the launch has 1 parameter, and its grid has 0 dimensions: it takes exactly one coordinate for "
    "each (one with a default counts, too: use the enclosing function's variable)",
)
def arity_of_a_gridless_launch_body():
    built(lambda X, Y: lambda i: None)


@misuse(
    TypeError,
    "the body of the segment has 0 parameters, and its grid has 1 dimension: it takes exactly one coordinate for "
    "each (one with a default counts, too: use the enclosing function's variable)",
)
def arity_of_a_segment_body():
    built(lambda X, Y: lambda: air.segment(range(2)).body(lambda: None))


@misuse(
    TypeError,
    "the body of the herd has 1 parameter, and its grid has 2 dimensions: it takes exactly one coordinate for each "
    "(one with a default counts, too: use the enclosing function's variable)",
)
def arity_of_a_herd_body():
    built(lambda X, Y: lambda: air.herd([range(4), range(4)]).body(lambda i: None))


@misuse(
    TypeError,
    "the body of the herd has 2 parameters, and its grid has 1 dimension: it takes exactly one coordinate for each "
    "(one with a default counts, too: use the enclosing function's variable)",
)
def defaulted_capture():
    built(lambda X, Y: lambda: air.herd(range(4)).body(lambda i, n=4: None))


@misuse(TypeError, "launch.body registers a function, got 5")
def body_is_no_function():
    built(lambda X, Y: 5)


@misuse(
    ValueError,
    "launch: target is 'npu9', expected 'auto' or one of npu1, npu1_1col, npu1_2col, npu1_3col, npu2, npu2_1col, "
    "npu2_2col, npu2_3col, npu2_4col, npu2_5col, npu2_6col, npu2_7col",
)
def unknown_target():
    air.tensor([64], i32)
    launch = air.launch()
    launch.body(lambda: None)
    launch.build("npu9")


# Iteration spaces


@misuse(NotImplementedError, "launch: the grid has 3 dimensions; at most 2 are there")
def launch_grid_of_three_dimensions():
    air.launch([range(2), range(2), range(2)])


@misuse(NotImplementedError, "herd: the grid has 3 dimensions; at most 2 are there")
def herd_grid_of_three_dimensions():
    built(lambda X, Y: lambda: air.herd([range(2), range(2), range(2)]))


@misuse(NotImplementedError, "launch: axis 0 of the grid starts at 8; ranges start at 0")
def start_that_is_not_zero():
    air.launch(range(8, 64, 8))


@misuse(
    ValueError,
    "launch: axis 0 of the grid, range(0, 100, 32), ends in a partial tile: the step 32 does not divide the extent 100",
)
def partial_tiles():
    air.launch(range(0, 100, 32))


@misuse(ValueError, "launch: axis 0 of the grid, range(0, 0), is empty")
def empty_range():
    air.launch(range(0))


@misuse(ValueError, "launch: axis 0 of the grid, range(0, -64, -8), is empty")
def negative_step():
    air.launch(range(0, -64, -8))


@misuse(ValueError, "launch: axis 0 of the grid has steps that are not uniform: [0, 1, 3]")
def steps_that_are_not_uniform():
    air.launch(product([0, 1, 3], range(2)))


@misuse(
    ValueError,
    "launch: axis 1 of the product has one value, 0, so its step is unknown; give a list of ranges instead of"
    " itertools.product",
)
def product_with_an_axis_of_one_value():
    air.launch(product(range(0, 64, 32), range(0, 32, 32)))


@misuse(ValueError, "launch: the grid is empty")
def empty_product():
    air.launch(product(range(0), range(4)))


@misuse(TypeError, "launch: the grid is a range, a list of ranges, or itertools.product of ranges, got [4, 4]")
def grid_of_integers():
    air.launch([4, 4])


@misuse(TypeError, "herd: the grid is a range, a list of ranges, or itertools.product of ranges, got 4")
def grid_that_is_an_integer():
    built(lambda X, Y: lambda: air.herd(4))


@misuse(ValueError, "herd: shape [3, 2] does not divide the grid [4, 4]: axis 0 has 4 tiles for 3 cores")
def shape_that_does_not_divide():
    built(lambda X, Y: lambda: air.herd([range(4), range(4)], shape=(3, 2)))


@misuse(ValueError, "herd: shape [2] is of rank 1, and the grid [4, 4] of rank 2")
def shape_of_another_rank():
    built(lambda X, Y: lambda: air.herd([range(4), range(4)], shape=(2,)))


@misuse(TypeError, "herd: shape is '2', expected integers")
def shape_that_is_no_integer():
    built(lambda X, Y: lambda: air.herd(range(4), shape="2"))


# Index expressions


@misuse(TypeError, "a product of two coordinates is not affine; multiply a coordinate by an integer only")
def product_of_coordinates():
    herd_of(lambda h, i, X, Y: i * i)


@misuse(TypeError, "a coordinate cannot be the divisor of `//`; divide by a positive integer")
def coordinate_as_divisor():
    herd_of(lambda h, i, X, Y: 64 // i)


@misuse(TypeError, "a coordinate cannot be the divisor of `%`; divide by a positive integer")
def coordinate_as_modulus():
    herd_of(lambda h, i, X, Y: i % i)


@misuse(ValueError, "the divisor of `//` is 0, expected a positive integer")
def divisor_that_is_not_positive():
    herd_of(lambda h, i, X, Y: i // 0)


@misuse(ValueError, "the divisor of `%` is -2, expected a positive integer")
def modulus_that_is_not_positive():
    herd_of(lambda h, i, X, Y: i % -2)


@misuse(TypeError, "`/` of a coordinate is not supported: an index is an integer; write `//`, by a positive integer")
def coordinate_divided_truly():
    herd_of(lambda h, i, X, Y: i / 2)


@misuse(TypeError, "`/` of a coordinate is not supported: an index is an integer; write `//`, by a positive integer")
def coordinate_as_true_divisor():
    herd_of(lambda h, i, X, Y: 2 / i)


@misuse(TypeError, "a coordinate `*` 2.5: the other operand is an integer or a symbol")
def coordinate_times_a_float():
    herd_of(lambda h, i, X, Y: i * 2.5)


@misuse(TypeError, "a coordinate `//` 2.0: the divisor is a positive integer or a symbol")
def coordinate_by_a_float():
    herd_of(lambda h, i, X, Y: i // 2.0)


@misuse(TypeError, "a coordinate `%` None: the divisor is a positive integer or a symbol")
def coordinate_modulo_nothing():
    herd_of(lambda h, i, X, Y: i % None)


@misuse(TypeError, "a coordinate `+` 'a': the other operand is an integer, a symbol or a coordinate")
def coordinate_plus_a_string():
    herd_of(lambda h, i, X, Y: i + "a")


@misuse(TypeError, "a coordinate `-` 0.5: the other operand is an integer, a symbol or a coordinate")
def float_minus_coordinate():
    herd_of(lambda h, i, X, Y: 0.5 - i)


@misuse(TypeError, "a coordinate has no value while the program is traced: it cannot be compared")
def coordinate_that_decides():
    herd_of(lambda h, i, X, Y: 1 if i == 0 else 2)


@misuse(
    TypeError,
    "a coordinate has no value while the program is traced; air.sequential loops over constant bounds",
)
def coordinate_as_a_bound():
    herd_of(lambda h, i, X, Y: range(i))


# Buffers


@misuse(ValueError, "alloc needs a scope: scope=herd.private() for L1, segment.private() for L2")
def alloc_without_scope():
    herd_of(lambda h, i, X, Y: air.alloc([16], i32))


@misuse(TypeError, "alloc: scope is 'L1', expected herd.private(), segment.private() or segment.shared()")
def alloc_with_another_scope():
    herd_of(lambda h, i, X, Y: air.alloc([16], i32, scope="L1"))


@misuse(TypeError, "alloc takes a type of air.api, such as air.api.bf16, got 'int32'")
def alloc_of_a_numpy_type():
    herd_of(lambda h, i, X, Y: air.alloc([16], "int32", scope=h.private()))


@misuse(ValueError, "alloc: vector is -1, expected a number of lanes, or 0 for scalar loops")
def negative_vector():
    herd_of(lambda h, i, X, Y: air.alloc([16], i32, scope=h.private(), vector=-1))


@misuse(NotImplementedError, "alloc: L1 buffers are not allocated inside air.sequential; allocate before the loop")
def l1_in_a_loop():
    def body(h, i, X, Y):
        for _ in air.sequential(0, 4):
            air.alloc([16], i32, scope=h.private())

    herd_of(body)


@misuse(
    ValueError,
    "alloc: a buffer of segment.shared() has a packed shape, one slab a core: micro_tile(...).c(M, N, lead=...)",
)
def shared_that_is_not_packed():
    segment_of(lambda seg, X, Y: air.alloc([16], i32, scope=seg.shared()))


@misuse(ValueError, "alloc: [128, 129] of i32 takes 64.5 KB, and L1 has 64 KB a core; use smaller tiles")
def buffer_over_the_budget_of_l1():
    herd_of(lambda h, i, X, Y: air.alloc([128, 129], i32, scope=h.private()))


@misuse(
    ValueError,
    "alloc: with [96, 96] of i32 the live buffers need 72 KB, and L1 has 64 KB a core; use smaller "
    "tiles, or deallocate unused buffers",
)
def buffers_over_the_budget_of_l1():
    herd_of(lambda h, i, X, Y: [air.alloc([96, 96], i32, scope=h.private()) for _ in range(2)])


@misuse(ValueError, "alloc: [1024, 1024] of i32 takes 4096 KB, and L2 has 2048 KB on npu1; use smaller tiles")
def buffer_over_the_budget_of_l2():
    segment_of(lambda seg, X, Y: air.alloc([1024, 1024], i32, scope=seg.private()))


@misuse(
    ValueError,
    "alloc: with [512, 512] of i32 the live buffers need 3072 KB, and L2 has 2048 KB on npu1; use "
    "smaller tiles, or deallocate unused buffers",
)
def buffers_over_the_budget_of_l2():
    segment_of(lambda seg, X, Y: [air.alloc([512, 512], i32, scope=seg.private()) for _ in range(3)])


@misuse(ValueError, "alloc: [2, 2, 64, 32, 4, 4] of i32 takes 128 KB, and L1 has 64 KB a core; use smaller tiles")
def slab_over_the_budget_of_l1():
    mm = air.micro_tile(4, 8, 4)
    segment_of(lambda seg, X, Y: air.alloc(mm.c(128, 256, lead=(2, 2)), i32, scope=seg.shared()))


@misuse(RuntimeError, "dealloc: L1 buffer 't' is deallocated already")
def dealloc_twice():
    def body(h, i, X, Y):
        t = air.alloc([16], i32, scope=h.private())
        air.dealloc(t)
        air.dealloc(t)

    herd_of(body)


@misuse(RuntimeError, "L1 buffer 't' is used after air.dealloc(t) in line N: the use is in line N")
def use_after_dealloc():
    def body(h, i, X, Y):
        t = air.alloc([16], i32, scope=h.private())
        air.dealloc(t)
        t[:] = 0

    herd_of(body)


@misuse(
    RuntimeError,
    "dealloc: L1 buffer 't' was allocated in another body or loop; deallocate it where it was allocated",
)
def dealloc_in_another_region():
    def body(h, i, X, Y):
        t = air.alloc([16], i32, scope=h.private())
        for _ in air.sequential(0, 4):
            air.dealloc(t)

    herd_of(body)


@misuse(TypeError, "dealloc takes a buffer of air.alloc, got Tensor")
def dealloc_of_a_tensor():
    herd_of(lambda h, i, X, Y: air.dealloc(X))


# Subscripts


@misuse(IndexError, "tensor 'X': 1 subscript for 2 dimensions; give one for each")
def too_few_subscripts():
    herd_of(lambda h, i, X, Y: X[0:4], shape=(8, 8))


@misuse(IndexError, "tensor 'X': 2 subscripts for 1 dimension; give one for each")
def too_many_subscripts():
    herd_of(lambda h, i, X, Y: X[0:4, 0:4])


@misuse(NotImplementedError, "tensor 'X': `...` in a subscript is not supported; write a subscript for each dimension")
def ellipsis():
    herd_of(lambda h, i, X, Y: X[..., 0:4], shape=(8, 8))


@misuse(NotImplementedError, "tensor 'X', dimension 0: slices with a step are not supported; got a step of 2")
def slice_with_a_step():
    herd_of(lambda h, i, X, Y: X[0:16:2])


@misuse(
    ValueError,
    "tensor 'X', dimension 0: the size of a slice must be constant, and `hi - lo` is herd_0[0] * 16; write lo:lo + size",
)
def slice_of_a_size_that_is_not_constant():
    herd_of(lambda h, i, X, Y: X[0 : i * 16])


@misuse(ValueError, "tensor 'X', dimension 0: the slice has 0 elements, expected at least one")
def empty_slice():
    herd_of(lambda h, i, X, Y: X[16:16])


@misuse(IndexError, "tensor 'X', dimension 0: 96:128 is outside of the extent 64")
def slice_outside_of_the_extent():
    herd_of(lambda h, i, X, Y: X[i * 32 : i * 32 + 32])


@misuse(IndexError, "tensor 'X', dimension 0: -16:0 is outside of the extent 64")
def negative_subscript():
    herd_of(lambda h, i, X, Y: X[-16:0])


@misuse(TypeError, "tensor 'X', dimension 0: a subscript is an integer, a coordinate, or a sum of these, got 1.5")
def subscript_of_another_kind():
    herd_of(lambda h, i, X, Y: X[1.5])


@misuse(TypeError, "tensor 'X' cannot be assigned to: it is in L3; write to it with air.ops.store")
def assignment_to_a_tensor():
    herd_of(lambda h, i, X, Y: X.__setitem__(slice(0, 16), 0))


@misuse(
    NotImplementedError,
    "L1 buffer 't': assignment to a region is not supported; assign to all of it (`t[:] = ...`) or use air.ops.load",
)
def assignment_to_a_region():
    def body(h, i, X, Y):
        t = air.alloc([16], i32, scope=h.private())
        t[0:8] = 0

    herd_of(body)


@misuse(
    TypeError,
    "L2 buffer 't': a memtile does not compute; name the buffer itself for a transfer of all of it, and load it "
    "into L1 to compute",
)
def l2_buffer_read_whole():
    def body(seg, X, Y):
        t = air.alloc([16], i32, scope=seg.private())
        return t[:]

    segment_of(body)


@misuse(
    TypeError,
    "L2 buffer 't': a memtile does not compute; name the buffer itself for a transfer of all of it, and load it "
    "into L1 to compute",
)
def l2_buffer_written_whole():
    def body(seg, X, Y):
        t = air.alloc([16], i32, scope=seg.private())
        t[:] = 0

    segment_of(body)


# Elementwise


def two_tiles(use, a=((16,), i32), b=((16,), i32)):
    def body(h, i, X, Y):
        use(air.alloc(a[0], a[1], scope=h.private()), air.alloc(b[0], b[1], scope=h.private()), i)

    herd_of(body)


@misuse(
    ValueError,
    "an L1 buffer [16] has shape [16], and an L1 buffer [32] has shape [32]; shapes must be the same",
)
def shapes_that_differ():
    two_tiles(lambda a, b, i: a.__setitem__(slice(None), b[:]), b=((32,), i32))


@misuse(ValueError, "an L1 buffer [16] is of i32, and an L1 buffer [16] is of f32; types must be the same")
def types_that_differ():
    two_tiles(lambda a, b, i: a.__setitem__(slice(None), b[:]), b=((16,), f32))


@misuse(
    TypeError,
    "a region of an L1 buffer [16] is in an elementwise expression (add), which takes whole tiles: load the "
    "region into a buffer of its own first",
)
def region_in_an_expression():
    two_tiles(lambda a, b, i: a[:] + b[0:16])


@misuse(TypeError, "an elementwise expression (add) takes whole tiles `t[:]`, numbers and coordinates, got str")
def unknown_object_in_an_expression():
    two_tiles(lambda a, b, i: a[:] + "1")


@misuse(TypeError, "an elementwise expression (add) takes whole tiles `t[:]`, numbers and coordinates, got ndarray")
def array_in_an_expression():
    two_tiles(lambda a, b, i: a[:] + np.zeros(16))


@misuse(TypeError, "an elementwise expression (=) takes whole tiles `t[:]`, numbers and coordinates, got Tensor")
def tensor_in_an_expression():
    def body(h, i, X, Y):
        t = air.alloc([64], i32, scope=h.private())
        t[:] = X

    herd_of(body)


@misuse(TypeError, "maximum takes at least one tile, got two scalars; use Python's max()")
def maximum_of_scalars():
    two_tiles(lambda a, b, i: air.ops.maximum(1, 2))


@misuse(TypeError, "relu takes a tile or an elementwise expression, got int")
def relu_of_a_scalar():
    two_tiles(lambda a, b, i: air.ops.relu(1))


@misuse(ValueError, "0.5 in an expression of i32 is not whole; use an integer, or buffers of a float type")
def fraction_in_an_integer_expression():
    two_tiles(lambda a, b, i: a.__setitem__(slice(None), a[:] * 0.5))


@misuse(ValueError, "300 does not fit into i8, whose values are -128 to 127")
def number_that_does_not_fit():
    two_tiles(lambda a, b, i: a.__setitem__(slice(None), 300), a=((32,), i8))


@misuse(NotImplementedError, "a coordinate in an expression of f32 is not supported; coordinates are scalars of integers")
def coordinate_in_a_float_expression():
    two_tiles(lambda a, b, i: a.__setitem__(slice(None), a[:] + i), a=((16,), f32))


@misuse(NotImplementedError, "tanh of i32 is not supported; it takes bf16, f16 or f32")
def tanh_of_integers():
    two_tiles(lambda a, b, i: a.__setitem__(slice(None), air.ops.tanh(a[:])))


@misuse(NotImplementedError, "an L1 buffer [32] is of ui8: unsigned types can be moved and copied whole; use i8 to compute")
def arithmetic_of_unsigned():
    two_tiles(lambda a, b, i: a.__setitem__(slice(None), a[:] + 1), a=((32,), ui8))


@misuse(NotImplementedError, "an L1 buffer [32] is of ui8: unsigned types can be moved and copied whole; use i8 to compute")
def fill_of_unsigned():
    two_tiles(lambda a, b, i: a.__setitem__(slice(None), 0), a=((32,), ui8))


@misuse(
    NotImplementedError,
    "an L1 buffer [1, 1, 4, 4, 4, 4] in an elementwise expression for an L1 buffer [1, 1, 4, 4, 4, 4]: packed "
    "buffers can only be filled with a number",
)
def arithmetic_of_packed():
    mm = air.micro_tile(4, 8, 4)
    two_tiles(lambda a, b, i: a.__setitem__(slice(None), a[:] + 1), a=(mm.c(16, 16), i32))


# Transfers


def tile_and_tensors(use, shape=(16,), dtype=i32):
    def body(h, i, X, Y):
        use(air.alloc(shape, dtype, scope=h.private()), X, Y)

    herd_of(body)


@misuse(TypeError, "load: the destination is tensor 'X', which is in L3; write to it with air.ops.store")
def load_into_a_tensor():
    tile_and_tensors(lambda t, X, Y: air.ops.load(X[0:16], t))


@misuse(TypeError, "store: the source is tensor 'X', which is in L3; read from it with air.ops.load")
def store_from_a_tensor():
    tile_and_tensors(lambda t, X, Y: air.ops.store(X[0:16], t))


@misuse(TypeError, "load: the destination is a region of an L1 buffer [16]; load fills a whole buffer")
def load_into_a_region():
    tile_and_tensors(lambda t, X, Y: air.ops.load(t[0:8], X[0:8]))


@misuse(TypeError, "load takes a tensor, a buffer, or a region of one, got int")
def load_from_something_else():
    tile_and_tensors(lambda t, X, Y: air.ops.load(t, 5))


@misuse(
    TypeError,
    "load: from L1 to L1, from an L1 buffer [16] to an L1 buffer [16]; load goes L3 to L2, L3 to L1, L2 to L1",
)
def load_from_l1():
    two_tiles(lambda a, b, i: air.ops.load(a, b))


@misuse(
    ValueError,
    "load: [8] of tensor 'X' into [16] of an L1 buffer [16]; shapes must be the same up to leading ones",
)
def load_of_another_shape():
    tile_and_tensors(lambda t, X, Y: air.ops.load(t, X[0:8]))


@misuse(ValueError, "store: an L1 buffer [16] is of f32, and tensor 'Y' is of i32; types must be the same")
def store_of_another_type():
    tile_and_tensors(lambda t, X, Y: air.ops.store(t, Y[0:16]), dtype=f32)


@misuse(NotImplementedError, "load: pad_after is not supported; transfers do not pad")
def load_that_pads():
    tile_and_tensors(lambda t, X, Y: air.ops.load(t, X[0:8], pad_after=[8]))


@misuse(NotImplementedError, "store: pad_before is not supported; transfers do not pad")
def store_that_pads():
    tile_and_tensors(lambda t, X, Y: air.ops.store(t, Y[0:16], pad_before=[0]))


@misuse(TypeError, "load: a dependency is a token or a list of tokens, got int")
def dependency_that_is_no_token():
    tile_and_tensors(lambda t, X, Y: air.ops.load(t, X[0:16], dependency=[air.Token(), 5]))


@misuse(TypeError, "load: a dependency is a token or a list of tokens, got NoneType")
def dependency_of_nothing():
    tile_and_tensors(lambda t, X, Y: air.ops.load(t, X[0:16], dependency=[None]))


@misuse(TypeError, "wait: a dependency is a token or a list of tokens, got str")
def wait_for_something_else():
    air.wait(air.Token(), "token")


# Products


def products(use, *shapes, dtypes=(i32, i32, i32)):
    def body(h, i, X, Y):
        use(*(air.alloc(s, d, scope=h.private()) for s, d in zip(shapes, dtypes, strict=True)))

    herd_of(body)


@misuse(TypeError, "dot: acc is missing; dot adds the product to the buffer acc")
def dot_without_acc():
    products(lambda a, b, c: air.ops.dot(a, b), [4, 8], [8, 4], [4, 4])


@misuse(TypeError, "dot: b is int, expected a whole buffer in L1")
def dot_of_a_number():
    products(lambda a, b, c: air.ops.dot(a, 5, acc=c), [4, 8], [8, 4], [4, 4])


@misuse(TypeError, "dot: a is L2 buffer 'a2', and a memtile does not compute; load it into L1")
def dot_of_an_l2_buffer():
    def body(seg, X, Y):
        a2 = air.alloc([4, 8], i32, scope=seg.private())
        with air.herd(range(4)) as h:

            @h.body
            def _(i):
                b, c = (air.alloc(s, i32, scope=h.private()) for s in ([8, 4], [4, 4]))
                air.ops.dot(a2, b, acc=c)

    segment_of(body)


@misuse(TypeError, "dot: kernel is 5, expected the name of a function")
def dot_by_a_kernel_that_is_no_string():
    products(lambda a, b, c: air.ops.dot(a, b, acc=c, kernel=5), [4, 8], [8, 4], [4, 4])


@misuse(ValueError, "dot: a [4, 8] has 8 columns, and b [4, 8] has 4 rows; they must be the same")
def dot_of_extents_that_do_not_fit():
    products(lambda a, b, c: air.ops.dot(a, b, acc=c), [4, 8], [4, 8], [4, 4])


@misuse(ValueError, "dot: acc has shape [4, 8], expected [4, 4]")
def dot_into_another_shape():
    products(lambda a, b, c: air.ops.dot(a, b, acc=c), [4, 8], [8, 4], [4, 8])


@misuse(ValueError, "dot: acc is of i32, and the operands are floats; use an accumulator of f32")
def dot_of_floats_into_integers():
    products(lambda a, b, c: air.ops.dot(a, b, acc=c), [4, 8], [8, 4], [4, 4], dtypes=(bf16, bf16, i32))


@misuse(ValueError, "dot: acc is of i8, which is narrower than the operands, i32 and i32; use a wider one")
def dot_into_a_narrower_type():
    products(lambda a, b, c: air.ops.dot(a, b, acc=c), [4, 8], [8, 4], [4, 4], dtypes=(i32, i32, i8))


@misuse(NotImplementedError, "dot: alpha is 2.0; only 1 is there")
def dot_with_alpha():
    products(lambda a, b, c: air.ops.dot(a, b, acc=c, alpha=2.0), [4, 8], [8, 4], [4, 4])


@misuse(NotImplementedError, "dot: operands of ranks 3 and 2 are not supported; ranks are 1 and 2, or packed")
def dot_of_rank_three():
    products(lambda a, b, c: air.ops.dot(a, b, acc=c), [1, 4, 8], [8, 4], [4, 4])


@misuse(NotImplementedError, "dot: transpose_b takes operands of rank 2, got ranks 2 and 1")
def transpose_of_a_vector():
    products(lambda a, b, c: air.ops.dot(a, b, acc=c, transpose_b=True), [4, 8], [8], [4])


@misuse(NotImplementedError, "dot: an L1 buffer [4, 8] is of ui8: unsigned types are for moving only; use i8")
def dot_of_unsigned():
    products(lambda a, b, c: air.ops.dot(a, b, acc=c), [4, 8], [8, 4], [4, 4], dtypes=(ui8, ui8, i32))


# Packed operands

MM, OTHER = air.micro_tile(4, 8, 4), air.micro_tile(4, 4, 4)


@misuse(ValueError, "micro_tile: m is 0, expected a positive integer")
def micro_tile_that_is_not_positive():
    air.micro_tile(0, 8, 4)


@misuse(TypeError, "micro_tile: k is 8.0, expected an integer")
def micro_tile_that_is_no_integer():
    air.micro_tile(4, 8.0, 4)


@misuse(ValueError, "micro_tile: K of A is 12, not a multiple of the micro-tile's k = 8")
def extent_that_is_no_multiple():
    MM.a(16, 12)


@misuse(ValueError, "dot: the operands are packed for different micro-tiles: A 4 x 4 x 4, B 4 x 8 x 4, C 4 x 8 x 4")
def mixed_micro_tiles():
    products(lambda a, b, c: air.ops.dot(a, b, acc=c), OTHER.a(16, 16), MM.b(16, 16), MM.c(16, 16))


@misuse(ValueError, "dot: a has the shape of a packed B, expected a packed A")
def wrong_role():
    products(lambda a, b, c: air.ops.dot(b, a, acc=c), MM.a(16, 16), MM.b(16, 16), MM.c(16, 16))


@misuse(ValueError, "dot: extents do not fit: A is 16 x 16, B is 32 x 16, C is 16 x 16")
def packed_extents_that_do_not_fit():
    products(lambda a, b, c: air.ops.dot(a, b, acc=c), MM.a(16, 16), MM.b(32, 16), MM.c(16, 16))


@misuse(TypeError, "dot: b is an L1 buffer [16, 16], which is not packed; either all operands are packed, or none")
def one_operand_that_is_not_packed():
    products(lambda a, b, c: air.ops.dot(a, b, acc=c), MM.a(16, 16), [16, 16], MM.c(16, 16))


@misuse(
    TypeError,
    "store: an L1 buffer [1, 1, 2, 2, 4, 4] is packed and stored whole; name the rows and columns, as in acc[x, y, "
    ":, :], so that it is unpacked",
)
def packed_buffer_stored_whole():
    tile_and_tensors(lambda t, X, Y: air.ops.store(t, Y), shape=MM.c(8, 8))


@misuse(
    TypeError,
    "load: the source, L2 buffer 'a2', is packed; only packed accumulators can be drained, by air.ops.store",
)
def packed_buffer_as_a_source():
    def body(seg, X, Y):
        a2 = air.alloc(MM.a(16, 16), i32, scope=seg.private())
        with air.herd(range(4)) as h:

            @h.body
            def _(i):
                air.ops.load(air.alloc([256], i32, scope=h.private()), a2)

    segment_of(body)


@misuse(NotImplementedError, "load: packing an accumulator (C) is not supported; fill it with a number instead")
def load_into_an_accumulator():
    herd_of(lambda h, i, X, Y: air.ops.load(air.alloc(MM.c(8, 8), i32, scope=h.private()), X), shape=(8, 8))


@misuse(TypeError, "load: all of tensor 'X' is named; a packed A takes a region, rows and columns by lo:hi")
def packed_load_of_a_whole_source():
    herd_of(lambda h, i, X, Y: air.ops.load(air.alloc(MM.a(8, 8), i32, scope=h.private()), X), shape=(8, 8))


@misuse(
    ValueError,
    "load: the region [1, 1, 4, 8] of tensor 'X' is not the [1, 1, 8, 8] of the packed A; shapes must be the same",
)
def packed_load_of_another_shape():
    herd_of(lambda h, i, X, Y: air.ops.load(air.alloc(MM.a(8, 8), i32, scope=h.private()), X[0:4, 0:8]), shape=(8, 8))


@misuse(
    ValueError,
    "L1 buffer 'acc' leads with [4, 2], and the herd has the shape [2, 2]: each core needs a slab of its own",
)
def lead_that_is_not_the_herd_s():
    def body(seg, X, Y):
        acc = air.alloc(MM.c(8, 8, lead=(4, 2)), i32, scope=seg.shared())
        with air.herd([range(2), range(2)], shape=(2, 2)) as h:

            @h.body
            def _(x, y):
                acc[:] = 0

    segment_of(body)


# Channels


@misuse(ValueError, "channel 'c', put: indices [0] for a channel without a size; declare it with size=")
def indices_without_size():
    segment_of(lambda seg, X, Y: air.channel("c").put(X, indices=[0]))


@misuse(TypeError, "channel 'c': size is 4, expected a list of integers")
def size_that_is_an_integer():
    air.channel("c", size=4)


@misuse(ValueError, "channel 'c', put: 1 index for a channel of size [2, 2]; give 2")
def indices_of_another_rank():
    segment_of(lambda seg, X, Y: air.channel("c", size=[2, 2]).put(X, indices=[0]))


@misuse(ValueError, "channel 'c', put: index 2 is outside of the size [2]")
def index_out_of_range():
    segment_of(lambda seg, X, Y: air.channel("c", size=[2]).put(X, indices=[2]))


@misuse(ValueError, "channel 'c', put: indices are missing; the channel has the size [2]")
def indices_that_are_missing():
    segment_of(lambda seg, X, Y: air.channel("c", size=[2]).put(X))


@misuse(ValueError, "channel 'c': broadcast_shape needs a size: size= tells how many puts there are")
def broadcast_without_size():
    air.channel("c", broadcast_shape=[1, 4])


@misuse(ValueError, "channel 'c': broadcast_shape [1, 4] is not a whole multiple of the size [1]")
def broadcast_of_another_rank():
    air.channel("c", size=[1], broadcast_shape=[1, 4])


@misuse(ValueError, "channel 'c': broadcast_shape [2, 3] is not a whole multiple of the size [2, 2]")
def broadcast_that_is_no_multiple():
    air.channel("c", size=[2, 2], broadcast_shape=[2, 3])


@misuse(ValueError, "channel 'c', put: index 1 is outside of the size [1, 1]")
def put_outside_of_the_size():
    segment_of(lambda seg, X, Y: air.channel("c", size=[1, 1], broadcast_shape=[1, 4]).put(X, indices=[0, 1]))


@misuse(NotImplementedError, "channel 'c': channel_type is not supported yet; use air.dialects.air for it")
def channel_type():
    air.channel("c", channel_type="npu_cascade")


@misuse(NotImplementedError, "channel 'c', put: packet_ids is not supported yet; use air.dialects.air for it")
def put_with_packet_ids():
    air.channel("c").put(None, packet_ids=[1])


@misuse(TypeError, "channel 'c': there is no keyword 'depth'")
def unknown_keyword():
    air.channel("c", depth=2)


@misuse(TypeError, "channel 'c', put takes a tensor, a buffer, or a region of one, got int")
def put_of_something_else():
    segment_of(lambda seg, X, Y: air.channel("c").put(5))


@misuse(TypeError, "channel 'c', put: pack= takes a region, such as X[:, :], got all of tensor 'X'")
def pack_of_a_whole_tensor():
    segment_of(lambda seg, X, Y: air.channel("c").put(X, pack=MM.a(8, 8)), shape=(8, 8))


@misuse(NotImplementedError, "channel 'c', put: packing an accumulator (C) is not supported; fill it with a number instead")
def pack_of_an_accumulator():
    segment_of(lambda seg, X, Y: air.channel("c").put(X[:, :], pack=MM.c(8, 8)), shape=(8, 8))


@misuse(ValueError, "channel 'c' is declared twice; give each channel a name of its own")
def two_channels_of_one_name():
    segment_of(lambda seg, X, Y: [air.channel("c").put(X), air.channel("c").get(Y)])


@misuse(ValueError, "channel 'misused' has the name of the launch or of another declaration; give it a name of its own")
def a_channel_with_the_name_of_the_launch():
    segment_of(lambda seg, X, Y: air.channel("misused").put(X))


# Extern kernels


@misuse(ValueError, "extern kernel 'f' needs its object file: object='f.o'")
def extern_without_object():
    air.extern("f")


@misuse(TypeError, "extern kernel 'f' is called with 0 scalars, and scalars= declares 1")
def extern_with_another_count_of_scalars():
    two_tiles(lambda a, b, i: air.extern("f", object="f.o", scalars=[i32])(a, b))


@misuse(TypeError, "extern kernel 'f': a coordinate for a scalar of f32; coordinates are integers")
def coordinate_for_a_float_scalar():
    two_tiles(lambda a, b, i: air.extern("f", object="f.o", scalars=[f32])(i, a))


@misuse(NotImplementedError, "extern kernel 'f': scalars of ui8 are not supported; use i8")
def unsigned_scalar():
    air.extern("f", object="f.o", scalars=[ui8])


@misuse(
    TypeError,
    "extern kernel 'f' is called with (memref<32xi32, 2 : i32>), and before with (memref<16xi32, 2 : i32>); all "
    "calls have the same types",
)
def extern_called_with_other_types():
    def use(a, b, i):
        f = air.extern("f", object="f.o")
        f(a)
        f(b)

    two_tiles(use, b=((32,), i32))


@misuse(ValueError, "extern kernel 'g' is in g.o, and the herd links with f.o; a herd links with one object")
def two_objects_in_one_herd():
    def use(a, b, i):
        air.extern("f", object="f.o")(a)
        air.extern("g", object="g.o")(a)

    two_tiles(use)


@misuse(TypeError, "extern kernel 'f' is passed a region of an L1 buffer [16]; kernels take whole buffers")
def extern_of_a_region():
    two_tiles(lambda a, b, i: air.extern("f", object="f.o")(a[0:8]))


@misuse(TypeError, "extern kernel 'f' is passed Tensor; kernels take whole buffers, numbers and coordinates")
def extern_of_a_tensor():
    herd_of(lambda h, i, X, Y: air.extern("f", object="f.o")(X))


# Loops


@misuse(TypeError, "sequential: stop is herd_0[0], expected an integer or a symbol")
def bound_that_is_a_coordinate():
    herd_of(lambda h, i, X, Y: air.sequential(0, i))


@misuse(TypeError, "sequential: stop is 4.0, expected an integer or a symbol")
def bound_that_is_a_float():
    herd_of(lambda h, i, X, Y: air.sequential(0, 4.0))


@misuse(ValueError, "sequential: the step is 0, expected a positive one")
def step_that_is_not_positive():
    herd_of(lambda h, i, X, Y: air.sequential(0, 4, 0))


@misuse(ValueError, "sequential: the step 4 does not divide the extent 10; there are no partial steps")
def step_that_does_not_divide():
    herd_of(lambda h, i, X, Y: air.sequential(0, 10, 4))


@misuse(ValueError, "sequential: 4 to 4 is empty")
def loop_that_is_empty():
    herd_of(lambda h, i, X, Y: air.sequential(4, 4))


@misuse(
    RuntimeError,
    "the body of the herd left air.sequential (k, line N) early: a loop runs to its end; break and return cannot leave it",
)
def break_out_of_a_loop():
    def body(h, i, X, Y):
        for k in air.sequential(0, 4):
            if repr(k) == "k":
                break

    herd_of(body)


# Symbols, tensors, types


@misuse(TypeError, "symbol's hint must be an integer, got [32, 64]")
def hint_that_is_a_list():
    air.symbol(hint=[32, 64])


@misuse(TypeError, "symbol's choices are a list of integers, got 64")
def choices_that_are_a_scalar():
    air.symbol(choices=64)


@misuse(TypeError, "symbol's choices must be integers, got '64'")
def choices_that_are_no_integers():
    air.symbol(choices=[32, "64"])


@misuse(ValueError, "symbol's choices are empty; give at least one integer")
def choices_that_are_empty():
    air.symbol(choices=[])


@misuse(ValueError, "symbol's hint 48 is not among its choices [32, 64]")
def hint_that_is_no_choice():
    air.symbol(choices=[32, 64], hint=48)


@misuse(TypeError, "tensor: the shape is 64, expected a list of integers")
def tensor_without_a_list():
    air.tensor(64, i32)


@misuse(ValueError, "tensor: the shape [64, 0] has an extent of 0, expected at least 1")
def tensor_without_elements():
    air.tensor([64, 0], i32)


@misuse(TypeError, "tensor takes a type of air.api, such as air.api.bf16, got <class 'int'>")
def tensor_of_a_numpy_type():
    air.tensor([64], int)


@misuse(TypeError, "no type of air.api for 'float64'; there are bf16, f16, f32, i8, i16, i32, ui8, ui16, ui32")
def type_that_is_not_there():
    air.dtype_of("float64")


@misuse(TypeError, "tensor: name is 7, expected a string")
def tensor_whose_name_is_a_number():
    air.tensor([64], i32, name=7)


@misuse(TypeError, "symbol: name is ['n'], expected a string")
def symbol_whose_name_is_a_list():
    air.symbol(name=["n"])


@misuse(TypeError, "herd: name is 1.5, expected a string")
def herd_whose_name_is_a_number():
    built(lambda X, Y: lambda: air.herd(range(4), name=1.5))


@misuse(TypeError, "compile takes a launch, got None")
def compiling_nothing():
    air.compile(None)


@misuse(ValueError, "reduce: kind is ['sum'], expected one of sum, max, min")
def reduce_of_several_kinds():
    def body(h, i, X, Y):
        src, acc = (air.alloc(shape, i32, scope=h.private()) for shape in ([4, 4], [4]))
        air.ops.reduce(src, acc, kind=["sum"])

    herd_of(body)


# What is announced


ANNOUNCED = [
    "parallel", "BlockType", "Field", "Scratchpad", "Cascade", "Adjacency", "Broadcast", "CacheDomain", "Disjoint", "Fabric",
    "requires", "jit", "ops.stack", "ops.dequant", "ops.atomic_add", "ops.copy",
]  # fmt: skip


@pytest.mark.parametrize("name", ANNOUNCED)
def test_announced(name):
    function = air
    for part in name.split("."):
        function = getattr(function, part)
    with pytest.raises(NotImplementedError, match=rf"air\.{name} is announced and not implemented yet"):
        function()


@pytest.mark.parametrize("name", CASES)
def test_misuse(name):
    function, kind, message = CASES[name]
    with pytest.raises(kind) as raised:
        function()
    error = raised.value
    assert re.sub(r"line \d+", "line N", str(error)) == message
    assert type(error).__name__ == kind.__name__
    assert isinstance(error, AlloAirError)
    [diagnostic] = error.diagnostics
    assert diagnostic.file == __file__
    assert diagnostic.line in _lines(function) or _may_be_told_later(diagnostic.line)


def _lines(function):
    lines, first = inspect.getsourcelines(function)
    return range(first, first + len(lines))


def _may_be_told_later(line):
    """What shows only when a body ends, or a module is whole, is told at a helper's line."""
    return any(line in _lines(helper) for helper in (built, segment_of, herd_of, two_tiles))
