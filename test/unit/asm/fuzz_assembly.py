"""Feeds damaged programs to the assembly layer: `python test/unit/asm/fuzz_assembly.py 5000 [FIRST_SEED]`.

Whatever the text, reading gives a module or a DiagnosticError whose places lie in the text; a module prints, and reads back to
the same text from the custom and the generic form. Slow reading counts as a failure.
"""

from __future__ import annotations

import random
import re
import sys
import time
from pathlib import Path

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.errors import DiagnosticError

TEST = Path(__file__).parents[2]
INSERTED = [*'{}()[]<>"%@#^!:,=\0-', "//", "->", "loc(", "é", "9" * 20, "aie.end", "air.herd", "affine.if", "\r\n", "\t"]
SECONDS = 10


def programs() -> list[str]:
    """What is damaged: the round-trip tests and some of the reference files."""
    files = [*sorted(TEST.glob("lit/dialects/*/*.mlir")), *sorted(TEST.glob("data/reference/*/*.mlir"))[::6]]
    return [text for file in files if len(text := file.read_text()) < 30_000]


def damaged(text: str, dice: random.Random) -> str:
    """`text` cut off, or with a few tokens changed."""
    if dice.random() < 0.25:
        return text[: dice.randrange(len(text))]
    tokens = re.findall(r"\w+|\s+|.", text, re.DOTALL)
    for _ in range(dice.randrange(1, 4)):
        here, there, count = dice.randrange(len(tokens)), dice.randrange(len(tokens)), dice.randrange(1, 30)
        match dice.randrange(7):
            case 0:
                tokens[here] = ""
            case 1:
                tokens[here] = tokens[there]
            case 2:
                tokens.insert(here, dice.choice(INSERTED))
            case 3:
                tokens[here], tokens[there] = tokens[there], tokens[here]
            case 4:
                tokens[here:here] = tokens[there : there + count]
            case 5:
                tokens[here : here + count] = [" "]
            case 6:
                tokens[here] = chr(dice.randrange(1, 300))
    return "".join(tokens)


def complaint(text: str) -> str | None:
    """What is wrong with how `text` is handled; None where all is well."""
    start = time.monotonic()
    try:
        with reused_context():
            module = asm.read(text, "fuzz.mlir")
            custom, generic = asm.write(module), asm.write(module, generic=True)
    except DiagnosticError as error:
        outside = [d for d in error.diagnostics if d.severity == "error" and not 1 <= d.line <= text.count("\n") + 1]
        slow = time.monotonic() - start > SECONDS
        return f"place outside the text: {outside[0]}" if outside else "slow" if slow else None
    for name, printed in (("custom", custom), ("generic", generic)):
        try:
            with reused_context():
                if asm.write(asm.read(printed, name)) != custom:
                    return f"the {name} form reads as something else"
        except DiagnosticError as error:
            return f"the {name} form does not read: {error}"
    return None


def run(count: int, first: int = 0) -> list[str]:
    """Complaints about `count` damaged programs, with their seeds."""
    texts = programs()
    found = []
    for seed in range(first, first + count):
        dice = random.Random(seed)
        text = damaged(dice.choice(texts), dice)
        try:
            problem = complaint(text)
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
        if problem:
            found.append(f"seed {seed}: {problem}")
            print(found[-1], flush=True)
    return found


if __name__ == "__main__":
    sys.exit(bool(run(*map(int, sys.argv[1:3] or ["1000"]))))
