"""--verify-each=execute down to the instruction words: pipelines run at every stage, wrong passes are named."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.core import two_processes
from allo_air.tools import allo_opt, allo_run
from helpers import REFERENCE, TEST

WALKTHROUGH = REFERENCE / "walkthrough_i32/00-input.mlir"
CHAIN = TEST / "data/chain.mlir"
TO_NPU = (
    "--air-to-aie=logical-tiles=false row-offset=2 col-offset=0 device=npu1 emit-while-loop=true",
    *("--canonicalize", "--air-to-std", "--canonicalize", "--airrt-to-npu", "--canonicalize"),
)

PASSES = '''
from dataclasses import dataclass
from typing import Any

from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.mlir import ir


@dataclass(frozen=True)
class SwapGets(Pass):
    """Exchanges the buffers of the last two transfers."""

    name = "swap-gets"

    def run(self, op: Any, /) -> None:
        one, other = walk_named(op, "airrt.dma_memcpy_nd")[-2:]
        one.operands[3], other.operands[3] = other.operands[3], one.operands[3]


@dataclass(frozen=True)
class DropWait(Pass):
    """Erases what waits in the middle of the program."""

    name = "drop-wait"

    def run(self, op: Any, /) -> None:
        walk_named(op, "airrt.wait_all")[0].erase()


@dataclass(frozen=True)
class AddEight(Pass):
    """Lets the cores add another number."""

    name = "add-eight"

    def run(self, op: Any, /) -> None:
        for constant in walk_named(op, "arith.constant"):
            if str(constant.attributes["value"]) == "7 : i32":
                constant.attributes["value"] = ir.Attribute.parse("8 : i32")


@dataclass(frozen=True)
class OtherArgument(Pass):
    """Lets the first task of the runtime sequence move another argument."""

    name = "other-argument"

    def run(self, op: Any, /) -> None:
        [sequence] = walk_named(op, "aie.runtime_sequence")
        bd = walk_named(sequence, "aie.dma_bd")[0]
        bd.operands[0] = sequence.regions[0].blocks[0].arguments[2]


@dataclass(frozen=True)
class EmptyLocks(Pass):
    """Lets everybody wait for everybody."""

    name = "empty-locks"

    def run(self, op: Any, /) -> None:
        for lock in walk_named(op, "aie.lock"):
            lock.attributes["init"] = ir.Attribute.parse("0 : i32")
'''

GEMMS = [
    ("bf16", "f32", "gemm-bf16", (5, 7, 9)),
    ("bf16", "f32", "gemm-bf16-recipe", (5, 7, 9)),
    ("i8", "i32", "gemm-i8", (5, 7, 9)),
    pytest.param("i16", "i32", "gemm-i16", (5, 7, 9), marks=pytest.mark.slow),
    ("i32", "i32", "gemm-i32", (7, 5, 9)),
    pytest.param("f32", "f32", "gemm-f32", (7, 5, 9), marks=pytest.mark.slow),
]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Runs `allo-opt --verify-each=execute` on arguments; returns its status and what it says."""

    def call(*arguments: Any) -> tuple[int, str]:
        status = allo_opt.main(["--verify-each=execute", *map(str, arguments), "-o", "/dev/null"])
        return status, capsys.readouterr().err

    return call


def executed(err: str) -> list[str]:
    """The passes after which the module ran, from the table of --timing."""
    return re.findall(r"\(execute\) (\S+)$", err, re.MULTILINE)


@pytest.mark.parametrize(("element", "result", "pipeline", "shape"), GEMMS)
def test_gemm(
    tmp_path: Path, run: Callable[..., tuple[int, str]], element: str, result: str, pipeline: str, shape: tuple[int, ...]
) -> None:
    source = tmp_path / "gemm.mlir"
    source.write_text(allo_air.Matmul(*shape, element, result).text)
    status, err = run(source, f"--pipeline={pipeline}", "--timing")
    assert status == 0
    assert "is not executed" not in err
    assert {"air-to-aie", "air-to-std", "airrt-to-npu"} <= set(executed(err))


