"""The golden corpus: what about 400 programs compile to, so that a change that must not change them can show it.

    python bench/golden.py --record before.json        # on the tree before the change; --quick takes every ninth program
    python bench/golden.py --compare before.json       # on the tree after it; exit code 1 where a hash or a count differs
    python bench/golden.py --report before.json        # the record as a table

A record holds for each program: hashes of the AIE text and of the instruction words, loads of configurations, cycles (predicted
by the simulator's model of time, without data), the passes that ran, and seconds of compilation. A refused program has the hash
of its message instead. Hashes, messages and loads must be equal; with `--cycles 1` cycles may differ by one percent and hashes
are not compared. Seconds are reported and never judged. Programs come from tests, benches and docs: PyTorch modules, operators,
products of all types and odd shapes, presets, AIR programs, AIE designs, dataflow regions, whole models; npu1 and npu2.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import allo_air
from allo_air.errors import AlloAirError
from allo_air.models.model import Model
from allo_air.program.program import Program
from attention_sources import Case

ROOT = Path(__file__).resolve().parents[1]
DEVICES = ("npu1", "npu2")
ATTENTION: dict[str, tuple[Case, str, dict[str, Any]]] = {
    "causal bfp16": (Case(1, 256, 256, 64, 64, "bf16", mask="causal"), "npu2", {"bfp16": True}),
    "f32": (Case(1, 128, 128, 64, 64), "npu1", {}),
}
"""Heads, queries, keys and channels; device; options. They end the list of programs of one kernel: `--quick` counts places."""
QUICK = 9
"""One program of so many is in the quick part, and each model on npu2."""
MODELS = ("gpt2-short", "resnet-small", "mixer", "lstm-8", "vit-short")
"""Whole models, of `models_zoo.py`: what kernels share a configuration shows in their loads only."""
EXACT = ("text", "words", "refused", "passes")
PRODUCTS = {
    "bf16": ("64x64x64", "100x30x50", "256x16x512", "512x512x512"),
    "i8": ("32x48x40", "128x128x128", "7x200x96"),
    "i16": ("64x64x64", "33x65x17"),
    "i32": ("32x32x32", "40x24x56"),
    "f32": ("32x32x32", "50x70x90", "128x128x128"),
}
"""Shapes as M x N x K by type."""


@dataclass(frozen=True)
class Row:
    """What became of one program."""

    text: str = ""
    words: str = ""
    refused: str = ""
    cycles: int | None = None
    loads: int | None = None
    passes: int = 0
    seconds: float = 0.0


def sha(text: str | bytes) -> str:
    """The hash of a text, short enough for a table."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()[:16]


def compiled(source: Any, device: str, progress: Callable[[str, int, int], None], **given: Any) -> Program:
    """`source` compiled from scratch."""
    return allo_air.compile(source, device=device, cache=False, progress=progress, **given)


def region(make: Callable[[], tuple[Any, list[Any]]], device: str, progress: Callable[[str, int, int], None]) -> Program:
    """A dataflow region built for `device`; the mapper runs no pipeline whose passes could be counted."""
    import allo_air.dataflow as df

    top, primitives = make()
    found: Program = df.build(top, target="sim", device_type=device, mapping_primitives=primitives).program
    return found


def model(name: str, device: str, progress: Callable[[str, int, int], None]) -> Model:
    """The model called `name` of `models_zoo.py`, compiled from scratch."""
    import models_zoo

    import allo_air.torch

    module, example = models_zoo.made(name)
    return allo_air.torch.compile(module, example, device=device, cache=False, check=False, progress=progress).model


