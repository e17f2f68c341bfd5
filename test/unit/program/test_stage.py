"""One stage's IR on arrays: every level of a pipeline gives what numpy gives."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from allo_air.errors import AlloAirError
from allo_air.program.program import Program
from allo_air.program.source import Source
from allo_air.program.stage import run_stage

Compiled = Callable[..., Program]
RNG = np.random.default_rng(0)
A, B = (RNG.integers(-9, 9, s).astype(np.int32) for s in ((16, 8), (8, 32)))


@pytest.mark.parametrize("level", ["linalg", "tiled", "air", "channel"])
def test_levels_above_the_device(level: str, compiled: Compiled) -> None:
    text = compiled(shape=(16, 32, 8), dtype="i32").text(level)
    done = run_stage(Source(text, level), level, [A, B])
    [(_, c)] = done.outputs
    np.testing.assert_array_equal(c, A @ B)
    assert done.report is None


def test_words(compiled: Compiled, simulator: Any) -> None:
    text = compiled(shape=(16, 32, 8), dtype="i32").text("npu")
    done = run_stage(Source(text, "npu"), "npu", [A, B], seed=4, trace=True)
    [(argument, c)] = done.outputs
    assert (argument.name, argument.role) == ("argument 2", "out")
    np.testing.assert_array_equal(c, A @ B)
    assert simulator.calls[0]["seed"] == 4
    assert done.report.cycles == 1000


def test_a_device_with_its_control_program(compiled: Compiled) -> None:
    text = compiled(shape=(16, 32, 8), dtype="i32").text("aie")
    done = run_stage(Source(text, "aie"), "aie", [A, B], seed=4, trace=True)
    [(argument, c)] = done.outputs
    assert (argument.name, argument.role) == ("argument 2", "out")
    np.testing.assert_array_equal(c, A @ B)
    assert len(done.report.events["cycle"])


def test_arrays_that_are_not_given_are_seeded(compiled: Compiled) -> None:
    source = Source(compiled(shape=(16, 32, 8), dtype="i32").text("linalg"), "linalg")
    first, again, other = (run_stage(source, seed=s).arrays for s in (1, 1, 2))
    np.testing.assert_array_equal(first[0], again[0])
    np.testing.assert_array_equal(first[2], first[0] @ first[1])
    assert (first[0] != other[0]).any()


def test_inputs_are_not_written(compiled: Compiled) -> None:
    text = compiled(shape=(16, 32, 8), dtype="i32").text("tiled")
    given = np.zeros((16, 32), np.int32)
    run_stage(Source(text, "t"), "tiled", [A, B, given])
    assert not given.any()


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("func.func @f(%a: tensor<?xf32>) {\n  return\n}", {}, r"argument 0 of @f is tensor<\?xf32>; expected"),
        ("func.func @f() {\n  return\n}\nfunc.func @g() {\n  return\n}", {}, "expected one function to run, found @f, @g"),
        ("func.func @f(%a: tensor<4xf32>) {\n  return\n}", {"level": "tile"}, "unknown level 'tile'; did you mean 'tiled'"),
        ("func.func @f(%a: tensor<4xf32>) {\n  return\n}", {"trace": True}, "level 'linalg' runs on the interpreter"),
        (
            "func.func @f(%a: tensor<4xf32>) {\n  return\n}",
            {"arrays": [A]},
            "argument 0 is 16x8 of int32, expected 4 of float32",
        ),
        ("func.func @f(%a: tensor<4xf32>) {\n  return\n}", {"arrays": [A, A]}, "got 2 arrays, expected 1 argument"),
        ("aie.device(npu1) {\n}", {"level": "air"}, "an AIE design .*, without functions; run it with allo_air.simulate"),
        ("func.func @f(%a: i32) {\n  return\n}", {"level": "npu"}, "there is no aie.device; lower"),
    ],
)
def test_errors(text: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(AlloAirError, match=message):
        run_stage(Source(text, "f"), **options)


def test_a_memref_without_a_rank_is_refused() -> None:
    source = Source("func.func @f(%m: memref<*xf32>) {\n  return\n}\n", "f")
    with pytest.raises(AlloAirError, match=r"argument 0 of @f is memref<\*xf32>, which has no shape: give its array"):
        run_stage(source, "air")
