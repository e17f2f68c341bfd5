"""Every misuse, with the message that it gets, at the line of Python."""

import re
from pathlib import Path

import numpy as np
import pytest

import allo_air as allo
import allo_air.dataflow as df
from allo_air.errors import AlloAirError
from allo_air.ir.types import Stream, Struct, float32, int8, int32, int64, int128
from allo_air.memory import Layout

S, R = Layout.Shard, Layout.Replicate
HERE = Path(__file__).name


def refused(attempt, message, code=None):
    """The error's text, and that it points at the line of this file that has `code`."""
    with pytest.raises(AlloAirError) as caught:
        attempt()
    assert message in str(caught.value)
    if code is not None:
        line = int(re.search(rf"{HERE}:(\d+):", str(caught.value))[1])
        assert code in Path(__file__).read_text().splitlines()[line - 1]


def functions():
    def no_type(A):
        pass

    def unknown_name(A: int32[4]):
        A[0] = missing + 1

    def misspelled(A: int32[4, 4]):
        A[:, :] = allo.matmull(A, A)

    def misspelled_name(A: int32[4]):
        totals: int32 = 0
        A[0] = total + 1

    def outside(A: int32[4]):
        A[4] = 0

    def too_many(A: int32[4]):
        A[0, 0] = 1

    def does_not_fit(A: int32[4, 4], B: int32[3]):
        A[:, :] = A + B

    def product(A: int32[4, 4], B: int32[3, 4]):
        A[:, :] = allo.matmul(A, B)

    def returns(A: int32[4]) -> int32[5]:
        return A

    def length(A: int32[8], n: int32):
        A[0:n] = 0

    def lists(A: int32[4]):
        A[0] = [i for i in range(3)]

    def returns_in_a_loop(A: int32[4]) -> int32:
        for i in range(4):
            if A[i] > 3:
                return A[i]
        return 0

    def returns_nothing(n: int32) -> int32:
        if n > 3:
            return 1
        return None

    def loop_variable(A: int32[4]):
        for i in range(4):
            i = 2
            A[i] = 0

    def unbound(A: int32[4]):
        A.sort()

    def recursive(A: int32[4]):
        recursive(A)

    def floats(A: float32[4]):
        A[0] = A[1] | A[2]

    def for_else(A: int32[4]):
        for i in range(4):
            A[i] = 0
        else:
            A[0] = 1

    def break_in_meta_for(A: int32[4]):
        for i in range(4):
            with allo.meta_for(3) as j:
                A[i] += j
                if A[i] > 3:
                    break

    def shapes(n: int32):
        A: int32[n] = 0

    def asserts(A: int32[4], n: int32):
        assert A.shape == (4,)
        assert n > 3

    def sizes(A: int32[4], n: float32):
        for i, j in allo.grid(2, n):
            A[i] = j

    return [
        (no_type, "parameter 'A' of 'no_type' has no type; write A: int32[4, 4]", "def no_type"),
        (unknown_name, "name 'missing' is not defined", "missing + 1"),
        (misspelled, "'allo.matmull' is not defined; did you mean 'allo.matmul'", "allo.matmull"),
        (misspelled_name, "name 'total' is not defined; did you mean 'totals'?", "total + 1"),
        (outside, "subscript 4 of a dimension of size 4", "A[4] = 0"),
        (too_many, "2 subscripts for a tensor of rank 1", "A[0, 0] = 1"),
        (does_not_fit, "shapes do not fit together: (4, 4) and (3)", "= A + B"),
        (product, "the columns of the first must be the rows of the second", "allo.matmul(A, B)"),
        (returns, "must return a tensor int32[5], found a tensor int32[4]", "return A"),
        (length, "the length of a slice must be known when the kernel is compiled", "A[0:n] = 0"),
        (lists, "ListComp is not part of the language of kernels", "[i for i in range(3)]"),
        (returns_in_a_loop, "return inside a loop is not supported; set a variable and return it at the end", "return A[i]"),
        (returns_nothing, "this returns 0 values, another return 1", "return None"),
        (loop_variable, "the loop variable 'i' cannot be set", "i = 2"),
        (unbound, "has no method 'sort'", "A.sort()"),
        (recursive, "'recursive' calls itself", "def recursive"),
        (floats, "bit operations take integers", "A[1] | A[2]"),
        (for_else, "'else' of a loop", "for i in range(4):"),
        (break_in_meta_for, "a 'break' inside a meta_for", "break"),
        (asserts, "the condition of assert must be known when the kernel is compiled; n > 3 is not", "assert n > 3"),
        (sizes, "the bound of a loop must be a whole number, found n, a float32", "allo.grid(2, n)"),
        (shapes, "'int32[n]' is not a type", "A: int32[n] = 0"),
    ]