def programs() -> Iterator[tuple[str, str, Callable[[str, Any], Program | Model]]]:
    """Name, device and maker of each program, in a fixed order."""
    from operators import CASES

    from torch_modules import load, names

    for number, name in enumerate(names()):
        yield f"torch/{name}", DEVICES[number % 2], lambda d, p, n=name: compiled(load(n).text, d, p, pipeline="npu")
    for number, (name, (make, _, small)) in enumerate(CASES.items()):
        yield f"operator/{name}", DEVICES[number % 2], lambda d, p, m=make, s=small: compiled(m(*s).text, d, p, pipeline="npu")
    for element, shapes in PRODUCTS.items():
        for shape in shapes:
            sizes = tuple(map(int, shape.split("x")))
            for device in DEVICES:
                yield f"gemm-{element}/{shape}", device, lambda d, p, s=sizes, e=element: compiled(
                    None, d, p, pipeline=f"gemm-{e}", shape=s, dtype=e
                )  # fmt: skip
    yield "gemm-bf16/bfp16", "npu2", partial(_bfp16, (64, 64, 64))
    files = [("air", "test/data/air_programs"), ("air", "test/data/air_streams"), ("aie", "test/e2e/sim/designs")]
    files += [("aie", "test/e2e/sim/examples"), ("example", "examples"), ("objectfifo", "test/e2e/objectfifo/designs")]
    for kind, folder in files:
        for path in sorted((ROOT / folder).glob("*.mlir")):
            yield f"{kind}/{path.stem}", "npu1", lambda d, p, f=path: compiled(str(f), d, p)
    for name, make in regions().items():
        yield f"region/{name}", "npu1", partial(region, make)
    for name, (case, device, options) in ATTENTION.items():
        yield f"attention/{name}", device, lambda d, p, c=case, o=options: compiled(c.source(), d, p, pipeline="attention", **o)
    for name in MODELS:
        for device in DEVICES:
            yield f"model/{name}", device, partial(model, name)


def _bfp16(shape: tuple[int, int, int], device: str, progress: Any) -> Program:
    return compiled(None, device, progress, pipeline="gemm-bf16", shape=shape, dtype="bf16", bfp16=True)


def regions() -> Mapping[str, Callable[[], tuple[Any, list[Any]]]]:
    """Regions of the library, made when they are asked for."""
    from allo_air.ir.types import bfloat16, int16, int32
    from allo_air.library.aie.modules import FA, GEMM

    return {
        "gemm 64 i16": lambda: GEMM(64, 64, 64, 2, 2, 2, int16, int32),
        "gemm 48x32x64 i32": lambda: GEMM(48, 32, 64, 2, 1, 2, int32, int32),
        "gemm 128 bf16": lambda: GEMM(128, 128, 128, 4, 4, 4, bfloat16, bfloat16),
        "attention 64": lambda: FA(64, 32, 32, 32, 32),
    }


def measured(name: str, device: str) -> Row:
    """Compiles one program and says what it became."""
    make = next(m for n, d, m in programs() if (n, d) == (name, device))
    totals = [0]
    start = perf_counter()
    try:
        outcome = make(device, lambda step, done, total: totals.append(total))
    except AlloAirError as error:
        return Row(refused=sha(_portable(str(error))), seconds=perf_counter() - start)
    seconds = perf_counter() - start
    parts = outcome.programs if isinstance(outcome, Model) else [outcome]
    try:
        reports = [part.estimate() for part in parts]
        cycles, loads = int(sum(r.cycles for r in reports)), sum(r.reconfigurations + 1 for r in reports)
    except AlloAirError:  # only data decide how long a core takes
        cycles = loads = None
    text = "".join(part.text() for part in parts)
    words = b"".join(part.words.tobytes() for part in parts if part.lowered.words is not None)
    return Row(sha(text), sha(words), "", cycles, loads, max(totals), seconds)


def _portable(message: str) -> str:
    """A message without the folder of this tree."""
    return message.replace(f"{ROOT}/", "")


def _job(key: tuple[str, str]) -> Row:
    try:
        return measured(*key)
    except Exception as crash:  # a table of all must not end at one
        return Row(refused=f"crash: {type(crash).__name__}: {crash}"[:200])


