"""A project's policy for findings: severities by code, and a baseline of known findings.

It is in `[tool.allo_air.findings]` of the nearest pyproject.toml, or in `[findings]` of an allo_air.toml, which comes first if
both are in one folder. Folders above the nearest pyproject.toml are not searched:

    [tool.allo_air.findings]
    severity = { "queue.may-overflow" = "error", "code.core" = "ignore" }
    baseline = "findings-baseline.json"
    fail-on = "warning"
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from allo_air import codes
from allo_air.errors import AlloAirError, OptionError
from allo_air.sim.report_types import Finding

LEVELS = ("error", "warning", "remark", "ignore")
FAIL_ON = ("error", "warning", "remark", "never")


@dataclass(frozen=True)
class Policy:
    """The policy for findings. `severities` maps codes or patterns (`race.*`) to severities; the last match counts.

    `baseline` has the fingerprints of findings that are not reported. `fail_on` is the mildest severity that makes `allo-run`
    fail, or a pattern of codes.
    """

    severities: Mapping[str, str] = field(default_factory=dict)
    baseline: frozenset[str] = frozenset()
    fail_on: tuple[str, ...] = ("error",)

    @property
    def softens(self) -> bool:
        """Whether the policy may ignore a finding that is an error by default, or report it as less than an error."""
        return bool(self.baseline) or any(level != "error" for level in self.severities.values())

    def applied_to(self, findings: Iterable[Finding]) -> list[Finding]:
        """`findings` with the project's severities, without ignored and baseline findings."""
        return [f for f in map(self._with_severity, findings) if f is not None and fingerprint(f) not in self.baseline]

    def _with_severity(self, finding: Finding) -> Finding | None:
        level = next((v for p, v in reversed(list(self.severities.items())) if fnmatchcase(finding.code, p)), None)
        if level is None or level == finding.diagnostic.severity:
            return finding
        if level == "ignore":
            return None
        diagnostic = replace(finding.diagnostic, severity=level)  # type: ignore[arg-type]
        return replace(finding, diagnostic=diagnostic)

    def fails(self, findings: Iterable[Finding]) -> bool:
        """Whether a run with `findings` fails."""
        return any(self._fails(finding) for finding in findings)

    def _fails(self, finding: Finding) -> bool:
        for entry in self.fail_on:
            if entry in FAIL_ON:
                if entry != "never" and FAIL_ON.index(finding.diagnostic.severity) <= FAIL_ON.index(entry):
                    return True
            elif fnmatchcase(finding.code, entry):
                return True
        return False


def fingerprint(finding: Finding) -> str:
    """The identity of a finding when lines above it move: its code, its file's name, and the text of its line."""
    diagnostic = finding.diagnostic
    path = Path(diagnostic.file)
    try:
        text = path.read_text(encoding="utf-8").split("\n")[diagnostic.line - 1].strip() if diagnostic.line else ""
    except (OSError, UnicodeDecodeError, IndexError):
        text = f"line {diagnostic.line}"
    return "|".join((finding.code, path.name, text or str(finding.tile or "")))


_USED: ContextVar[Policy | None] = ContextVar("policy of findings", default=None)


@contextmanager
def using(policy: Policy) -> Iterator[None]:
    """Uses `policy` instead of the project's while the `with` block runs."""
    token = _USED.set(policy)
    try:
        yield
    finally:
        _USED.reset(token)


def current(start: Path | None = None, *, baseline: bool = True) -> Policy:
    """The policy of the project in the current folder, or the default one. Without `baseline`, the baseline is not read."""
    if (used := _USED.get()) is not None:
        return used
    for folder in (here := start or Path.cwd(), *here.parents):
        for name in ("allo_air.toml", "pyproject.toml"):
            path = folder / name
            if path.is_file():
                policy = _read(path, baseline=baseline)
                if policy is not None:
                    return policy
        if (folder / "pyproject.toml").is_file():
            break
    return Policy()


def _read(path: Path, *, baseline: bool) -> Policy | None:
    """The policy in a file; None if the file has none."""
    text = path.read_text(encoding="utf-8")
    if "findings" not in text:
        return None
    try:
        import tomllib
    except ImportError:  # Python 3.10
        import tomli as tomllib  # type: ignore[no-redef,import-not-found,unused-ignore]
    try:
        table: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise AlloAirError(f"cannot read '{path}': {error}") from None
    if path.name == "pyproject.toml":
        table = table.get("tool", {}).get("allo_air", {})
    return _policy(table["findings"], path, baseline=baseline) if "findings" in table else None


def _policy(table: object, path: Path, *, baseline: bool) -> Policy:
    if not isinstance(table, dict):
        raise AlloAirError(f"{path}: findings is {table!r}; expected a table with severity, baseline or fail-on")
    unknown = [key for key in table if key not in ("severity", "baseline", "fail-on")]
    if unknown:
        raise AlloAirError(f"{path}: findings has '{unknown[0]}'; expected severity, baseline or fail-on")
    for key, kind, kind_text in (("severity", dict, "a table"), ("baseline", str, "a file"), ("fail-on", str, "text")):
        if not isinstance(table.get(key, kind()), kind):
            raise AlloAirError(f"{path}: {key} of findings is {table[key]!r}; expected {kind_text}")
    severities = table.get("severity", {})
    for pattern, level in severities.items():
        codes.matching(pattern)
        if level not in LEVELS:
            raise AlloAirError(f"{path}: the severity of {pattern} is '{level}'; expected one of {', '.join(LEVELS)}")
    baseline_ids = read_baseline(path.parent / table["baseline"]) if baseline and "baseline" in table else ()
    return Policy(severities, frozenset(baseline_ids), fail_on(table.get("fail-on", "error")))


def fail_on(text: str) -> tuple[str, ...]:
    """Parses `warning`, or patterns of codes separated by commas; raises OptionError for a pattern that matches no code."""
    entries = tuple(part.strip() for part in text.split(",") if part.strip())
    for entry in entries:
        if entry not in FAIL_ON:
            try:
                codes.matching(entry)
            except AlloAirError as error:
                raise OptionError(f"fail-on is '{entry}'; expected {', '.join(FAIL_ON)}, or a code: {error}") from None
    return entries


def read_baseline(path: Path) -> list[str]:
    """The fingerprints in a baseline file."""
    try:
        result = json.loads(path.read_text(encoding="utf-8"))["findings"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise AlloAirError(f"cannot read the baseline '{path}': {error}; write one by --write-baseline") from None
    return [str(entry) for entry in result]


def write_baseline(path: Path, findings: Iterable[Finding]) -> int:
    """Writes the current findings as the baseline; returns their number."""
    fingerprints = sorted({fingerprint(f) for f in findings if f.diagnostic.severity != "remark"})
    path.write_text(json.dumps({"version": 1, "findings": fingerprints}, indent=1) + "\n", encoding="utf-8")
    return len(fingerprints)
