"""Whole models: how long they take to compile, the memory for that, loads, predicted time, and the share on the array.

    python bench/models.py [--device npu2] [--check] [--against FILE] [--record FILE] [NAME...]

Each model is compiled in a process of its own, without cache. `--check` runs it on the simulator and compares with PyTorch.
`--record` writes the figures of models that compile; `--against` prints them as ratios to those of such a file.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

_FIGURES = {"seconds": "compile, s of CPU", "megabytes": "MB", "loads": "loads", "microseconds": "predicted, us"}


def measure(name: str, device: str, *, check: bool) -> dict[str, Any]:
    """The figures of one model; its reason in `refused` where it is not compiled."""
    import models_zoo
    import torch

    import allo_air.torch
    from allo_air.errors import AlloAirError

    model, example = models_zoo.made(name)
    start = _cpu_seconds()
    try:
        compiled = allo_air.torch.compile(model, example, device=device, cache=False)
    except AlloAirError as refusal:
        return {"refused": " ".join(str(refusal).split())[:300]}
    seconds = _cpu_seconds() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    report = compiled.estimate()
    found = {
        "seconds": round(seconds, 1),
        "megabytes": round(memory),
        "loads": report.reconfigurations,
        "microseconds": round(report.microseconds),
        "share": round(compiled.model.share_on_array, 4),
        "host": {row.why or row.operation: row.line for row in report.rows if row.where == "host"},
    }
    if check:
        with torch.no_grad():
            exact = model.double()(*[x.double() if x.is_floating_point() else x for x in example])
            error = (compiled(*example) - exact).abs().max() / exact.abs().max()
        found["error"] = float(error)
    return found


def _cpu_seconds() -> float:
    """Seconds of CPU of this process and of the processes that it has started, which lower half of the kernels."""
    return sum(os.times()[:4])


def _apart(name: str, device: str, *, check: bool) -> dict[str, Any]:
    """The figures of a model from a process of its own."""
    command = [sys.executable, __file__, name, "--device", device, "--one", *(["--check"] if check else [])]
    done = subprocess.run(command, text=True, capture_output=True, check=False)
    if done.returncode:
        return {"refused": f"the process ended with {done.returncode}: {done.stderr.strip()[-300:]}"}
    return dict(json.loads(done.stdout.splitlines()[-1]))


def _line(name: str, found: dict[str, Any], before: dict[str, Any]) -> str:
    if "refused" in found:
        return f"{name:16} refused: {found['refused']}"
    told = []
    for key in _FIGURES:
        ratio = f" ({found[key] / before[key]:.2f})" if before.get(key) else ""
        told.append(f"{found[key]:>9,}{ratio:7}")
    error = f"  error {found['error']:.1e}" if "error" in found else ""
    lines = [f"{name:16} {' '.join(told)} {found['share']:7.1%}{error}"]
    lines += [f"{'':16}   host: {line}: {why}"[:200] for why, line in found["host"].items()]
    return "\n".join(lines)


def main() -> int:
    """Prints the table; the exit code tells whether all models compiled and none is wrong."""
    import models_zoo

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(models_zoo.MODELS)}; all where none is given")
    parser.add_argument("--device", default="npu2")
    parser.add_argument("--check", action="store_true", help="run on the simulator and compare with PyTorch in float64")
    parser.add_argument("--against", type=Path, help="a recorded state; ratios to it are in parentheses")
    parser.add_argument("--record", type=Path, help="write the figures to this file, beside what it has")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in models_zoo.MODELS]:
        parser.error(f"there is no model {', '.join(unknown)}; there are {', '.join(models_zoo.MODELS)}")
    if options.one:
        print(json.dumps(measure(options.names[0], options.device, check=options.check)))
        return 0
    if options.against and not options.against.is_file():
        parser.error(f"--against: there is no file '{options.against}'")
    states = json.loads(options.against.read_text()) if options.against else {}
    kept = json.loads(options.record.read_text()) if options.record and options.record.exists() else {}
    print(f"{'':16} " + " ".join(f"{text:>16}" for text in _FIGURES.values()) + "  on the array")
    wrong = 0
    for name in options.names or models_zoo.MODELS:
        found = _apart(name, options.device, check=options.check)
        print(_line(name, found, states.get(f"{options.device} {name}", {})), flush=True)
        wrong += "refused" in found or found.get("error", 0) > 1e-4
        if "refused" not in found:  # then the figures stay those of the last time that it compiled
            kept[f"{options.device} {name}"] = {k: v for k, v in found.items() if k in _FIGURES}
    if options.record:
        options.record.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