def quick_part(keys: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The programs of `--quick`: some of each kind, and each model on one device."""
    models = [key for key in keys if key[0].startswith("model/")]
    return [key for key in keys if key not in models][::QUICK] + [key for key in models if key[1] == "npu2"]


def record(quick: bool, only: list[str], jobs: int) -> dict[str, dict[str, Any]]:
    """Rows by "name device" of all programs, or of the quick part, whose names begin with one of `only`."""
    keys = [(name, device) for name, device, _ in programs() if not only or any(name.startswith(o) for o in only)]
    keys = quick_part(keys) if quick else keys
    with ProcessPoolExecutor(jobs) as pool:
        rows = {}
        for (name, device), row in zip(keys, pool.map(_job, keys), strict=True):
            rows[f"{name} {device}"] = asdict(row)
            print(f"\r{len(rows)} of {len(keys)} {name:50}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return rows


def differences(before: Mapping[str, Any], after: Mapping[str, Any], percent: float | None) -> list[str]:
    """What differs, a line for each program; cycles by more than `percent`, or hashes where it is None."""
    lines = [f"{key}: crashes: {new['refused']}" for key, new in after.items() if new["refused"].startswith("crash:")]
    for key, new in after.items():
        old = before.get(key)
        if old is None:
            continue
        if percent is None:
            changed = [f"{name} {old[name]} -> {new[name]}" for name in EXACT if old[name] != new[name]]
        else:
            changed = ["refused"] if bool(old["refused"]) != bool(new["refused"]) else []
        was, now = old["cycles"], new["cycles"]
        if was != now and (percent is None or None in (was, now) or abs(now - was) * 100 > percent * was):
            changed.append(f"cycles {was} -> {now}")
        if "loads" in old and old["loads"] != new["loads"]:
            changed.append(f"loads {old['loads']} -> {new['loads']}")
        if changed:
            lines.append(f"{key}: {', '.join(changed)}")
    return lines


def table(rows: Mapping[str, Any]) -> str:
    """A record, a line for each program."""
    head = f"{'program':44} {'cycles':>12} {'loads':>5} {'passes':>6} {'s':>6}  text"
    lines = [
        f"{key:44} {r['cycles'] or '-':>12} {r.get('loads') or '-':>5} {r['passes']:6} {r['seconds']:6.2f}"
        f"  {r['text'] or 'refused ' + r['refused']}"
        for key, r in rows.items()
    ]
    return "\n".join([head, *lines, f"{len(rows)} programs, {sum(r['seconds'] for r in rows.values()):.0f} s of compilation"])


def main() -> int:
    """Records, compares or reports; the exit code tells whether nothing differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--record", type=Path, metavar="FILE", help="compile and write the record")
    what.add_argument("--compare", type=Path, metavar="FILE", help="compile and compare with a record")
    what.add_argument("--report", type=Path, metavar="FILE", help="print a record")
    parser.add_argument("--quick", action="store_true", help=f"one program of {QUICK}, in under a minute")
    parser.add_argument("--only", nargs="*", default=[], help="programs whose names begin with one of these")
    parser.add_argument("--cycles", type=float, metavar="PERCENT", help="compare cycles only, which may differ by so much")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    given = parser.parse_args()
    if given.report:
        print(table(json.loads(given.report.read_text())))
        return 0
    before = json.loads(given.compare.read_text()) if given.compare else {}
    rows = record(given.quick, given.only, given.jobs)
    if given.record:
        given.record.write_text(json.dumps(rows, indent=1) + "\n")
        print(f"{len(rows)} programs recorded in {given.record}")
        return 0
    lines = differences(before, rows, given.cycles)
    lines += [f"{key}: is gone" for key in before if key not in rows and not (given.quick or given.only)]
    if not rows:
        lines.append("no program is called so")
    both = [key for key in rows if key in before]
    was, now = (sum(r[key]["seconds"] for key in both) for r in (before, rows))
    print("\n".join([*lines, f"{len(lines)} of {len(both)} programs differ; compilation took {was:.0f} s, takes {now:.0f} s"]))
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
