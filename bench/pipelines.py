"""What the gemm pipelines cost: time per pass and operations left at each stage, for three shapes.

Run as `python bench/pipelines.py`; `--shapes 64x64x64` and `--pipelines gemm-i8` change what is measured. The time
of a whole `allo-opt`, process start to written file, stands last.
"""

import argparse
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from time import perf_counter

from allo_air import asm
from allo_air.core import driver, registry
from allo_air.core.driver import Settings
from allo_air.core.named import parse_reference
from allo_air.core.pipeline import Pipeline
from allo_air.core.walking import walk_post_order
from allo_air.mlir import new_context

SHAPES = ("512x512x512", "512x1024x512", "4096x4096x4096")
RESULTS = {"bf16": ("f32", "0.0"), "f32": ("f32", "0.0"), "i8": ("i32", "0"), "i16": ("i32", "0"), "i32": ("i32", "0")}


def matmul(shape: str, element: str) -> str:
    """A linalg.matmul of `shape` (MxKxN) as a function on tensors."""
    m, k, n = shape.split("x")
    result, zero = RESULTS[element]
    a, b, c = f"tensor<{m}x{k}x{element}>", f"tensor<{k}x{n}x{element}>", f"tensor<{m}x{n}x{result}>"
    return f"""func.func @gemm(%a: {a}, %b: {b}) -> {c} {{
  %zero = arith.constant {zero} : {result}
  %empty = tensor.empty() : {c}
  %init = linalg.fill ins(%zero : {result}) outs(%empty : {c}) -> {c}
  %r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%init : {c}) -> {c}
  return %r : {c}
}}
"""


@dataclass(frozen=True)
class StageCost:
    """One stage: seconds, and the operations that it leaves."""

    name: str
    level: str
    seconds: float
    operations: int


def stages(reference: str, text: str) -> tuple[list[StageCost], list[tuple[str, float]]]:
    """The stages of pipeline `reference` on `text`, and the seconds of each pass in order."""
    name, options = parse_reference(reference)
    found: list[StageCost] = []
    timings: list[tuple[str, float]] = []
    with new_context():
        passes = registry.Registry()
        pipeline = passes.pipeline(name).instantiate(passes, options)
        module = asm.read(text, "gemm.mlir")
        for stage, steps in groupby(pipeline.steps, key=lambda step: (step.stage, step.level)):
            start = len(timings)
            driver.run(Pipeline(tuple(steps), pipeline.anchor), module, Settings(verify=asm.verify, timings=timings))
            seconds = sum(s for _, s in timings[start:])
            found.append(StageCost(*stage, seconds, len(walk_post_order(module)) - 1))
    return found, timings


def whole(reference: str, text: str, repeats: int) -> float:
    """Least seconds of `allo-opt`, process start to written file."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "gemm.mlir")
        source.write_text(text, encoding="utf-8")
        command = [
            Path(sys.executable).with_name("allo-opt"),
            source,
            f"--pipeline={reference}",
            "-o",
            Path(folder, "out.mlir"),
        ]
        return min(_seconds(command) for _ in range(repeats))


def _seconds(command: Iterable[object]) -> float:
    start = perf_counter()
    subprocess.run([str(word) for word in command], check=True, capture_output=True)
    return perf_counter() - start


def show(reference: str, shape: str, top: int, repeats: int) -> None:
    """Prints the tables of one pipeline on one shape."""
    text = matmul(shape, reference.split("-")[1].split("{")[0])
    costs, timings = stages(reference, text)
    print(f"\n{reference}, M x K x N = {shape}\n{'stage':24}{'level':10}{'ms':>9}{'operations':>12}")
    for cost in costs:
        print(f"{cost.name:24}{cost.level:10}{cost.seconds * 1e3:9.1f}{cost.operations:12,}")
    sums: dict[str, float] = defaultdict(float)
    for name, seconds in timings:
        sums[name] += seconds
    print(f"{'pass (all its runs)':34}{'ms':>9}")
    for name, seconds in sorted(sums.items(), key=lambda item: -item[1])[:top]:
        print(f"{name:34}{seconds * 1e3:9.1f}")
    print(f"passes {sum(sums.values()):.2f} s; allo-opt as a whole {whole(reference, text, repeats):.2f} s", flush=True)


def main() -> None:
    """Measures and prints every pipeline on every shape."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shapes", nargs="+", default=SHAPES, help="M x K x N")
    parser.add_argument("--pipelines", nargs="+", default=["gemm-bf16"], help="named pipelines, with options if wanted")
    parser.add_argument("--top", type=int, default=12, help="passes to show")
    parser.add_argument("--repeats", type=int, default=3, help="runs of allo-opt of which the least time counts")
    given = parser.parse_args()
    for reference in given.pipelines:
        for shape in given.shapes:
            show(reference, shape, given.top, given.repeats)


if __name__ == "__main__":
    main()
