"""What tests of several folders share: where the data is, modules read and run through passes, and how they are judged."""

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from allo_air import asm, interp
from allo_air.core import driver, pipeline
from allo_air.core.pass_ import Pass
from allo_air.core.registry import Registry
from allo_air.core.walking import walk, walk_named
from allo_air.interp import rules
from allo_air.interp.allowances import Allowances
from allo_air.interp.inputs import draw
from allo_air.mlir import arith, ir
from allo_air.tools import allo_opt as tool

TEST = Path(__file__).parent
LIT = TEST / "lit"
REFERENCE = TEST / "data/reference"

LOOPBACK = """
aie.device(npu2) @seg {
  %s = aie.tile(0, 0)
  %m = aie.tile(0, 1)
  aie.flow(%s, DMA : 0, %m, DMA : 0)
  aie.flow(%m, DMA : 0, %s, DMA : 0)
  %b = aie.buffer(%m) {sym_name = "b"} : memref<32xi32>
  %p = aie.lock(%m, 0) {init = 1 : i32, sym_name = "p"}
  %c = aie.lock(%m, 1) {init = 0 : i32, sym_name = "c"}
  aie.memtile_dma(%m) {
    %one = arith.constant 1 : i32
    %0 = aie.dma_start(S2MM, 0, ^in, ^next)
  ^in:
    aie.use_lock(%p, AcquireGreaterEqual, %one)
    aie.dma_bd(%b : memref<32xi32>)
    aie.use_lock(%c, Release, %one)
    aie.next_bd ^in
  ^next:
    %1 = aie.dma_start(MM2S, 0, ^out, ^end)
  ^out:
    aie.use_lock(%c, AcquireGreaterEqual, %one)
    aie.dma_bd(%b : memref<32xi32>)
    aie.use_lock(%p, Release, %one)
    aie.next_bd ^out
  ^end:
    aie.end
  }
  aie.shim_dma_allocation @in(%s, MM2S, 0)
  aie.shim_dma_allocation @out(%s, S2MM, 0)
}
"""
"""A device that sends back what its memtile receives, in pieces of 32 numbers."""


def in_turns(cases: Iterable[Any], others: tuple[Any, ...] = ("npu1", "npu2")) -> list[Any]:
    """Each case with one of `others`, in turns; with the rest of them it is slow."""
    made = []
    for number, case in enumerate(cases):
        for turn, other in enumerate(others):
            values = other if isinstance(other, tuple) else (other,)
            made.append(pytest.param(case, *values, marks=[pytest.mark.slow] if (number - turn) % len(others) else []))
    return made


def one_in(step: int, cases: Iterable[Any]) -> list[Any]:
    """The cases, of which one in `step` is not slow."""
    return [pytest.param(c, marks=[pytest.mark.slow] if number % step else []) for number, c in enumerate(cases)]


def integers(*shape: int, seed: int = 0, dtype: Any = np.int32) -> Any:
    """Small whole numbers."""
    return np.random.default_rng(seed).integers(-9, 9, shape).astype(dtype)


def addresses(offset: int, sizes: Iterable[int], strides: Iterable[int]) -> Any:
    """The elements offset + sum(index * stride), the last index fastest."""
    at = np.full(1, offset)
    for size, stride in zip(sizes, strides, strict=True):
        at = (at[:, None] + np.arange(size) * stride).reshape(-1)
    return at


def reference(case: str, step: str) -> Any:
    """What mlir-air's tools print after `step`, its number or its name, of the only file that has it."""
    [path] = [p for p in (REFERENCE / case).glob("*.mlir") if step in (p.stem, p.stem[:2], p.stem[3:])]
    return asm.read(path.read_text(), str(path))


def around(*passes: Pass) -> list[Any]:
    """(pass, file before, file after) as parameters, for each time that mlir-air's tools ran one of `passes`."""
    found = []
    for folder in sorted(p for p in REFERENCE.iterdir() if p.is_dir()):
        for before, after in pairwise(sorted(folder.glob("*.mlir"))):
            steps = [step for step in passes if after.stem[3:] == step.name]
            found += [pytest.param(step, before, after, id=f"{folder.name}-{step.name}") for step in steps]
    return found


