"""Writes findings as SARIF 2.1.0, which code hosts show next to the source lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from allo_air import codes
from allo_air._version import __version__
from allo_air.sim.policy import fingerprint
from allo_air.sim.report_types import Finding

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "remark": "note", "note": "note"}
_PLACE = re.compile(r"\(([^():]+):(\d+)\)")
"""A pattern for a place in a sentence."""


def sarif(findings: Sequence[Finding]) -> dict[str, Any]:
    """The log of one run."""
    used = sorted({f.code for f in findings})
    driver = {"name": "allo_air", "version": __version__, "rules": [_rule(codes.find(name)) for name in used]}
    results = [_result(finding, used.index(finding.code)) for finding in findings]
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _rule(code: codes.Code) -> dict[str, Any]:
    return {
        "id": code.name,
        "shortDescription": {"text": code.sentence},
        "help": {"text": code.cure},
        "defaultConfiguration": {"level": _LEVELS[code.severity]},
        "properties": {"verdict": code.verdict},
    }


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    diagnostic = finding.diagnostic
    results: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": f"{diagnostic.message}\ncure: {finding.cure}"},
        "partialFingerprints": {"alloAir/v1": fingerprint(finding)},
        "properties": {"verdict": finding.verdict, "cure": finding.cure, "cycle": finding.cycle},
    }
    if diagnostic.file:
        results["locations"] = [_location(diagnostic.file, diagnostic.line, diagnostic.column)]
    related = []
    for note in diagnostic.notes:
        places = [(note.file, note.line)] if note.file else [(f, int(n)) for f, n in _PLACE.findall(note.message)]
        related += [{**_location(file, line, 0), "message": {"text": note.message}} for file, line in places[:1]]
    if related:
        results["relatedLocations"] = [{"id": n, **location} for n, location in enumerate(related)]
    return results


def _location(file: str, line: int, column: int) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(Path(file))}}
    if line:
        place["region"] = {"startLine": line, **({"startColumn": column} if column else {})}
    return {"physicalLocation": place}


def _uri(path: Path) -> str:
    """The URI of a file. A file below the current folder has a relative path, as code hosts require."""
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
