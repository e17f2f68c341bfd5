"""Compares passes with mlir-air's: the IR before a pass of theirs goes through ours, and the result is compared with theirs.

The folder has one folder for each program, in it files NN-PASS.mlir, numbered in the order of the passes.
Results are compared as text, after both were read and printed here, so that names of values and spellings do not matter.
With --structure, they are compared as the operations that each region holds, without tokens, constants and order.
"""

import argparse
import difflib
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from allo_air import asm
from allo_air.asm.syntax import printing
from allo_air.core import opt, pipeline
from allo_air.core.registry import Registry
from allo_air.mlir import new_context

OPTIONS = {
    "air-collapse-herd": "max-col-size=4",
    "air-place-herds": "num-rows=4 num-cols=4 row-anchor=2 col-anchor=0",
    "air-opt-memtile-dma-bds": "device=npu1",
    "air-opt-shim-dma-bds": "device=npu1",
    "air-override-memref-memory-space": "scope=func memory-space=1",
    "air-par-to-launch": "depth=0 has-air-segment=true",
    "air-par-to-herd": "depth=1",
    "air-wrap-func-with-parallel": "loop-bounds=3,5,1",
    "air-to-aie": "logical-tiles=false emit-while-loop=true row-offset=2 col-offset=0 device=npu1",
    "air-isolate-async-dma-loop-nests": "",
}


@dataclass(frozen=True)
class Case:
    """One pass on one program."""

    program: str
    name: str
    before: Path
    after: Path

    def text(self, extra: dict[str, str]) -> str:
        """The pipeline: the pass, or the passes, that the file is called after."""
        names = ["canonicalize", *self.name.removeprefix("canonicalize").strip("+-").split("+")]
        if not self.name.startswith("canonicalize"):
            names = [self.name]
        options = {**OPTIONS, **extra}
        if "flow_" not in self.program and "air_programs" not in self.program:  # the recipe's options
            options["air-ping-pong-transform"] = "keep-memref-dealloc=true"
            options["air-linalg-to-func"] = "link-with=mm.o derive-library-call=true"
        if "flow_" in self.program:
            bounds = {"add": "5,1,1", "softmax": "20,1,1"}.get(self.program.rpartition("flow_")[2], "3,5,1")
            options["air-wrap-func-with-parallel"] = f"loop-bounds={bounds}"
            options["air-place-herds"] = "num-rows=6 num-cols=4 row-anchor=2 col-anchor=0"
        passes = [f"{name}{{{options[name]}}}" if options.get(name) else name for name in names if name]
        return f"builtin.module({','.join(passes)})"


def main() -> int:
    """Compares all cases of the folder, or those of one pass, and prints a table; `--diff` prints the differences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("passes", nargs="*", help="regular expressions of passes (all)")
    parser.add_argument("--program", default="", help="part of a program's name")
    parser.add_argument("--diff", type=int, default=0, help="lines of each difference that are shown")
    parser.add_argument("--options", action="append", default=[], metavar="PASS=OPTIONS")
    parser.add_argument("--after", default="", help="passes that run on both results before they are compared")
    parser.add_argument("--structure", action="store_true", help="compare operations by region, without tokens and order")
    given = parser.parse_args()
    extra = dict(item.split("=", 1) for item in given.options)
    wanted = [re.compile(one) for one in given.passes]
    rows: dict[str, list[tuple[str, int | str]]] = {}
    for case in cases(given.folder):
        if given.program in case.program and (not wanted or any(one.fullmatch(case.name) for one in wanted)):
            rows.setdefault(case.name, []).append((case.program, compared(case, extra, given)))
    for name, results in sorted(rows.items()):
        equal = sum(result == 0 for _, result in results)
        lines = [f"{program.rpartition('/')[2]}:{result}" for program, result in results if result != 0]
        print(f"{name:40} {equal:3}/{len(results):<3} {' '.join(lines)}")
    return 0


def cases(folder: Path) -> Iterator[Case]:
    """Pairs of neighbouring files in each program's folder."""
    for place in sorted({file.parent for file in folder.rglob("[0-9][0-9]-*.mlir")}):
        files = sorted([*place.glob("[0-9][0-9]-*.mlir")])
        if (place / "input.mlir").exists():
            files.insert(0, place / "input.mlir")
        for before, after in pairwise(files):
            if "runtime-lowering" in after.stem or (after.stem[3:] == "air-transform"):  # several passes, or a script
                continue
            yield Case(str(place.relative_to(folder)), after.stem[3:], before, after)


