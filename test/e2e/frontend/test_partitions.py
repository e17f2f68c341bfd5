"""Partitions in the types of s.module, memories, and the names of Allo's modules."""

import numpy as np
import pytest

import allo_air as allo
from allo_air.customize import Partition
from allo_air.errors import AlloAirError
from allo_air.ir.types import int8, int16, int32, uint8
from allo_air.memory import Memory


def add_one(A: int32[10, 12]) -> int32[10, 12]:
    B: int32[10, 12] = 0
    for i, j in allo.grid(10, 12):
        B[i, j] = A[i, j] + 1
    return B


def twice(X: int32[10, 12]) -> int32[10, 12]:
    Y = add_one(X)
    return add_one(Y)


@pytest.mark.parametrize(
    ("options", "layout"),
    [
        ({}, "(d0, d1) -> (d0, d1, 0, 0)"),
        ({"dim": 1}, "(d0, d1) -> (d0, 0, 0, d1)"),
        ({"partition_type": Partition.Cyclic, "dim": 2, "factor": 4}, "(d0, d1) -> (0, d1 mod 4, d0, d1 floordiv 4)"),
        ({"partition_type": Partition.Block, "dim": 1, "factor": 3}, "(d0, d1) -> (d0 floordiv 4, 0, d0 mod 4, d1)"),
    ],
)
def test_layouts_of_partitions(options, layout):
    s = allo.customize(add_one)
    s.partition(s.A, **options)
    assert f"affine_map<{layout}>" in str(s.module)
    a = np.arange(120, dtype=np.int32).reshape(10, 12)
    np.testing.assert_array_equal(s.build()(a), a + 1)


def test_dimensions_one_by_one_and_never_twice():
    s = allo.customize(add_one)
    s.partition(s.A, dim=1)
    s.partition(s.A, dim=2)
    assert "(d0, d1) -> (d0, d1, 0, 0)" in str(s.module)
    for attempt in ({"dim": 2}, {"dim": 0}):
        with pytest.raises(ValueError, match="tensor 'A' is partitioned already"):
            s.partition(s.A, **attempt)
    with pytest.raises(ValueError, match="a cyclic partition needs a factor"):
        s.partition(s.B, partition_type=Partition.Cyclic, dim=1)


def test_partitions_go_through_calls():
    s = allo.customize(twice)
    s.partition(s.Y, dim=2)
    text = str(s.module)
    assert "func.func @add_one(%arg0: memref<10x12xi32, #map>) -> memref<10x12xi32, #map>" in text
    equal = {(t.function, t.name) for t in s.get_equivalent_variables(s.X)}
    assert equal == {("add_one", "A"), ("twice", "Y"), ("add_one", "B")}
    code = str(s.build(target="vhls"))
    assert code.count("#pragma HLS array_partition") >= 4


def test_unfolded_nests_are_calls():
    def product(A: int8[2, 8], B: int8[8, 3], C: int16[2, 3]):
        for i, j in allo.grid(2, 3, name="PE"):
            for k in range(8):
                C[i, j] += A[i, k] * B[k, j]

    s = allo.customize(product)
    a_row, b_column = s.buffer_at(s.A, "j"), s.buffer_at(s.B, "j")
    pe = s.unfold("PE", [0, 1])
    s.to(a_row, pe, axis=1, depth=3)
    s.to(b_column, pe, axis=0, depth=4)
    s.pipeline("PE:k")
    assert str(s.module).count("call @PE(") == 6
    rng = np.random.default_rng(0)
    a, b = rng.integers(-8, 8, (2, 8)).astype(np.int8), rng.integers(-8, 8, (8, 3)).astype(np.int8)
    for run in (s.build(), s.build(target="vitis_hls")):
        c = np.zeros((2, 3), np.int16)
        run(a, b, c)
        np.testing.assert_array_equal(c, a.astype(np.int16) @ b)


def test_memories():
    uram, ram = Memory(resource="uram"), Memory("BRAM", storage_type="RAM_2P", latency=2)
    assert repr(ram) == "Memory(resource=BRAM, storage_type=RAM_2P, latency=2)"

    def copied(A: int32[16] @ uram) -> int32[16]:
        B: int32[16] @ ram = 0
        for i in range(16):
            B[i] = A[i]
        return B

    code = str(allo.customize(copied).build(target="vhls"))
    assert "#pragma HLS bind_storage variable=v0 type=RAM_2P impl=uram" in code
    assert "#pragma HLS bind_storage variable=v1 type=RAM_2P impl=bram latency=2" in code
    for wrong, said in (
        ({"resource": "DRAM"}, "resource 'DRAM'"),
        ({"latency": -1}, "latency"),
        ({"storage_type": "x"}, "'x'"),
    ):
        with pytest.raises(ValueError, match=said):
            Memory(**wrong)


def test_names_of_modules():
    from allo_air._mlir.exceptions import AlloValueError
    from allo_air._mlir.ir import Module
    from allo_air.backend.llvm import LLVMModule
    from allo_air.ir.transform import find_buffer, find_func_in_module, find_loop_in_bands
    from allo_air.ir.utils import MockBuffer
    from allo_air.verify import verify

    def narrow(A: uint8[4], k: int32) -> uint8[4]:
        for i in range(4):
            A[i] = A[i] / k
        return A

    run = LLVMModule(allo.customize(narrow).module, top_func_name="narrow")
    assert run(np.array([200, 100, 3, 255], np.uint8), 2).tolist() == [100, 50, 1, 127]
    s, t = allo.customize(twice), allo.customize(twice)
    assert isinstance(s.module, Module)
    band, loop = find_loop_in_bands(find_func_in_module(s.module, "add_one"), "j")
    assert (band, loop.name) == ("S_i_j_0", "j")
    s.split(loop, 4)
    s.partition(MockBuffer("add_one", "A"), dim=1)
    assert find_buffer(s.module, MockBuffer("twice", "X"))[1] == 0
    assert verify(s, t) and allo.verify(s, t)
    with pytest.raises(RuntimeError, match="unknown loop 'z'"):
        s.split("z", 2)
    with pytest.raises(AlloValueError):
        s.partition(s.X, dim=-1)
    with pytest.raises(AlloAirError, match="unknown function 'nowhere'"):
        s.partition(MockBuffer("nowhere", "A"))
