"""`compare`: a text that keeps a rule and one that breaks it, at the line marked `// HERE`."""

from collections.abc import Callable

import pytest

from allo_air import asm, dialects
from allo_air.core.contexts import reused_context
from allo_air.errors import Diagnostic, DiagnosticError
from allo_air.mlir import ir

Findings = Callable[[str], list[Diagnostic]]


@pytest.fixture
def findings() -> Findings:
    """Reads a module and returns what its rules find, warnings included."""

    def find(text: str) -> list[Diagnostic]:
        with reused_context(), ir.Location.unknown():
            dialects.load(ir.Context.current)
            try:
                return dialects.check(asm.read(text, "case.mlir"))
            except DiagnosticError as error:
                return list(error.diagnostics)

    return find


@pytest.fixture
def compare(findings: Findings) -> Callable[..., None]:
    """Asserts that `good` has no findings, and `bad` exactly one: of this severity, at the marked line, with this phrase."""

    def check(good: str, bad: str, phrase: str, severity: str = "error") -> None:
        assert [str(d) for d in findings(good)] == []
        line = 1 + next(i for i, text in enumerate(bad.splitlines()) if "// HERE" in text)
        found = findings(bad)
        assert [(d.severity, d.line) for d in found] == [(severity, line)], [str(d) for d in found]
        assert phrase in found[0].message

    return check