def compared(case: Case, extra: dict[str, str], given: argparse.Namespace) -> int | str:
    """How many lines of the two results differ; a word if there is none."""
    then, shown = f"builtin.module({given.after})", given.diff
    theirs, ours = run(case.after, then), run(case.before, case.text(extra), then)
    if theirs is None or ours is None:
        return "unread" if theirs is None else "failed"
    theirs, ours = plain(theirs), plain(ours)
    if theirs == ours:
        return 0
    if given.structure:
        before, after = structure(theirs), structure(ours)
        lost, added = before - after, after - before
        if shown and (lost or added):
            lines = [
                f"{sign} {n} x {' > '.join(op[-2:])}" for sign, ops in (("-", lost), ("+", added)) for op, n in ops.items()
            ]
            print("\n".join([f"{case.program} {case.name}", *lines[:shown]]))
        return lost.total() + added.total()
    if shown:
        pair = [[re.sub(r"%[\w#:]+", "%", line) for line in text.splitlines()] for text in (theirs, ours)]
        difference = [*difflib.unified_diff(*pair, f"theirs {case.program} {case.name}", "ours", lineterm="", n=2)]
        print("\n".join(difference[:shown]))
    pair = [[re.sub(r"%[\w#:]+", "%", line).strip() for line in text.splitlines()] for text in (theirs, ours)]
    return sum(line[0] in "+-" for line in difflib.ndiff(*pair)) or "values"


def plain(text: str) -> str:
    """`text` without what LLVM's versions and the two states of the peers differ in, and their leftovers."""
    text = re.sub(r" ?\{loop_annotation = #\w+\}", "", text)
    text = re.sub(r"^#loop_annotation.*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r" \{air\.herd_local_id = [^}]*\}", "", text)
    inside = False
    lines = []
    for line in text.splitlines():
        inside = inside or "aie.device" in line
        if not (inside and line.strip().startswith("air.channel @")):
            lines.append(line)
    return "\n".join(lines)


_NOISE = (
    (r"%[\w#:]+", "%"),
    (r"^%(, %)* = ", ""),
    (r"@channel_\d+", "@channel"),
    (r"(air\.execute| async) \[[^\]]*\]", r"\1"),
    (r" async| (?:iter_args|init) ?\([^)]*\)(?: -> [^{]*)?|!air\.async\.token,? ?", ""),
    (r" (?:attributes )?\{id = \d+ : i32\}", ""),
)
"""What differs between equal programs: names, numbers and tokens."""
_SKIPPED = re.compile(r"[})]|\^bb|air\.wait_all|scf\.(reduce|yield)|arith\.constant|air\.execute_terminator|affine\.yield|$")


def structure(text: str) -> Counter[tuple[str, ...]]:
    """The operations of `text`, each after those around it, without values, tokens and constants."""
    around: list[tuple[int, str]] = []
    found: Counter[tuple[str, ...]] = Counter()
    for line in text.splitlines():
        indent, words = len(line) - len(line.lstrip()), line.strip()
        for pattern, instead in _NOISE:
            words = re.sub(pattern, instead, words)
        if _SKIPPED.match(words):
            continue
        while around and around[-1][0] >= indent:
            around.pop()
        found[(*(name for _, name in around), words)] += 1
        around.append((indent, words))
    return found


def run(file: Path, *pipelines: str) -> str | None:
    """The text of a file after pipelines, None if one of them fails."""
    text = file.read_text()
    for one in pipelines:
        context = new_context()
        with context, printing("2026-03"):
            steps = pipeline.parse(one, Registry())
            job = opt.Job(text=text, filename=str(file), pipeline=steps, asm=asm, say=complain, marker=None)
            text, good = opt.run(job, context)
        if not good:
            return None
    return text


def complain(text: str) -> None:
    """Shows what a tool says."""
    print(text.split("\n")[0], file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
