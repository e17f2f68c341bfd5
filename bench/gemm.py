"""What the default plans of the GEMM pipelines reach: the planner's estimate beside the simulator's cycles.

    python bench/gemm.py [--cases bf16:2048x2048x2048 i8:1024x1024x1024:npu2 bf16-bf16:512x512x512 ...]

A case is `type[-result]:MxNxK[:device]`. Peak is that of all cores of the device with the type's MAC instruction. The plan is
herd x core tile, step along k, and the panel that stays in L2. What bounds a run is, first, what the planner says, then the
part of the machine that the simulator saw at work for the largest share of the time. Seconds are those of `allo-opt`, process
start to written file, and of the simulation. Every result is compared with numpy: exactly for integers, within the rounding of
sums for bf16.
The larger cases take minutes: `--small` leaves out what is above 2048^3.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import ml_dtypes
import numpy as np

from allo_air.device import DEVICES
from allo_air.passes.linalg._rates import peak_macs
from allo_air.program.reports.bottleneck import loads
from allo_air.sim.simulate import simulate

CASES = (
    "bf16:512x512x512", "bf16:1024x1024x1024", "bf16:2048x2048x2048", "bf16:4096x4096x1024", "bf16:4096x4096x4096",
    "bf16-bf16:4096x4096x4096",
    "i8:512x512x512", "i8:1024x1024x1024", "i8:2048x2048x2048", "i8:4096x4096x1024", "i8:4096x4096x4096",
    "i8-i8:4096x4096x4096",
    "i16:2048x2048x2048", "bf16:1000x700x900", "bf16:1024x1024x1024:npu2", "i8:2048x2048x2048:npu2",
)  # fmt: skip
DTYPES = {"bf16": ml_dtypes.bfloat16, "f32": np.float32, "i8": np.int8, "i16": np.int16, "i32": np.int32}
WIDE = {"bf16": "f32", "f32": "f32", "i8": "i32", "i16": "i32", "i32": "i32"}


@dataclass(frozen=True)
class Case:
    """Types of operands and result, sizes, and the device."""

    element: str
    result: str
    shape: tuple[int, int, int]
    device: str

    @staticmethod
    def parse(text: str) -> Case:
        types, sizes, *device = text.split(":")
        element, _, result = types.partition("-")
        m, n, k = map(int, sizes.split("x"))
        return Case(element, result or WIDE[element], (m, n, k), device[0] if device else "npu1")

    @property
    def macs(self) -> int:
        m, n, k = self.shape
        return m * n * k

    @property
    def peak(self) -> float:
        """MACs per cycle of all cores."""
        device = DEVICES[self.device]
        return peak_macs(device.arch, self.element) * device.columns * len(device.core_rows)

    def source(self) -> str:
        """The matmul on tensors, with a cast where the result is narrower than its sums."""
        (m, n, k), wide = self.shape, WIDE[self.element]
        a, b, c = f"tensor<{m}x{k}x{self.element}>", f"tensor<{k}x{n}x{self.element}>", f"tensor<{m}x{n}x{wide}>"
        out, cast, last = c, "", "%r"
        if self.result != wide:
            out, last = f"tensor<{m}x{n}x{self.result}>", "%cast"
            cast = f"""  %narrow = tensor.empty() : {out}
  %cast = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}} ins(%r : {c}) outs(%narrow : {out}) {{
  ^bb0(%x: {wide}, %y: {self.result}):
    %t = arith.trunc{"f" if wide == "f32" else "i"} %x : {wide} to {self.result}
    linalg.yield %t : {self.result}
  }} -> {out}
