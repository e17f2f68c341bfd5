"""`air-runner`: predicts the time of a function of a module, and writes the trace of the run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from allo_air.errors import AlloAirError, render


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the tool; returns 1 and prints the reason on standard error if it fails."""
    about = "Runs a function on the simulator's model of time, on random arrays, and writes the trace in Chrome's format."
    parser = argparse.ArgumentParser(prog="air-runner", description=about)
    parser.add_argument("input", nargs="?", default="-", help="the module; - for standard input")
    parser.add_argument("-f", "--function", required=True, help="name of the function")
    parser.add_argument("-m", "--model", help="the machine as JSON: only its clock is read")
    parser.add_argument("-o", "--output", default="-", help="the trace; - for standard output")
    parser.add_argument("-g", "--granularity", default="herd", choices=["herd", "core"], help="taken; cores have events always")
    parser.add_argument("-v", "--verbose", action="store_true", help="print the predicted latency on standard error")
    options = parser.parse_args(arguments)
    try:
        _run(options)
    except AlloAirError as error:
        for diagnostic in error.diagnostics:
            print(render(diagnostic, lambda _file, _number: None), file=sys.stderr)
        return 1
    return 0


def _run(options: argparse.Namespace) -> None:
    from allo_air import asm
    from allo_air.air.compiler.util import Runner
    from allo_air.mlir import new_context

    runner = Runner(options.model, sim_granularity=options.granularity)
    try:
        text = sys.stdin.read() if options.input == "-" else Path(options.input).read_text(encoding="utf-8")
    except OSError as error:
        raise AlloAirError(f"cannot read '{options.input}': {error.strerror}") from None
    with new_context():
        trace = runner.run(asm.read(text, options.input), options.function)
    if options.output == "-":
        print(trace)
    else:
        try:
            Path(options.output).write_text(trace, encoding="utf-8")
        except OSError as error:
            raise AlloAirError(f"cannot write '{options.output}': {error.strerror}") from None
    if options.verbose:
        print(f"Latency (us): {runner.last_latency_us:.1f}", file=sys.stderr)


if __name__ == "__main__":
    raise SystemExit(main())
