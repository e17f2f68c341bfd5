"""How far estimates without data are from the simulation: cycles of both, what the planner counted with, the time of each.

    python bench/estimates.py [--device npu2] [--only add softmax ...] [--small]

Programs are the operators of `bench/operators.py`, and GEMMs. An estimate counts what a run does, so it is compared with one of
the same program;
seconds are CPU time of this process, after compilation. The planner's cycles are a formula's, of all kernels together.
"""

from __future__ import annotations

import argparse
import re
from time import process_time
from typing import Any

import numpy as np
from operators import CASES

import allo_air
from allo_air.dtypes import numpy_dtype

GEMMS = {
    f"{pipeline} {'x'.join(map(str, shape))}": (pipeline, shape)
    for pipeline in ("gemm-bf16", "gemm-i8")
    for shape in ((512, 512, 512), (1000, 500, 300), (1, 2048, 2048), (1024, 1024, 1024))
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="npu1")
    parser.add_argument("--only", nargs="*", default=[], help="programs whose names begin with one of these")
    parser.add_argument("--small", action="store_true", help="operators of small shapes")
    given = parser.parse_args()
    head = f"{'program':28} {'planned':>9} {'estimate':>11} {'simulated':>11} {'error':>7}"
    print(f"{head} {'s':>10} {'again s':>8} {'simulate s':>10}")
    for name in [*GEMMS, *CASES]:
        if given.only and not any(name.startswith(o) for o in given.only):
            continue
        try:
            print(f"{name:28} {row(name, given.device, given.small)}", flush=True)
        except allo_air.AlloAirError as error:
            print(f"{name:28} refused: {str(error).splitlines()[0][:100]}", flush=True)


def row(name: str, device: str, small: bool) -> str:
    """The figures of one program."""
    if name in GEMMS:
        pipeline, shape = GEMMS[name]
        program = allo_air.compile(pipeline=pipeline, shape=shape, device=device)
    else:
        make, full, little = CASES[name]
        program = allo_air.compile(make(*(little if small else full)).text, pipeline="npu", device=device)
    begun = process_time()
    estimated = program.estimate().cycles
    first = process_time()
    program.estimate()
    again = process_time()
    program(*inputs(program))
    report = program.report()
    ended = process_time()
    error = 100 * (estimated / report.cycles - 1)
    times = f"{first - begun:10.2f} {again - first:8.3f} {ended - again:10.2f}"
    return f"{planned(program):9,.0f} {estimated:11,} {report.cycles:11,} {error:6.2f}% {times}"


def planned(program: Any) -> float:
    """The planner's cycles of the kernels, as `explain` tells them."""
    return sum(map(float, re.findall(r"; about ([\d.e+]+) cycles", program.explain())))


def inputs(program: Any) -> list[Any]:
    """Random arrays for its inputs."""
    rng = np.random.default_rng(0)
    found = []
    for argument in program.arguments:
        if argument.role == "in":
            kind = numpy_dtype(argument.element)
            whole = rng.integers(-9, 9, argument.shape) if argument.element[0] == "i" else rng.standard_normal(argument.shape)
            found.append(whole.astype(kind))
    return found


if __name__ == "__main__":
    main()