def test_recipe(run: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    source = tmp_path / "matmul.mlir"
    source.write_text(WALKTHROUGH.read_text().replace("256", "64"))  # K is 64, four steps
    status, err = run(source, "--pipeline=air-recipe", "--timing")
    assert status == 0
    assert "is not executed" not in err
    assert {"air-to-aie", "air-to-std", "airrt-to-npu"} <= set(executed(err))


def test_launches_that_follow_each_other(run: Callable[..., tuple[int, str]]) -> None:
    status, err = run(CHAIN, *TO_NPU, "--timing")
    assert status == 0
    assert executed(err)[0:2] == ["input", "air-to-aie"]
    assert "airrt-to-npu" in executed(err)


@pytest.mark.parametrize(
    ("device", "sequence"),
    [("emit-herd-lock=true", ""), ("insert-trace-packet-flow=true", "trace-size=4096"), ("", "output-elf=true")],
)
def test_what_waits_for_the_host_traces_or_is_configured(
    run: Callable[..., tuple[int, str]], device: str, sequence: str
) -> None:
    first, *more = TO_NPU
    more[more.index("--airrt-to-npu")] = f"--airrt-to-npu={sequence}"
    lowered = [f"--aie-{p}" for p in ("materialize-runtime-sequences", "assign-runtime-sequence-bd-ids", "dma-tasks-to-npu")]
    status, err = run(CHAIN, f"{first} {device}", *more, *lowered, "--timing")
    assert status == 0, err
    assert "is not executed" not in err
    assert {"air-to-aie", "airrt-to-npu", "aie-dma-tasks-to-npu"} <= set(executed(err))


@pytest.mark.parametrize(
    ("wrong", "place", "message"),
    [
        ("add-eight", 1, r"changes what the module computes: @chain, argument 1\[0\]: expected (-?\d+), found"),
        ("empty-locks", 1, "deadlock"),
        ("swap-gets", 3, "changes what the module computes: @chain, argument "),
        ("drop-wait", 3, "reads data that another transfer writes, without a wait between them"),
        ("other-argument", 6, "changes what the module computes: @chain, argument 1"),
    ],
)
def test_a_wrong_pass_is_named(
    tmp_path: Path, run: Callable[..., tuple[int, str]], wrong: str, place: int, message: str
) -> None:
    passes = tmp_path / "passes.py"
    passes.write_text(PASSES)
    status, err = run(CHAIN, f"--load={passes}", *TO_NPU[:place], f"--{wrong}", *TO_NPU[place:])
    assert status == 1
    assert re.search(message, err), err
    assert f"pass '{wrong}' changes the module's results (pass {place + 1} of 7)" in err
    [again] = re.findall(r"this runs it again, on the same inputs: allo-opt (.*)", err)
    arguments = shlex.split(again)
    try:
        status, err = run(*arguments)
    finally:
        Path(arguments[-1]).unlink()
    assert status == 1
    assert re.search(message, err), err
    assert f"pass '{wrong}' changes the module's results" in err


def test_compile_executes_down_to_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    from allo_air.program.run import executors

    monkeypatch.setattr(two_processes, "can_fork", lambda: False)  # a fork's list is not ours
    ran: list[str] = []
    execute = executors.execute
    monkeypatch.setattr(executors, "execute", lambda *a, **k: (ran.append(a[0].operation.name), execute(*a, **k))[1])
    program = allo_air.compile(shape=(7, 5, 9), dtype="i32", cache=False, verify_each="execute")
    assert len(ran) >= 8
    a, b = (np.random.default_rng(n).integers(-9, 9, s).astype(np.int32) for n, s in ((0, (7, 9)), (1, (9, 5))))
    np.testing.assert_array_equal(program(a, b), a @ b)


@pytest.mark.parametrize(("stage", "level"), [("air-to-aie", "aie"), ("air-to-std", "aie"), ("airrt-to-npu", "npu")])
def test_allo_run_runs_each_stage(tmp_path: Path, stage: str, level: str) -> None:
    source, lowered, out = tmp_path / "gemm.mlir", tmp_path / "lowered.mlir", tmp_path / "c.npy"
    source.write_text(allo_air.Matmul(7, 5, 9, "i32", "i32").text)
    assert allo_opt.main([str(source), "--pipeline=gemm-i32", f"--stop-after={stage}", "-o", str(lowered)]) == 0
    a, b = (np.random.default_rng(n).integers(-9, 9, s).astype(np.int32) for n, s in ((0, (7, 9)), (1, (9, 5))))
    np.save(tmp_path / "a.npy", a)
    np.save(tmp_path / "b.npy", b)
    inputs = [f"--input={tmp_path / name}.npy" for name in "ab"]
    assert allo_run.main([str(lowered), "--at", level, *inputs, f"--output={out}"]) == 0
    np.testing.assert_array_equal(np.load(out), a @ b)
