"""Helpers that tests of MLIR-AIE's programs import: a fixture with an open module, and a comparison of a module with text."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator

import pytest

from allo_air.aie.extras.context import MLIRContext, mlir_mod_ctx
from allo_air.compat.check_pattern import Pattern
from allo_air.compat.file_check import Matcher, Mismatch
from allo_air.mlir import ir

__all__ = ["MLIRContext", "filecheck", "mlir_ctx"]

_NAME = re.compile(r"%([\w$.-]+)(?P<result>(?::\d+)?(?:, %[\w$.:-]+)* =)?(?P<argument>: )?")
_BRACKETS = re.compile(r"\[\[|\{\{")


@pytest.fixture
def mlir_ctx() -> Iterator[MLIRContext]:
    """An open context and its module, into which the test's operations go."""
    with mlir_mod_ctx(allow_unregistered_dialects=True) as context:
        yield context


def filecheck(correct: str, module: object) -> None:
    """Checks that `module` prints the lines of `correct` in their order, whatever its values are called; ValueError if not."""
    if isinstance(module, ir.Module):
        module.operation.verify()
    text = re.sub(r"[ \t]+", " ", str(module))
    options = Namespace(enable_var_scope=False, ignore_case=False, match_full_lines=False, strict_whitespace=False)
    try:
        Matcher(text, options, {}, []).run(_patterns(correct))
    except Mismatch as wrong:
        line = text.count("\n", 0, wrong.position) + 1
        message = f"line {wrong.pattern.line} of the expected text is not in the module after its line {line}:"
        raise ValueError(f"{message}\n{correct.splitlines()[wrong.pattern.line - 1]}\nthe module is\n{module}") from None


def _patterns(text: str) -> list[Pattern]:
    """A check line for each line of `text`; SSA names become FileCheck variables, redefined at each result and block
    argument."""
    names: set[str] = set()

    def variable(match: re.Match[str]) -> str:
        name = re.sub(r"\W", "_", match[1])
        is_new = name not in names or match["result"] is not None or match["argument"] is not None
        names.add(name)
        return f"%[[V_{name}{':[^ ,:()]+' if is_new else ''}]]{match[0][1 + len(match[1]) :]}"

    results = []
    for number, line in enumerate(text.splitlines(), 1):
        stripped = re.sub(r"[ \t]+", " ", line.partition(" // ")[0].strip())
        if stripped:
            marked = _BRACKETS.sub(lambda m: f"{{{{{re.escape(m[0])}}}}}", stripped)
            results.append(Pattern("CHECK", "CHECK", _NAME.sub(variable, marked), number))
    return results