@pytest.mark.parametrize("case", functions(), ids=lambda case: case[0].__name__)
def test_functions(case):
    function, message, code = case
    refused(lambda: allo.customize(function), message, code)


def test_regions():
    def build(region):
        return lambda: df.build(region, target="aie")

    @df.region()
    def never_got(A: int32[4]):
        pipe: Stream[int32, 2]

        @df.kernel(mapping=[1], args=[A])
        def core(a: int32[4]):
            pipe.put(a[0])

    refused(build(never_got), "stream 'pipe': core_0 puts to it, but no core does get from it", "def core")

    @df.region()
    def two_put(A: int32[4]):
        pipe: Stream[int32, 2]

        @df.kernel(mapping=[2], args=[A])
        def core(a: int32[4]):
            pipe.put(a[0])

        @df.kernel(mapping=[1], args=[A])
        def other(a: int32[4]):
            a[0] = pipe.get()

    refused(build(two_put), "stream 'pipe': core_0 and core_1 all put to it; a stream has one core at each end", "def core")

    @df.region()
    def too_few(A: int32[4]):
        pipe: Stream[int32, 2]

        @df.kernel(mapping=[1], args=[A])
        def core(a: int32[4]):
            pipe.put(a[0])

        @df.kernel(mapping=[1])
        def other():
            for _i in range(3):
                x: int32 = pipe.get()

    refused(build(too_few), "stream 'pipe': other_0 gets 3 blocks, and core_0 puts 1: the core would wait forever", "def other")

    @df.region()
    def calls(A: int32[4]):
        @df.kernel(mapping=[1], args=[A])
        def core(a: int32[4]):
            too_few(a)

    refused(build(calls), "'too_few' is a region, which no kernel can call", "too_few(a)")

    @df.region()
    def crowded(A: int32[4]):
        pipe: Stream[int32[4], 2][4, 4]

        @df.kernel(mapping=[4, 4])
        def core():
            i, j = df.get_pid()
            x: int32[4] = 0
            for _t in range(100):
                with allo.meta_if(i + j > 0):
                    pipe[i, j].put(x)
                with allo.meta_else(), allo.meta_for(1, 16) as k:
                    x[:] = pipe[k // 4, k % 4].get()

    refused(
        build(crowded),
        "core core_0_0 gets from 11 streams of cores that are not adjacent (",
        "def core",
    )
    refused(
        build(crowded),
        ", ...) and has 2 DMA channels for that; a core between two others can forward their blocks only if no loop or "
        "condition of the run contains its puts and gets, as in core_0_0: use allo.meta_for there, or fewer streams",
        "def core",
    )

    @df.region()
    def wide(A: int64[4]):
        @df.kernel(mapping=[1], args=[A])
        def core(a: int64[4]):
            a[:] = 0

    refused(build(wide), "'A' has elements of int64, and DMAs move up to 32 bits; use a smaller type", "def wide")

    @df.region()
    def bytes_of_words(A: int8[8, 10]):
        @df.kernel(mapping=[2], args=[A])
        def core(a: int8[8, 10] @ [R, S(0)]):
            a[:, :] = 0

    refused(
        build(bytes_of_words),
        "parameter 'a' of kernel 'core': its parts have rows of 5 elements of int8, and DMAs move whole words of 4 bytes; make "
        "that a multiple of 4",
        "a: int8[8, 10] @ [R, S(0)]",
    )

    @df.region()
    def scalar_result(A: int32[4]):
        @df.kernel(mapping=[1], args=[A])
        def core(a: int32[4]):
            return a

    refused(build(scalar_result), "kernel 'core' returns a value; store results to its parameters", "def core(a")

    @df.region()
    def whole_array(A: int32[4]):
        pipe: Stream[int32, 2][2]

        @df.kernel(mapping=[1], args=[A])
        def core(a: int32[4]):
            pipe.put(a[0])

    refused(build(whole_array), "'pipe' is an array of streams; choose one by its subscripts", "pipe.put(a[0])")

    @df.region()
    def wrong_block(A: int32[4]):
        pipe: Stream[int32[8], 2]

        @df.kernel(mapping=[1], args=[A])
        def core(a: int32[4]):
            pipe.put(a)

    refused(build(wrong_block), "stream 'pipe' carries int32[8], found a tensor int32[4]", "pipe.put(a)")

    @df.region()
    def outside(A: int32[4]):
        pipe: Stream[int32, 2][2]

        @df.kernel(mapping=[1], args=[A])
        def core(a: int32[4]):
            pipe[2].put(a[0])

    refused(build(outside), "subscript 2 of a dimension of 2 streams 'pipe'", "pipe[2].put")

    @df.region()
    def no_mapping(A: int32[4]):
        @df.kernel(mapping=[1, 1, 1, 1], args=[A])
        def core(a: int32[4]):
            a[:] = 0

    refused(build(no_mapping), "kernel 'core' needs a mapping of one to three whole numbers", "mapping=[1, 1, 1, 1]")

    @df.region()
    def statement(A: int32[4]):
        x = 3

    refused(build(statement), "a stream is declared as name: Stream[type, depth]", "x = 3")

    @df.region()
    def other_shape(A: int32[4]):
        @df.kernel(mapping=[1], args=[A])
        def core(a: int32[8]):
            a[:] = 0

    refused(
        build(other_shape),
        "parameter 'a' of kernel 'core' is a tensor int32[8], tensor 'A' is a tensor int32[4]",
        "a: int32[8]",
    )

    @df.region()
    def odd(A: int32[10]):
        @df.kernel(mapping=[4], args=[A])
        def core(a: int32[10] @ [S(0)]):
            a[0] = 0

    refused(
        build(odd),
        "dimension 0 of size 10 cannot be cut into 4 equal parts (dimension 0 of the mapping [4]), and padding it",
        "a: int32[10] @ [S(0)]",
    )

    @df.region()
    def rank(A: int32[8, 8]):
        @df.kernel(mapping=[2], args=[A])
        def core(a: int32[8, 8] @ [S(0)]):
            a[:, :] = 0

    refused(build(rank), "layout [S(0)] has 1 entry for a tensor of rank 2")

    @df.region()
    def axis(A: int32[8]):
        @df.kernel(mapping=[2], args=[A])
        def core(a: int32[8] @ [S(1)]):
            a[:] = 0

    refused(build(axis), "layout [S(1)] cuts along dimension 1 of a mapping of 1 dimension")

    @df.region()
    def overlap(A: int32[8]):
        @df.kernel(mapping=[2], args=[A])
        def core(a: int32[8] @ [R]):
            i = df.get_pid()
            for j in range(8):
                a[j] = i

    refused(
        build(overlap),
        "cores core_0 and core_1 write parts of tensor 'A' that overlap, from (0,) and from (0,); let one of them write",
    )

    @df.region()
    def large(A: int32[64]):
        ring: Stream[int32, 2][64]

        @df.kernel(mapping=[64], args=[A])
        def core(a: int32[64] @ [S(0)]):
            i = df.get_pid()
            ring[(i + 1) % 64].put(a[0])
            a[0] = ring[i].get()

    refused(build(large), "64 kernel instances for 16 cores, and the streams of this region form a cycle (core_0 -> core_1")

    @df.region()
    def runtime_choice(A: int32[4]):
        pipe: Stream[int32, 2][4]

        @df.kernel(mapping=[1], args=[A])
        def core(a: int32[4]):
            i: int32 = 0
            while i < 4:
                pipe[i].put(a[i])
                i += 1

    refused(
        build(runtime_choice), "'i' chooses among streams 'pipe' and must be known when the kernel is compiled", "pipe[i].put"
    )

    @df.region()
    def unknown_tensor(A: int32[4]):
        @df.kernel(mapping=[1], args=[B])
        def core(a: int32[4]):
            a[:] = 0

    refused(build(unknown_tensor), "'B' is not a tensor of region 'unknown_tensor' (it has A)")

    @df.region()
    def empty(A: int32[4]):
        pass

    refused(build(empty), "region 'empty' has no kernel", "def empty")


def test_mapping_primitives():
    @df.region()
    def top(A: int32[8], B: int32[8]):
        pipe: Stream[int32[8], 2]
        back: Stream[int32[8], 2]

        @df.kernel(mapping=[1], args=[A])
        def first(a: int32[8]):
            pipe.put(a)

        @df.kernel(mapping=[1])
        def second():
            back.put(allo.add(pipe.get(), 1))

        @df.kernel(mapping=[1], args=[B])
        def third(b: int32[8]):
            b[:] = back.get()

    def build(*primitives):
        return lambda: df.build(top, target="aie", mapping_primitives=list(primitives))

    refused(build(("weave", ["first_0"])), "unknown mapping primitive 'weave'")
    refused(build("chain"), "a mapping primitive is a pair such as ('chain', ['a_0', 'b_0']), found 'chain'")
    refused(build(("chain", ["first_0", "second_1"])), "unknown node 'second_1'")
    refused(build(("chain", ["first_0"])), "chain takes two or more different nodes")
    refused(build(("chain", ["second_0", "first_0"])), "name them in the other order")
    refused(build(("bundle", ["first_0", "third_0"])), "nodes 'first_0' and 'third_0' differ: the first is first with 0")
    refused(build(("bundle", [("first_0", "second_0"), ("third_0",)])), "its parts have 2, 1 nodes")

    @df.region()
    def pairs(A: int32[8], B: int32[8]):
        pipe: Stream[int32[4], 2][2]

        @df.kernel(mapping=[2], args=[A])
        def give(a: int32[8] @ [S(0)]):
            pipe[df.get_pid()].put(a)

        @df.kernel(mapping=[2], args=[B])
        def take(b: int32[8] @ [S(0)]):
            b[:] = pipe[df.get_pid()].get()

    refused(
        lambda: df.build(pairs, mapping_primitives=[("chain", ["take_0", "give_1"]), ("chain", ["take_1", "give_0"])]),
        "chain [take_1, give_0]: the cores would wait for each other: give_0 before take_0 before give_1 before take_1",
    )

    @df.region()
    def circle(A: int32[2]):
        ring: Stream[int32, 2][2]

        @df.kernel(mapping=[2], args=[A])
        def core(a: int32[2] @ [S(0)]):
            i = df.get_pid()
            ring[1 - i].put(a[0])
            a[0] = ring[i].get()

    refused(
        lambda: df.build(circle, mapping_primitives=[("bundle", ["core_0", "core_1"])]),
        "bundle [core_0, core_1]: the streams of this region form a cycle (core_0 -> core_1 -> core_0)",
    )


def test_calls():
    @df.region()
    def top(A: int32[4], B: int32[4]):
        @df.kernel(mapping=[1], args=[A, B])
        def core(a: int32[4], b: int32[4]):
            b[:] = allo.add(a, 1)

    run = df.build(top, target="aie")
    good = np.zeros(4, np.int32)
    refused(lambda: run(good), "region 'top' takes 2 tensors (A: a tensor int32[4], B: a tensor int32[4]), found 1")
    refused(lambda: run(good, np.zeros(5, np.int32)), "argument 1 ('B') has shape (5,), expected (4,)")
    refused(lambda: run(good.astype(np.float32), good), "argument 0 ('A') has elements of float32, expected int32")
    refused(lambda: df.build(top, target="fpga"), "unknown target 'fpga'")
    refused(lambda: df.build(lambda: None), "df.build takes a region")
    refused(lambda: df.build(top, device_type="npu3"), "unknown device_type 'npu3'")
    refused(lambda: df.build(top, trace=["core"]), "trace takes pairs of a kernel's name and a core's numbers")
    refused(
        lambda: df.build(top, trace=[("core", (1,))]), "there is no core (1,) of a kernel 'core'; the region's kernels are core"
    )
    refused(lambda: df.build(top, profile=True, num_iters=0), "num_iters must be at least 1")
    refused(run.report, "region 'top' has not run yet")
    refused(lambda: top(good, good), "region 'top' cannot be called; compile it by df.build(...)")
    refused(df.get_pid, "'get_pid' can only be called in kernels of a region")
    refused(lambda: Layout("S0X"), "'X' is neither R nor S and a digit")


def test_structs_and_printing():
    T = Struct({"x": int32})

    def no_such_field(a: int32) -> int32:
        s: T = {"x": a}
        return s["y"]

    def other_fields(a: int32):
        s: T = {"x": a, "y": a}

    def no_declaration(a: int32):
        s = {"x": a}

    def printed(A: int128[2]):
        print(A[0])

    def sliced(A: int32[...], B: int32[4]):
        B[:] = A[:]

    def made(A: int32[...]):
        B = allo.copy(A)

    refused(lambda: allo.customize(no_such_field), "a struct has no field 'y'; it has x", 's["y"]')
    refused(lambda: allo.customize(other_fields), "expected a struct with x, found a struct with x, y", '"y": a}')
    refused(lambda: allo.customize(no_declaration), "'s' needs a type, as in s: T = ..., where T is a Struct", 's = {"x": a}')
    refused(lambda: allo.customize(printed), "numbers of int128 cannot be printed; convert them to 64 bits", "print(A[0])")
    refused(lambda: allo.customize(sliced), "a slice of a dimension of dynamic size needs an end", "A[:]")
    refused(lambda: allo.customize(made), "its sizes must be known when the kernel is compiled", "allo.copy(A)")
    with pytest.raises(AlloAirError, match="fields of a struct are numbers"):
        Struct({"x": int})


def test_a_kernel_whose_tensors_do_not_fit_on_a_core():
    @df.region()
    def large(A: int32[20000]):
        @df.kernel(mapping=[1], args=[A])
        def fill(a: int32[20000]):
            a[0] = 1

    refused(lambda: df.build(large), "80,000 bytes of buffers exceed 64,512 bytes", "def fill")
    refused(lambda: df.customize(large).inline("A"), "'inline' is not a step of a region's schedule")


def test_an_error_that_nothing_catches_shows_its_line():
    def outside(A: int32[4]):
        A[4] = 0

    with pytest.raises(SystemExit) as ended:
        allo.customize(outside)
    first, quoted, caret = ended.value.code.splitlines()
    assert ": error: subscript 4 of a dimension of size 4" in first
    assert quoted == "        A[4] = 0" and caret.index("^") == quoted.index("4")
