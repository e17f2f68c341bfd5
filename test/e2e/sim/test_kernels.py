"""External kernels in Python, in MLIR and in C++ read and write the cascade and streams of their core."""

import threading
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import allo_air
from allo_air.aie_api.kernel import CppKernel
from allo_air.errors import AlloAirError
from allo_air.sim.cores import Kernel
from allo_air.sim.cores.ports import Session
from allo_air.sim.report_types import SimulationError

FOLDER = Path(__file__).parent / "kernels"
CHAIN = FOLDER / "cascade_chain.mlir"
BODIES = FOLDER / "chain.mlir"
CPP = FOLDER / "chain.cc"
MLIR = dict.fromkeys(("first", "middle", "last"), BODIES)
WEIGHTS = np.tile(np.array([2, 3], np.int32), 8)


def first(a: Any, n: int, cascade: Any) -> None:
    for at in range(0, n, 16):
        cascade.put(a[at : at + 16] * WEIGHTS)


def middle(a: Any, n: int, *, cascade: Any) -> int:
    for at in range(0, n, 16):
        cascade.put(cascade.get("i32") + a[at : at + 16] * WEIGHTS)
    return 2 * n


def last(a: Any, b: Any, n: int, cascade: Any) -> None:
    for at in range(0, n, 16):
        b[at : at + 16] = cascade.get(np.int32) - a[at : at + 16] * WEIGHTS


PYTHON = {"first": first, "middle": middle, "last": last}
KERNELS = [PYTHON, MLIR, dict.fromkeys(PYTHON, CPP), PYTHON | {"middle": BODIES.read_text()}, PYTHON | {"first": str(CPP)}]
KERNEL_NAMES = ["python", "mlir", "c++", "python and mlir", "python and c++"]


def run(kernels: Any, source: Any = CHAIN, **settings: Any) -> Any:
    a, b = np.arange(-64, 64, dtype=np.int32), np.zeros(128, np.int32)
    report = allo_air.simulate(source, a, b, kernels=kernels, **settings)
    np.testing.assert_array_equal(b, a * np.tile(WEIGHTS, 8))
    return report


@pytest.mark.parametrize("kernels", KERNELS, ids=KERNEL_NAMES)
def test_kernels_on_the_cascade(kernels: Any) -> None:
    assert run(kernels).ok


def test_a_fault_of_a_kernel_whose_neighbour_ended_is_an_error() -> None:
    divided = CppKernel(CPP).function("divided", "AIE2")
    b = np.zeros(1, np.int32)
    one, other = (Session(divided, [b, n], ["cascade", "stream"]) for n in (2, 0))
    data = np.full(16, 6, np.int32).tobytes()
    assert one.resume() and other.resume()
    assert one.resume(data) is None and b[0] == 3
    with pytest.raises(AlloAirError, match="divides an integer by zero"):
        other.resume(data)


def test_a_kernel_that_wants_too_much_is_named() -> None:
    def greedy(a: Any, b: Any, n: int, cascade: Any) -> None:
        last(a, b, n, cascade)
        cascade.get()

    before = threading.active_count()
    with pytest.raises(SimulationError) as error:
        run(PYTHON | {"last": greedy})
    text = str(error.value)
    assert "the core of tile (2, 2), in kernel 'last'" in text
    assert "waits for a value on its cascade input" in text
    assert threading.active_count() == before


def test_a_kernel_in_mlir_is_named_by_its_line() -> None:
    get = "    %y = aie.get_cascade() : vector<16xi32>\n"
    wrong = BODIES.read_text().replace(f"{get}    %z = arith.addi %x, %y", "    %z = arith.addi %x, %x")
    with pytest.raises(SimulationError) as error:
        run(MLIR | {"middle": wrong})
    text = str(error.value)
    assert "waits for its cascade output to be taken" in text
    assert f"\n{BODIES}:19:5: error: unconsumed-stream-data" in text


