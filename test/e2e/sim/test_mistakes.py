"""Mistakes in a design or in its call give one clear error, at the place in the file where there is one, and no traceback."""

import re
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError

DESIGN = """module {
  aie.device(npu1_1col) {
    %t00 = aie.tile(0, 0)
    %t02 = aie.tile(0, 2)
    %buf = aie.buffer(%t02) {sym_name = "buf"} : memref<16xi32>
    %p = aie.lock(%t02, 0) {init = 1 : i32, sym_name = "p"}
    %c = aie.lock(%t02, 1) {init = 0 : i32, sym_name = "c"}
    aie.flow(%t00, DMA : 0, %t02, DMA : 0)
    aie.flow(%t02, DMA : 0, %t00, DMA : 0)
    aie.mem(%t02) {
      %0 = aie.dma_start(S2MM, 0, ^in, ^next)
    ^in:
      aie.use_lock(%p, AcquireGreaterEqual, 1)
      aie.dma_bd(%buf : memref<16xi32>, 0, 16)
      aie.use_lock(%c, Release, 1)
      aie.next_bd ^in
    ^next:
      %1 = aie.dma_start(MM2S, 0, ^out, ^done)
    ^out:
      aie.use_lock(%c, AcquireGreaterEqual, 1)
      aie.dma_bd(%buf : memref<16xi32>, 0, 16)
      aie.use_lock(%p, Release, 1)
      aie.next_bd ^out
    ^done:
      aie.end
    }
    aie.shim_dma_allocation @in(%t00, MM2S, 0)
    aie.shim_dma_allocation @out(%t00, S2MM, 0)
    aie.runtime_sequence @sequence(%x : memref<64xi32>, %y : memref<64xi32>) {
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @out} : memref<64xi32>
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<64xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
"""
BUFFER = '{sym_name = "buf"} : memref<16xi32>'
CORE = "    aie.shim_dma_allocation @in("
LINEAR = "[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]"
LOCKS = "".join(f"    %l{i} = aie.lock(%t02)\n" for i in range(15))
LONG = "".join(f"    ^b{i}:\n      aie.dma_bd(%buf : memref<16xi32>, 0, 16)\n      aie.next_bd ^b{i + 1}\n" for i in range(17))


def words(count: int = 64, dtype: Any = np.int32) -> np.ndarray:
    return np.arange(count).astype(dtype)


def message(source: Any, *arrays: Any, **settings: Any) -> str:
    with pytest.raises(AlloAirError) as error:
        allo_air.simulate(source, *arrays, **settings)
    return str(error.value)


def test_the_design_runs() -> None:
    a, b = words(), np.zeros(64, np.int32)
    assert allo_air.simulate(DESIGN, a, b).ok
    np.testing.assert_array_equal(a, b)


def test_packed_bytes_run() -> None:
    """Arrays of narrower integers stand for as many bytes of words."""
    a, b = words(256, np.uint8), np.zeros(256, np.uint8)
    assert allo_air.simulate(DESIGN, a, b).ok
    np.testing.assert_array_equal(a, b)


