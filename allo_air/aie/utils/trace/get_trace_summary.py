"""`python -m aie.utils.trace.get_trace_summary --input trace.json` prints the cycles of a kernel's calls in a trace."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path

from allo_air.aie.utils.trace.parse import get_trace_summary
from allo_air.aie.utils.trace.utils import get_cycles_summary
from allo_air.errors import AlloAirError


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = ArgumentParser("get_trace_summary.py", description="Cycles from event 0 to event 1 of a parsed trace.")
    parser.add_argument("-i", "--input", "--filename", required=True, help="events in JSON, as parse.py writes them")
    file = parser.parse_args(arguments).input
    try:
        events = json.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as why:
        raise AlloAirError(f"get_trace_summary.py: cannot read '{file}': {getattr(why, 'strerror', None) or why}") from why
    spans = next((spans for _, *spans in get_cycles_summary(events) if spans), [])
    print(f"Total number of full invocations found is {len(spans)}")
    if spans:
        summary = get_trace_summary(events)
        print("First/Min/Avg/Max cycles is " + "/ ".join(f"{summary[n]:g}" for n in ("first", "min", "avg", "max")))


if __name__ == "__main__":
    try:
        main()
    except AlloAirError as problem:
        sys.exit(f"error: {problem}")