"""
        return f"""func.func @gemm(%a: {a}, %b: {b}) -> {out} {{
  %zero = arith.constant {"0.0" if wide == "f32" else "0"} : {wide}
  %empty = tensor.empty() : {c}
  %init = linalg.fill ins(%zero : {wide}) outs(%empty : {c}) -> {c}
  %r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%init : {c}) -> {c}
{cast}  return {last} : {out}
}}
"""


def compiled(case: Case) -> tuple[str, str, float]:
    """The plan in words, the device and its instructions, and the seconds of `allo-opt`."""
    tool, text = str(Path(sys.executable).with_name("allo-opt")), case.source()
    plan = _run([tool, "-", f"--plan-gemm=device={case.device}"], text)
    start = perf_counter()
    device = _run([tool, "-", f"--pipeline=gemm-{case.element}{{device={case.device}}}"], text)
    found = re.search(r'chosen = "([^"]*)"', plan)
    assert found is not None
    return found.group(1), device, perf_counter() - start


def _run(command: list[str], text: str) -> str:
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


def simulated(case: Case, device: str) -> tuple[Any, float]:
    """The simulator's report and its seconds; SystemExit where the numbers are wrong."""
    (m, n, k), rng = case.shape, np.random.default_rng(0)
    arguments = re.search(r"runtime_sequence @\w+\(([^)]*)\)", device)
    assert arguments is not None
    shapes = [tuple(map(int, s.split("x")[:-1])) for s in re.findall(r"memref<([^>]*)>", arguments.group(1))]
    floats = WIDE[case.element] == "f32"
    draw = rng.standard_normal if floats else (lambda size: rng.integers(-100, 100, size))
    a, b = draw((m, k)).astype(DTYPES[case.element]), draw((k, n)).astype(DTYPES[case.element])
    padded = [
        np.pad(x, [(0, w - h) for w, h in zip(shape, x.shape, strict=True)]) for x, shape in zip((a, b), shapes, strict=False)
    ]
    c = np.zeros(shapes[2], DTYPES[case.result])
    start = perf_counter()
    report = simulate(device, *padded, c, orders=0)
    seconds = perf_counter() - start
    # Products of integers below 2^14 sum exactly in float64.
    wanted, got = a.astype(np.float64) @ b.astype(np.float64), c[:m, :n]
    if floats:
        bound = k * 2.0**-23 * (np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64)))
        bound += 2.0**-8 * np.abs(wanted) if case.result == "bf16" else 0
        right = (np.abs(got.astype(np.float64) - wanted) <= bound).all()
    else:
        right = (got == wanted.astype(np.int64).astype(DTYPES[case.result])).all()
    if not right:
        raise SystemExit(f"{case}: the result differs from numpy's")
    return report, seconds


def row(case: Case) -> str:
    """A line of the table."""
    plan, device, compiling = compiled(case)
    report, simulating = simulated(case, device)
    found = re.search(r"about ([\d.e+]+) cycles, bound by (.*?) \(([^)]*)\)", plan)
    sizes = re.search(r"herd (\S+), core tile (\S+), k step (\d+)(?:.*panel of (\w) in L2 for (\d+))?", plan)
    assert found is not None and sizes is not None
    panel = f" {sizes.group(4)}/{sizes.group(5)}" if sizes.group(4) else ""
    spec = DEVICES[case.device]
    first = loads(report, lambda tile: spec.tile(*tile).kind)[0]
    types = case.element if case.result == WIDE[case.element] else f"{case.element}-{case.result}"
    predicted, cycles = float(found.group(1)), report.cycles
    return (
        f"{types:10} {'x'.join(map(str, case.shape)):16} {case.device:6} "
        f"{sizes.group(1)} x {sizes.group(2)} k{sizes.group(3)}{panel:6}"
        f"{case.macs / predicted:9.0f} {case.macs / cycles:9.0f} {100 * case.macs / cycles / case.peak:6.1f} % "
        f"{compiling:7.1f} {simulating:7.1f}  {found.group(2)}; {first}"
    )


def main() -> None:
    """Prints the table, a line for each case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", nargs="+", default=CASES, help="type[-result]:MxNxK[:device]")
    parser.add_argument("--small", action="store_true", help="only cases of at most 2048^3 products")
    given = parser.parse_args()
    print("type       M x N x K        device plan                   planned simulated of peak compile simul.  bound by")
    print(" " * 63 + "MACs/cycle          seconds")
    for case in map(Case.parse, given.cases):
        if not given.small or case.macs <= 2048**3:
            print(row(case), flush=True)


if __name__ == "__main__":
    main()
