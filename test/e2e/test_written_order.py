"""Control programs whose order is kept, run on the simulator with numbers of the run, against numpy."""

# ruff: noqa: E501 - transfers are lines

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.program.source import source_of
from allo_air.program.stage import run_stage
from helpers import LOOPBACK, TEST


def moved(ins: str, outs: str) -> str:
    """A transfer in of offsets, sizes, strides, and one out."""
    return f"""
    %e = airrt.dma_memcpy_nd(%id, %x, %x, %a{ins}) {{metadata = @in}} : (i32, i64, i64, memref<1024xi32>) : !airrt.event
    %f = airrt.dma_memcpy_nd(%id, %x, %x, %z{outs}) {{metadata = @out}} : (i32, i64, i64, memref<1024xi32>) : !airrt.event
    airrt.wait_all %e, %f {{air.launch_end}}"""


def sequence(opt: Callable[..., Any], tmp_path: Path, body: str, *, options: str = "") -> Path:
    """The module in which `body` on %a, %n and %z is a sequence."""
    (tmp_path / "in.mlir").write_text(
        LOOPBACK
        + f"""func.func @f(%a: memref<1024xi32>, %n: i64, %z: memref<1024xi32>) {{
    %id = arith.constant 1 : i32
    %x = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    {body}
    return
  }}"""
    )
    made = tmp_path / "made.mlir"
    done = opt(tmp_path / "in.mlir", f"--pass-pipeline=builtin.module(airrt-to-npu{{{options}}},canonicalize,cse)", "-o", made)
    assert done.status == 0, done.err
    return made


@pytest.fixture
def arrays() -> tuple[Any, Any]:
    return np.arange(1024, dtype=np.int32), np.zeros(1024, np.int32)


@pytest.mark.parametrize("n", [0, 5, 64])
def test_an_offset_of_the_run(opt: Callable[..., Any], tmp_path: Path, arrays: Any, n: int) -> None:
    a, z = arrays
    made = sequence(
        opt, tmp_path, moved("[0, 0, 3, %n], [1, 1, 4, 8], [0, 0, 16, 1]", "[0, 0, 0, %n], [1, 1, 1, 32], [0, 0, 0, 1]")
    )
    allo_air.simulate(made, a, n, z).raise_for_findings()
    wanted = np.concatenate([a[48 + n + 16 * i :][:8] for i in range(4)])
    np.testing.assert_array_equal(z[n : n + 32], wanted)
    assert not z[n + 32 :].any()


@pytest.mark.parametrize("n", [1, 3, 8])
@pytest.mark.parametrize(
    "lists", [("[0, 0, 0, 0], [%n, 1, 1, 32], [0, 0, 0, 1]", False), ("[0, 0, 0, 0], [1, %n, 4, 8], [0, 32, 8, 1]", True)]
)
def test_a_size_of_the_run(opt: Callable[..., Any], tmp_path: Path, arrays: Any, n: int, lists: Any) -> None:
    """How often the whole repeats, or how long it is; the other side has a length of the run."""
    a, z = arrays
    text, walks = lists
    made = sequence(opt, tmp_path, moved(text, "[0, 0, 0, 0], [1, 1, %n, 32], [0, 0, 32, 1]"))
    allo_air.simulate(made, a, n, z).raise_for_findings()
    np.testing.assert_array_equal(z[: 32 * n], a[: 32 * n] if walks else np.tile(a[:32], n))
    assert not z[32 * n :].any()


@pytest.mark.parametrize("end", ["%c6", "%ni"])
@pytest.mark.parametrize("options", ["", "unroll-loops=true"])
def test_loops_stay_and_run(opt: Callable[..., Any], tmp_path: Path, arrays: Any, end: str, options: str) -> None:
    a, z = arrays
    body = f"""%ni = arith.index_cast %n : i64 to index
    scf.for %i = %c0 to {end} step %c1 {{
      %k = arith.index_cast %i : index to i64
      {moved("[0, 0, %k, 0], [1, 1, 1, 32], [0, 0, 64, 1]", "[0, 0, %k, 0], [1, 1, 1, 32], [0, 0, 32, 1]")}
    }}"""
    made = sequence(opt, tmp_path, body, options=options)
    assert ("scf.for" in made.read_text()) == (end == "%ni" or not options)
    allo_air.simulate(made, a, 6, z).raise_for_findings()
    np.testing.assert_array_equal(z[:192], a[: 6 * 64].reshape(6, 64)[:, :32].ravel())


@pytest.mark.parametrize("options", ["", "order=planned"])
def test_many_transfers_are_bounded(opt: Callable[..., Any], tmp_path: Path, arrays: Any, options: str) -> None:
    """Twenty inputs in a row after their output: more than a queue holds, and than a tile has descriptors."""
    a, z = arrays
    body = """%f = airrt.dma_memcpy_nd(%id, %x, %x, %z[0, 0, 0, 0], [1, 1, 20, 32], [0, 0, 32, 1]) {metadata = @out} : (i32, i64, i64, memref<1024xi32>) : !airrt.event
    affine.for %i = 0 to 20 {
      %k = arith.index_cast %i : index to i64
      %e = airrt.dma_memcpy_nd(%id, %x, %x, %a[0, 0, %k, 0], [1, 1, 1, 32], [0, 0, 40, 1]) {metadata = @in} : (i32, i64, i64, memref<1024xi32>) : !airrt.event
    }
    airrt.wait_all %f"""
    allo_air.simulate(sequence(opt, tmp_path, body, options=options), a, 0, z).raise_for_findings()
    np.testing.assert_array_equal(z[:640], a[:800].reshape(20, 40)[:, :32].ravel())


def test_wide_steps_and_large_sizes(opt: Callable[..., Any], tmp_path: Path) -> None:
    a = np.arange(1 << 22, dtype=np.int32)
    z = np.zeros(1024, np.int32)
    body = moved("[0, 0, 0, 5], [1, 1, 2, 32], [0, 0, 2097152, 1]", "[0, 0, 0, 0], [1, 1, 1, 64], [0, 0, 0, 1]")
    made = sequence(opt, tmp_path, body)
    text = (
        made.read_text()
        .replace("%arg0: memref<1024xi32>", "%arg0: memref<4194304xi32>")
        .replace("%arg0 : memref<1024xi32>", "%arg0 : memref<4194304xi32>")
    )
    made.write_text(text)
    allo_air.simulate(made, a, 0, z).raise_for_findings()
    np.testing.assert_array_equal(z[:64], np.concatenate([a[5:37], a[2097157:2097189]]))


@pytest.mark.parametrize(
    "name",
    [
        "cascade",
        "l1_in_segment_cores",
        "locks",
        "odd_tiles",
        "packets_in_turns",
        "packets_share_shims",
        "pad",
        "peeled_channels",
        "segments",
        "two_launches",
    ],
)
def test_programs_of_air(name: str) -> None:
    """As mlir-air's own driver leaves them."""
    path = TEST / f"data/air_programs/{name}.mlir"
    interpreted = run_stage(source_of(path))
    arrays = [a.copy() for a in interpreted.before]
    allo_air.compile(path, order="written", cache=False)(*arrays)
    for simulated, wanted in zip(arrays, interpreted.arrays, strict=True):
        np.testing.assert_array_equal(simulated, wanted)