EDITS = {
    "device": ("npu1_1col", "npu3", r":2:14: error: 'npu3' is not a device; allowed: .*npu1"),
    "column": ("aie.tile(0, 2)", "aie.tile(3, 2)", r":4:12: .*column index \(3\) must be less than .* \(1\)"),
    "row": ("aie.tile(0, 2)", "aie.tile(0, 6)", r":4:12: .*row index \(6\) must be less than"),
    "negative row": ("aie.tile(0, 2)", "aie.tile(0, -1)", r":4:12: .*row index \(-1\) must not be negative"),
    "lock twice": ("%t02, 1)", "%t02, 0)", r":7:10: .*second lock with id 0 of tile \(0, 2\)"),
    "lock id": ("%t02, 1)", "%t02, 99)", r":7:10: .*maximum is 15"),
    "lock value": ("{init = 1", "{init = 64", r":6:10: .*starts at 64; a lock holds 0 to 63"),
    "many locks": ("    aie.mem(", f"{LOCKS}    aie.mem(", r":24:12: .*one lock too many: tile \(0, 2\) has 16, .*uses 17"),
    "buffers overlap": (
        BUFFER,
        "{address = 1024 : i32} : memref<16xi32>\n    %b2 = aie.buffer(%t02) {address = 1056 : i32} : memref<16xi32>",
        r":6:11: .*lies at 1056 to 1120, over the buffer '%buf' at 1024 to 1088 of the same tile",
    ),
    "buffer outside": (BUFFER, BUFFER.replace("}", ", address = 70000 : i32}"), r":5:12: .*70000 to 70064; .* 65536 bytes"),
    "buffer in the stack": (
        BUFFER,
        "{address = 1020 : i32} : memref<16xi32>\n    aie.core(%t02) {\n      aie.end\n    }",
        r":5:12: .*lies at 1020 to 1084, in the stack of core \(0, 2\), which is bytes 0 to 1024; give it a higher address",
    ),
    "buffer unaligned": (BUFFER, BUFFER.replace("}", ", address = 1026 : i32}"), r":14:7: .*4 byte \(32b\) aligned"),
    "memory full": (
        BUFFER,
        f"{BUFFER}\n    %b2 = aie.buffer(%t02) : memref<20000xi32>",
        r":6:11: .*does not fit: .*80064 bytes",
    ),
    "many BDs": ("    ^in:\n", f"{LONG}    ^b17:\n      aie.next_bd ^in\n    ^in:\n", r":10:5: .*more than 16 blocks"),
    "BD outside": ("%buf : memref<16xi32>, 0, 16)", "%buf : memref<16xi32>, 8, 16)", r":14:7: error: out-of-buffer"),
    "DMA channel": ("S2MM, 0, ^in", "S2MM, 2, ^in", r":11:12: .*channel 2 does not exist: tile \(0, 2\) has 2 S2MM channels"),
    "shim channel": (
        "@in(%t00, MM2S, 0)",
        "@in(%t00, MM2S, 5)",
        r":27:5: .*channel 5 does not exist: tile \(0, 0\) has 2 MM2S",
    ),
    "flow port": ("aie.flow(%t00, DMA : 0", "aie.flow(%t00, DMA : 7", r":8:5: .*channel 7 does not exist: tile \(0, 0\) has 2"),
    "metadata": ("metadata = @in}", "metadata = @inn}", r":31:7: .*@inn .*there are: @in, @out"),
    "wait": ("symbol = @out", "symbol = @oout", r":32:7: .*couldn't find symbol in parent device: 'oout'"),
    "wait without token": ("symbol = @out", "symbol = @in", r":32:7: error: sync-without-end"),
    "shim BD": ("{id = 1 :", "{id = 16 :", r":31:7: .*id 16 does not exist: a shim tile has BDs 0 to 15"),
    "shim BD in use": ("{id = 1 :", "{id = 0 :", r":31:7: error: channel-misuse: .*BD 0 is written while a task"),
    "host memory": ("%x[0, 0, 0, 0]", "%x[0, 0, 0, 32]", r":31:7: error: host-out-of-bounds: .*byte 384 .*256 bytes"),
    "size": (
        f"%x{LINEAR}",
        "%x[0, 0, 0, 0][1, 1, 2000, 8][0, 0, 16, 1]",
        r"<text>:31:7: error: host-out-of-bounds: .*a host buffer of 256 bytes",
    ),
    "repeat": ("%x[0, 0, 0, 0][1,", "%x[0, 0, 0, 0][100,", r":31:7: .*\[1:64\] range. Found 100"),
    "unknown name": ("allocation @in", "allocatoin @in", r":27:5: .*did you mean 'aie.shim_dma_allocation'"),
    "undefined value": ("lock(%c, Acq", "lock(%cc, Acq", r":20:20: .*use of undeclared SSA value"),
    "no terminator": ("      aie.next_bd ^out\n", "", r":22:7: .*block with no terminator"),
    "fifo's other end": (
        CORE,
        "    aie.objectfifo @f(%t00, {%t02}, 2 : i32) : !aie.objectfifo<memref<8xi32>>\n    aie.core(%t02) {\n"
        "      aie.objectfifo.release @f(Produce, 1)\n      aie.end\n    }\n" + CORE,
        r":2[789]:\d+: .*producer port of objectFifo accessed by core running on non-producer tile",
    ),
    "kernel": (
        CORE,
        "    func.func private @mine(memref<16xi32>)\n    aie.core(%t02) {\n"
        "      func.call @mine(%buf) : (memref<16xi32>) -> ()\n      aie.end\n    }\n" + CORE,
        r":29:7: .*calls 'mine', which has no body, .*kernels=\{'mine'",
    ),
    "vector dialect": (
        CORE,
        "    aie.core(%t02) {\n      %v = arith.constant dense<1> : vector<16xi32>\n"
        "      %w = aievec.mul_reduce %v, %v : vector<16xi32>\n      aie.end\n    }\n" + CORE,
        r":29:12: .*aievec.*write upstream's vector dialect",
    ),
    "former operation": (
        "      aiex.npu.dma_wait",
        "      aiex.npu.shimtile_push_queue {metadata = @in, bd_id = 0 : i32}\n      aiex.npu.dma_wait",
        r":32:7: .*unknown; write aiex.npu.push_queue instead",
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_design(name: str) -> None:
    old, new, wanted = EDITS[name]
    assert old in DESIGN
    found = message(DESIGN.replace(old, new, 1), words(), np.zeros(64, np.int32))
    assert re.search(wanted, found), found


CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any], str]] = {
    "one array": ((words(),), {}, r"1 array given; @sequence takes 2"),
    "three arrays": ((words(),) * 3, {}, r"3 arrays given; @sequence takes 2"),
    "short": ((words(32), words()), {}, r"byte 256 of a host buffer of 128 bytes \(argument 0\)"),
    "wide elements": ((words(dtype=np.int64), words()), {}, r"elements of 32 bits; .*dtype int64, 64 bits"),
    "narrow elements": ((words(dtype=np.int16), words()), {}, r"elements of 32 bits; .*dtype int16, 16 bits"),
    "floats": (
        (words(dtype=np.float32), words()),
        {},
        r"dtype float32, whose bits have another meaning: convert it",
    ),
    "list": (([1] * 64, words()), {}, r"expected a numpy array, found a list"),
    "strided": ((words(128)[::2], words()), {}, r"numpy.ascontiguousarray"),
    "sequence": ((words(), words()), {"sequence": "go"}, r"no runtime sequence @go; there are @main::@sequence"),
    "device": ((words(), words()), {"device": "dev"}, r"unknown device 'dev'"),
}