ERRORS = {
    "wrong width": (
        {"first": lambda a, n, cascade: cascade.put(a[:8])},
        r"the core of tile \(0, 2\): .*puts 8 elements of int32, 256 bits, on the cascade, which moves 512 at once",
    ),
    "own error": ({"first": lambda a, n, cascade: cascade.nothing()}, "nothing"),
    "no file": ({"first": "no/such.mlir"}, r"kernels\['first'\]: cannot read 'no/such.mlir'"),
    "no function": (
        {"first": "func.func @other() {\n  return\n}"},
        r"kernels\['first'\]: <kernel first> has no func.func @first with a body; it has @other",
    ),
    "no MLIR": ({"first": "func.func @first( {\n}"}, r"<kernel first>:1:\d+"),
    "wrong type": (
        {"first": "func.func @first(%a: memref<?xi16>, %n: i32) {\n  return\n}"},
        r"calls 'first' as \(memref<32xi32>, i32\) -> \(\); the kernel given is \(memref<\?xi16>, i32\) -> \(\)",
    ),
    "too few": (
        {"first": "func.func @first(%a: memref<?xi32>) {\n  return\n}"},
        r"calls 'first' as .*; the kernel given is \(memref<\?xi32>\) -> \(\)",
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name: str) -> None:
    kernels, message = ERRORS[name]
    expected = AttributeError if name == "own error" else AlloAirError
    with pytest.raises(expected, match=message):
        run(MLIR | kernels)


LINALG = """#map = affine_map<(d0) -> (d0)>
func.func private @checked(memref<?xbf16>)
func.func @k(%a: memref<?xbf16, strided<[1], offset: ?>>, %b: memref<?xbf16>) -> i32 {
  %c7 = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  %table = memref.alloca() : memref<32xbf16>
  %factors = aie.get_cascade() : vector<32xbf16>
  vector.store %factors, %table[%c0] : memref<32xbf16>, vector<32xbf16>
  linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%a, %table : memref<?xbf16, strided<[1], offset: ?>>, memref<32xbf16>) outs(%b : memref<?xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %old: bf16):
    %z = arith.mulf %x, %y : bf16
    linalg.yield %z : bf16
  }
  func.call @checked(%b) : (memref<?xbf16>) -> ()
  return %c7 : i32
}"""
VECTOR = """func.func @k(%a: memref<32xbf16, 2>, %b: memref<32xbf16, 2>) -> i32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : bf16
  %factors = aie.get_cascade() : vector<32xbf16>
  %x = vector.transfer_read %a[%c0], %zero : memref<32xbf16, 2>, vector<32xbf16>
  %y = arith.mulf %x, %factors : vector<32xbf16>
  vector.transfer_write %y, %b[%c0] : vector<32xbf16>, memref<32xbf16, 2>
  %c7 = arith.constant 7 : i32
  return %c7 : i32
}"""


def scaled(a: Any, b: Any, cascade: Any) -> int:
    b[:] = a * cascade.get("bf16")
    return 7


FORMS: dict[str, dict[str, Any]] = {
    "linalg and another kernel": {"k": LINALG, "checked": lambda b: None},
    "vectors": {"k": VECTOR},
    "python": {"k": scaled},
    "declared": {"k": Kernel(scaled, reads=(0,), writes=(1,), cycles=lambda a, b: 100)},
}


@pytest.mark.parametrize("name", FORMS)
def test_kernels_with_a_result(name: str) -> None:
    a = np.arange(64).astype(ml_dtypes.bfloat16)
    b = np.zeros_like(a)
    assert allo_air.simulate(FOLDER / "scaled.mlir", a, b, kernels=FORMS[name]).ok
    np.testing.assert_array_equal(b, 2 * a)


def test_a_result_that_is_no_number() -> None:
    a = np.zeros(64, ml_dtypes.bfloat16)
    for wrong in (lambda a, b, cascade: cascade.get(), lambda a, b: None):
        with pytest.raises(
            AlloAirError,
            match=r"scaled.mlir:\d+:\d+: error: the core of tile \(0, 2\): kernel 'k' returned \w+; it returns the i32",
        ):
            allo_air.simulate(FOLDER / "scaled.mlir", a, a.copy(), kernels={"k": wrong})


STREAMS = """!t = memref<40xi32>
module {
  aie.device(npu1_1col) {
    func.func private @doubled(memref<1xi32>)
    %s = aie.tile(0, 0)
    %t = aie.tile(0, 2)
    %b = aie.buffer(%t) : memref<1xi32> = dense<2>
    aie.flow(%s, DMA : 0, %t, Core : 0)
    aie.flow(%t, Core : 0, %s, DMA : 0)
    aie.core(%t) {
      func.call @doubled(%b) : (memref<1xi32>) -> ()
      aie.end
    }
    aie.shim_dma_allocation @in(%s, MM2S, 0)
    aie.shim_dma_allocation @out(%s, S2MM, 0)
    aie.runtime_sequence(%x : !t, %y : !t) {
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 40][0, 0, 0, 1]) {id = 0 : i64, metadata = @out, issue_token = true} : !t
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 40][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : !t
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
"""


def test_kernel_on_streams() -> None:
    def doubled(factor: Any, stream: Any) -> None:
        for count in (37, 3):
            stream.put(stream.get(count) * factor[0])

    x, y = np.arange(40, dtype=np.int32), np.zeros(40, np.int32)
    assert allo_air.simulate(STREAMS, x, y, kernels={"doubled": doubled}).ok
    np.testing.assert_array_equal(y, 2 * x)


def test_programs_keep_kernels(tmp_path: Path) -> None:
    program = allo_air.compile(CHAIN, "aie-prepare", cache_dir=tmp_path / "cache", kernels=MLIR)
    a = np.arange(128, dtype=np.int32)
    np.testing.assert_array_equal(program(a), a * np.tile(WEIGHTS, 8))
    program.save(tmp_path / "saved")
    loaded = allo_air.load(tmp_path / "saved", kernels={"first": first, "middle": middle})
    np.testing.assert_array_equal(loaded(a, kernels={"last": last}), a * np.tile(WEIGHTS, 8))
    with pytest.raises(AlloAirError, match="expected a dictionary of functions or MLIR by name"):
        allo_air.compile(CHAIN, "aie-prepare", cache=False, kernels=[first])


def test_allo_run_takes_kernels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from allo_air.tools.allo_run import main

    a, out = np.arange(128, dtype=np.int32), tmp_path / "b.npy"
    np.save(tmp_path / "a.npy", a)
    python = tmp_path / "kernels.py"
    python.write_text(
        "def last(a, b, n, cascade):\n    for at in (0, 16):\n        b[at:at + 16] = cascade.get() - a[at:at + 16]\n"
    )
    given = [f"--kernel=first={BODIES}", f"--kernel=middle={BODIES}", f"--kernel=last={python}"]
    assert main([str(CHAIN), *given, "--input", str(tmp_path / "a.npy"), "--output", str(out)]) == 0
    np.testing.assert_array_equal(np.load(out), a * np.tile(2 * WEIGHTS - 1, 8))
    python.write_text("def last(a, b, n, cascade):\n    return 1 // 0\n")
    assert main([str(CHAIN), *given]) == 1
    said = capsys.readouterr().err
    assert f"--kernel last: '{python}' raises ZeroDivisionError" in said
    assert f"({python}:2)" in said
    python.write_text("raise SystemExit(3)\n")
    assert main([str(CHAIN), *given]) == 1
    assert "raises SystemExit: 3" in capsys.readouterr().err
    python.write_text("def last(): ...\n")
    assert main([str(CHAIN), f"--kernel={CPP}", "-DSTEP=16"]) == 0
    assert main([str(CHAIN), f"--kernel={CPP}", "-D1=2"]) == 2
    assert "-D is '1=2', expected NAME or NAME=VALUE" in capsys.readouterr().err
    assert main([str(CHAIN), *given, "-DSTEP=8"]) == 2
    assert "-D, -I and --kernel-seconds are for kernels in C++" in capsys.readouterr().err
    (empty := tmp_path / "empty.cc").write_text("void last();\n")
    for wrong, message in (
        ("last", "expected NAME=FILE"),
        ("last=no.py", "no file 'no.py'"),
        (f"f={python}", "it has last"),
        (str(empty), 'empty.cc\' defines no extern "C" function'),
    ):
        assert main([str(CHAIN), "--kernel", wrong]) == 2
        assert message in capsys.readouterr().err
