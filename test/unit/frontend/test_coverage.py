"""What a kernel reads of a tensor that it writes is found element by element, over loops, slices, calls and conditions."""

import linecache
from itertools import count
from textwrap import dedent, indent

import pytest

import allo_air as allo
import allo_air.dataflow as df
from allo_air.dialects import load
from allo_air.frontend.instances import inspect
from allo_air.frontend.region import read_region
from allo_air.ir.types import int32, uint32
from allo_air.mlir import ir, new_context

WRITTEN_WHOLE = [
    "b[:, :] = a",
    "for i, j in allo.grid(16, 16): b[j, i] = a[i, j]",
    "for i in range(16): b[i] = a[i]",
    "for i in range(0, 16, 4): b[i : i + 4, :] = a[i : i + 4, :]",
    "for i, j, k, l in allo.grid(4, 4, 4, 4): b[4 * i + k, 4 * j + l] = a[k, l]",
    "for i in range(255, -1, -1): b[i // 16, i % 16] = a[0, 0]",
    """
    for i in range(16):
        for j in range(i): b[i, j] = a[0, 0]
        for j in range(i, 16): b[i, j] = 4
    """,
    """
    for i, j in allo.grid(16, 16):
        b[i, j] = 0
        for k in range(16): b[i, j] += a[i, k] * a[k, j]
    """,
    """
    for i, j in allo.grid(16, 16):
        if a[i, j] > 0:
            b[i, j] = a[i, j]
            b[i, j] += 1
        else: b[i, j] = 0
    """,
    """
    for i, j in allo.grid(16, 16):
        if i < j: b[i, j] = a[i, j]
        else: b[i, j] = 0
    """,
    """
    for i, j in allo.grid(16, 16):
        if uint32(i) < uint32(20): b[i, j] = a[i, j]
    """,
    """
    b[:, :] = 0
    while b[0, 0] < 4:
        b[a[0, 0], 0] += 1
    """,
    """
    for i in range(16):
        most(a[i], b[i])
        b[i, 15] = 3
        add(a[i], b[i])
    """,
    """
    b[:, 0:8] = allo.matmul(a, a[:, 0:8])
    b[:, 8:16] = allo.add(a[:, 8:16], b[:, 0:8])
    """,
    """
    b[0, :] = a[0, :]
    for i in range(1, 16):
        for j in range(16): b[i, j] = b[i - 1, j] + a[i, j]
    """,
    """
    with allo.meta_for(4) as i:
        b[i * 4 : i * 4 + 4, :] = a[i * 4 : i * 4 + 4, :]
    """,
]
NEEDED = [
    "for i in range(15): b[i, :] = a[i, :]",
    "for i in range(16): most(a[i], b[i])",
    "for i in range(16): add(a[i], b[i])",
    "b[a[0, 0], 3] = 3",
    """
    for i, j in allo.grid(16, 16):
        if uint32(i) < uint32(15): b[i, j] = a[i, j]
    """,
    "b[:, :] = 3",
    """
    for i in range(16):
        for j in range(i): b[i, j] = 3
    """,
    """
    for i, j in allo.grid(16, 16):
        for k in range(16): b[i, j] += a[i, k] * a[k, j]
    """,
    """
    for i, j in allo.grid(16, 16):
        if a[i, j] > 0: b[i, j] = a[i, j]
        else: b[j, i] = 0
    """,
    """
    for i, j in allo.grid(16, 16):
        if a[i, j] > 0: b[i, j] += 1
        else: b[i, j] = 0
    """,
    """
    n: int32 = a[0, 0]
    while n > 0:
        b[n, :] = 2
        n -= 1
    """,
    """
    for i in range(15):
        for j in range(16): b[i, j] = b[i + 1, j] + a[i, j]
    b[15, :] = 0
    """,
    """
    b[:, 0:8] = 1
    b[:, 9:16] = 2
    """,
]
TOP = """
@df.region()
def top(A: int32[16, 16], B: int32[16, 16]):
    def most(x: int32[16], y: int32[16]):
        for i in range(15):
            y[i] = x[i]

    def add(x: int32[16], y: int32[16]):
        for i in range(16):
            y[i] += x[i]

    @df.kernel(mapping=[1], args=[A, B])
    def core(a: int32[16, 16], b: int32[16, 16]):
"""
_NUMBERS = count()


def directions(body: str) -> tuple[bool, bool]:
    """Whether `b` is needed, and whether it is written, by a kernel with these statements."""
    source, name = TOP + indent(dedent(body).strip(), " " * 8), f"<coverage {next(_NUMBERS)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names = {"allo": allo, "df": df, "int32": int32, "uint32": uint32}
    exec(compile(source, name, "exec"), names)
    context = new_context()
    with context, ir.Location.unknown():
        load(context, ("air",))
        spec = read_region(names["top"])
        [instance] = inspect(spec, spec.kernels[0], context)
    assert not instance.writes[0]
    return instance.reads[1], instance.writes[1]


@pytest.mark.parametrize("body", WRITTEN_WHOLE)
def test_tensors_that_are_written_as_a_whole_do_not_come_in(body):
    assert directions(body) == (False, True)


@pytest.mark.parametrize("body", NEEDED)
def test_what_may_be_read_or_stay_comes_in(body):
    assert directions(body) == (True, True)