@pytest.mark.parametrize("name", CALLS)
def test_call(name: str) -> None:
    arrays, settings, wanted = CALLS[name]
    found = message(DESIGN, *arrays, **settings)
    assert re.search(wanted, found), found


KERNEL = DESIGN.replace(*EDITS["kernel"][:2])
KERNELS: dict[str, tuple[Any, str]] = {
    "no dictionary": (3, r"kernels is 3, expected a dictionary of functions or MLIR by name"),
    "no function": ({"mine": 3}, r":29:7: .*calls 'mine', for which kernels= has an int; expected f\(memref0\)"),
    "arguments": (
        {"mine": lambda a, b: None},
        r":29:7: .*calls 'mine', .*missing a required argument: 'b'.*expected f\(memref0\)",
    ),
    "name": ({"mime": print}, r":29:7: .*calls 'mine', .*no kernel replaces it"),
}


@pytest.mark.parametrize("name", KERNELS)
def test_kernels(name: str) -> None:
    kernels, wanted = KERNELS[name]
    found = message(KERNEL, words(), np.zeros(64, np.int32), kernels=kernels)
    assert re.search(wanted, found), found


def test_sources() -> None:
    a = words()
    assert "cannot read '/nope/aie.mlir'" in message("/nope/aie.mlir", a)
    assert "cannot simulate an int" in message(3, a)
    assert "not text in UTF-8" in message(b"\x7fELF\xff", a)
    assert "there is no aie.device" in message("module {\n}", a)
    assert "has no aie.runtime_sequence" in message("aie.device(npu1) {\n}", a)
    assert "is unknown" in message("from aie.iron import *\n", a)
