"""The site of the documentation: reference pages of everything that the code has, and links that hold."""

import importlib
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from allo_air import codes
from allo_air.core.registry import Registry

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def pages() -> Iterator[dict[str, str]]:
    sys.path.insert(0, str(ROOT / "docs/site"))
    try:
        yield importlib.import_module("pages").generated()
    finally:
        sys.path.remove(str(ROOT / "docs/site"))
        sys.modules.pop("pages", None)


def test_every_pass_has_a_section_with_before_and_after(pages: dict[str, str]) -> None:
    registry = Registry()
    rooms = "\n".join(text for name, text in pages.items() if name.startswith("reference/passes/"))
    ours = [n for n in registry.pass_names() if n in registry._pass_files]
    assert [n for n in ours if f"\n## {n}\n" not in rooms] == []
    assert [n for n in ours if f"| [`{n}`]" not in pages["reference/passes.md"]] == []
    assert rooms.count("\nBefore:\n") > len(ours) / 2
    assert rooms.count("Tests in `test/lit/passes/") == len(ours)
    assert all(name in pages["reference/scripts.md"] for name in registry._scripts)


def test_every_pipeline_code_and_operation_has_its_row(pages: dict[str, str]) -> None:
    from allo_air.dialects._op import OPS

    assert [n for n in Registry().pipeline_names() if f"\n## {n}\n" not in pages["reference/pipelines.md"]] == []
    assert [c for c in codes.CODES if f"| `{c}` |" not in pages["reference/codes.md"]] == []
    named = [o for o in OPS if o.partition(".")[0] in ("air", "airrt", "aie", "aiex", "aievec")]
    assert [o for o in named if f"\n## {o}\n" not in pages[f"reference/dialects/{o.partition('.')[0]}.md"]] == []
    assert "State 2026-03:" in pages["reference/dialects/aiex.md"]
    assert "### allo_air.compile\n" in pages["reference/python.md"]


def test_tables_and_fences_are_whole(pages: dict[str, str]) -> None:
    for name, text in pages.items():
        assert text.count("\n```") % 2 == 0, name
        prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
        tables = re.findall(r"(?:^\|.*\|\n)+", prose, re.MULTILINE)
        for table in tables:
            counts = {len(re.findall(r"(?<!\\)\|", re.sub(r"`[^`]*`", "", line))) for line in table.strip().split("\n")}
            assert len(counts) == 1, f"{name}: {table[:200]}"


def test_the_site_builds_without_warnings() -> None:
    for tool in ("mkdocs", "material"):
        if importlib.util.find_spec(tool) is None:
            pytest.skip("mkdocs and mkdocs-material are not installed; `make docs` installs them")
    done: Any = subprocess.run([sys.executable, ROOT / "docs/site/build.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "docs/site/mkdocs.yml").read_text()
    missing = [page.name for page in sorted((ROOT / "docs").glob("*.md")) if f": {page.name}\n" not in navigation]
    assert missing == []
