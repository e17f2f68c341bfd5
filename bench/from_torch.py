"""Modules from PyTorch (test/data/torch) through pipeline npu: which compile, run, and meet torch's float64 answers.

    python bench/from_torch.py [--device npu1 npu2] [NAME...]

Each line is ok, wrong (and where), or refused (and why); then how long compiling took, and the simulation.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1] / "test"))

import allo_air
from allo_air.errors import AlloAirError
from torch_modules import APPROXIMATION, load, names


def outcome(name: str, device: str) -> tuple[str, str]:
    """What became of a module: ok, wrong, refused or crashed, and what is to be said of it."""
    case, start = load(name), perf_counter()
    try:
        program = allo_air.compile(case.text, pipeline="npu", device=device, cache=False)
        compiled = perf_counter()
        results = program(*case.inputs)
        case.check(results if isinstance(results, list | tuple) else [results], APPROXIMATION)
    except AssertionError as off:
        return "wrong", str(off)
    except AlloAirError as refusal:
        return "refused", " ".join(str(refusal).split())[:300]
    except Exception as crash:  # a table of all must not end at one
        return "crashed", f"{type(crash).__name__}: {crash}"[:300]
    return "ok", f"{compiled - start:.1f} s to compile, {perf_counter() - compiled:.1f} s to run"


def main() -> int:
    """Prints the table; the exit code tells whether all modules of it are ok."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--device", nargs="+", default=["npu1", "npu2"])
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    for device in options.device:
        for name in options.names or names():
            kind, said = outcome(name, device)
            counts[kind] += 1
            print(f"{device} {name:22} {kind:8} {said}", flush=True)
    print(", ".join(f"{n} {kind}" for kind, n in counts.most_common()))
    return int(set(counts) != {"ok"})


if __name__ == "__main__":
    sys.exit(main())
