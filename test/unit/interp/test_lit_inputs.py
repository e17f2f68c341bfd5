"""Runs what every pass's lit inputs compute, before and after the pass, devices on the simulator.

`not_run.json` lists the functions that do not run, each with the reason: the kind of error that their input ends in before the
pass, `TooLarge`, or `Changed` for a documented change. A function that is not listed must run, a listed one must not:
`python test/unit/interp/test_lit_inputs.py` writes the list again.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from allo_air import asm
from allo_air.core import driver, opt
from allo_air.core.registry import Registry
from allo_air.errors import AlloAirError, DiagnosticError
from allo_air.interp.executors import entries
from allo_air.interp.inputs import Signature
from allo_air.interp.verify import Execution
from allo_air.mlir import ir, new_context
from allo_air.program.run import executors
from allo_air.tools import allo_opt
from allo_air.tools._flags import Parsed, parse

executors.register()

ROOT = Path(__file__).parents[2] / "lit/passes"
LIST = Path(__file__).with_name("not_run.json")
LARGEST = 1 << 16
"""Elements of all arguments together, above which a function takes too long here."""
CHANGED = {
    **dict.fromkeys(
        ("bind/herd-l1-transfers/transfers.mlir @several", "bind/herd-l1-transfers/transfers.mlir @parts"),
        "each core writes its copy, and the interpreter has one buffer for all of them",
    ),
    "bind/rank-host-buffers/pointers.mlir @blocks": "an unranked argument gets a size",
    "bind/rank-host-buffers/pointers.mlir @rows": "an unranked argument gets a size",
    "to_aie/air-to-aie/locks-by-channel.mlir @i": "each channel has its locks, as in mlir-air: a race, which is warned of",
    "memory/air-fuse-alloc-dealloc/moves.mlir @f": "without tokens, which a RUN line has, a loop blocks what follows",
    **dict.fromkeys(
        ("map/plan-attention/plan.mlir @attention", "linalg/expand-families/attention-tile.mlir @attention"),
        "the padding of the result, which the caller does not see, is not written",
    ),
    **dict.fromkeys(
        ("linalg/expand-families/attention-mac.mlir @attention", "linalg/expand-families/attention-causal.mlir @attention"),
        "weights are rounded to bf16, which the pass's page says",
    ),
    "channel/air-annotate-refeed/loops.mlir @several": "the counts of two channels add up on the buffer that both send",
    "npu/aie-lower-dma-channel-reset/reset.mlir @seq": "channels are started again, and no flow leads to them in this input",
    "to_aie/air-to-aie/packets-headers.mlir @f": "headers are data here, and drawn data are not headers of these flows",
    "channel/air-unroll-channel-by-factor/unroll.mlir @f": "the channels get other indices, as the pass's page says",
    "bind/air-par-to-herd/reduction.mlir @pair": "the result is written where it starts from, as the pass's test says",
}


def commands(file: Path) -> list[Parsed]:
    """The allo-opt commands of a file that succeed and run a pass, each pipeline once."""
    found = {}
    for line in re.findall(r"// RUN: (.*)", file.read_text()):
        words = shlex.split(line.replace("%s", str(file)).replace("%S", str(file.parent)).split("|")[0])
        if words[0] == "allo-opt" and "--verify-diagnostics" not in words:
            parsed = parse(words[1:], allo_opt.FLAGS, ordered=("pass-pipeline", "pipeline"))
            found[str(parsed.order)] = parsed
    return list(found.values())


FILES = [
    str(f.relative_to(ROOT)) for f in sorted(ROOT.rglob("*.mlir")) if not {"Inputs", "Output"} & set(f.parts) and commands(f)
]


def first_of_each_pass(most: int) -> list[Any]:
    """The files as parameters, of which `most` of each pass are not slow."""
    found = []
    for _, names in groupby(FILES, lambda name: Path(name).parent):
        for number, name in enumerate(names):
            found.append(pytest.param(name, marks=[pytest.mark.slow] if number >= most else []))
    return found


def chunks(file: Path, parsed: Parsed) -> Iterator[tuple[str, int]]:
    marker = parsed.last("split-input-file")
    yield from opt.split(file.read_text(), None if marker is None else marker or allo_opt.MARKER)


def elements(function: Any) -> int:
    types = [t for t in Signature.of(function).arguments if isinstance(t, ir.ShapedType) and t.has_rank]
    return sum(int(np.prod([abs(d) for d in t.shape])) for t in types)


class Small(Execution):
    """Leaves out functions on large arrays."""

    def takes(self, function: Any) -> bool:
        return elements(function) <= LARGEST


def check(name: str) -> tuple[dict[str, str], int]:
    """The functions of a file that do not run, with the reason, and how many did."""
    file = ROOT / name
    reasons: dict[str, str] = {}
    ran = 0
    for parsed in commands(file):
        for text, first in chunks(file, parsed):
            with new_context(allow_unregistered=parsed.on("allow-unregistered-dialect")):
                unregistered = parsed.on("allow-unregistered-dialect")
                module = asm.read(text, str(file), first_line=first, allow_unregistered=unregistered)
                execution = Small(asm.write)
                for f in entries(module):
                    if elements(f) > LARGEST:
                        reasons[f"{name} @{f.attributes['sym_name'].value}"] = "TooLarge"
                execution.start(module)
                reasons |= {f"{name} @{function}": type(why).__name__ for function, why in execution.skipped.items()}
                for function in [f for f in execution.executed if f"{name} @{f}" in CHANGED]:
                    reasons[f"{name} @{function}"] = "Changed"
                    execution.leave_out(function)
                if execution.executed:
                    ran += len(execution.executed)
                    pipeline = allo_opt._pipeline(parsed, Registry(parsed.flags.get("load", ())))
                    driver.run(pipeline, module, driver.Settings(verify=asm.verify, checker=execution, levels="off"))
    return reasons, ran


@pytest.mark.parametrize("name", first_of_each_pass(1))
def test_a_pass_keeps_what_its_inputs_compute(name: str, tmp_path: Path) -> None:
    listed = {k: v for k, v in json.loads(LIST.read_text()).items() if k.startswith(f"{name} @")}
    try:
        reasons, _ = check(name)
    except AlloAirError as error:
        found = error.diagnostics if isinstance(error, DiagnosticError) else ()
        pytest.fail("\n".join([str(error), *(str(n) for d in found for n in d.notes)]), pytrace=False)
    assert reasons == listed, f"what runs has changed; {Path(__file__).name} as a program writes the list again"


def test_most_passes_have_an_input_that_runs() -> None:
    """The list is not a way out: of the folders of passes that work above the AIE dialect, most have a function that runs."""
    listed = json.loads(LIST.read_text())
    blocked = {k.split(" ")[0] for k in listed}
    free = {name.split("/")[0] for name in FILES if name not in blocked}
    assert len(free) >= len({name.split("/")[0] for name in FILES}) // 3


if __name__ == "__main__":
    everything: dict[str, str] = {}
    total = 0
    for each in FILES:
        print(each, flush=True)
        try:
            found, count = check(each)
            everything |= found
            total += count
        except AlloAirError as wrong:
            print(f"  FAILS: {wrong}")
    LIST.write_text(json.dumps(dict(sorted(everything.items())), indent=1) + "\n")
    print(f"{total} functions run, {len(everything)} do not")