def piped(text: str, module: Any) -> Any:
    """Runs the pipeline `text` on a module, which verifies after each pass."""
    with module.context, module.location:
        driver.run(pipeline.parse(text, Registry()), module, driver.Settings(verify=asm.verify))
    return module


def apply(module: Any, *passes: Pass) -> Any:
    """Runs passes on a module, which verifies after each."""
    for step in passes:
        for target in walk_named(module, "func.func") if step.anchor == "func.func" else [module]:
            with target.context, target.location:
                step.run(target)
        asm.verify(module)
    return module


def counts(module: Any) -> Counter[str]:
    """How many operations there are of each kind, without those of which an implementation makes as many as it happens to."""
    return Counter(o.operation.name for o in walk(module) if o.operation.name not in ("arith.constant", "affine.apply"))


def is_settled(step: Pass, file: Path) -> bool:
    """Whether a pass, run on a file's module, changes nothing when it runs again."""
    module = apply(asm.read(file.read_text(), str(file)), step)
    once = asm.write(module)
    return asm.write(apply(module, step)) == once


def launch_once(module: Any) -> Any:
    """Gives the launch one instance: those of the case study do all the same."""
    [launch] = walk_named(module, "air.launch")
    with module.context, ir.InsertionPoint(launch), launch.location:
        one = arith.ConstantOp(ir.IndexType.get(), 1).result
    deps = len(launch.opview.deps)
    for n in range(len(launch.opview.sizes)):
        launch.operands[deps + n] = one
    return module


def kernels(module: Any) -> dict[str, Any]:
    """What the functions that the case study declares do: a fill, and a product of micro tiles by columns."""

    def product_of(a: Any, b: Any, c: Any) -> None:
        c[...] += np.einsum("kmac,nkcb->nmab", a.astype(np.float32), b.astype(np.float32)).astype(c.dtype)

    names = [f.attributes["sym_name"].value for f in walk_named(module, "func.func") if not f.regions[0].blocks]
    return {n: (lambda value, c: c.fill(value)) if "fill" in n else product_of for n in names}


def allo_opt(source: str, *arguments: str) -> str:
    """What the tool prints for a source."""
    with TemporaryDirectory() as folder:
        given, made = Path(folder, "in.mlir"), Path(folder, "out.mlir")
        given.write_text(source)
        assert tool.main([str(given), "-o", str(made), *arguments]) == 0, "the tool's message is on standard error"
        return made.read_text()


def agrees(module: Any, inputs: Iterable[Any], expected: list[Any], seeds: int = 2, when: str = "") -> None:
    """Whatever the order, and whether channels hold a message or none, the module computes `expected`, without a race."""
    for seed in range(seeds):
        allow = Allowances(capacity=1 - seed % 2)
        found = interp.run(module, list(inputs), seed=seed, allow=allow, libraries=kernels(module))
        for ours, wanted in zip(found, expected, strict=True):
            np.testing.assert_array_equal(ours, wanted, err_msg=f"{when} seed {seed}")


def drawn(module: Any, seed: int = 0) -> list[Any]:
    """Small numbers for each argument of the function that runs."""
    return draw(interp.entry(module), seed)


def outcome(module: Any, inputs: Iterable[Any]) -> list[Any]:
    """What a module computes in one order."""
    return interp.run(module, list(inputs), libraries=kernels(module))


def noted(function: Any, names: Iterable[str], note: Callable[[Any, dict[Any, Any]], None], inputs: list[Any]) -> None:
    """Runs a function in which the operations `names` only call `note(operation, values of its operands)`."""

    def rule(_translator: Any, step: Any) -> Any:
        def run(_agent: Any, _frame: Any, operands: list[Any]) -> Any:
            note(step.op, dict(zip(step.op.operands, operands, strict=True)))
            yield
            return [None for _ in step.results]

        return run

    rules.load()
    with patch.dict(rules.TASK, dict.fromkeys(names, rule)):
        interp.run(function.parent, inputs, function.attributes["sym_name"].value)


def keeps(module: Any, passes: Iterable[Pass], *inputs: Any, seeds: int = 2) -> list[Any]:
    """Runs passes, after each of which the module computes what it did before; returns that, see `interp.run`."""
    module = asm.read(module) if isinstance(module, str) else module
    expected = outcome(module, inputs)
    for step in passes:
        agrees(apply(module, step), inputs, expected, seeds, f"after {step.name}:")
    return expected
