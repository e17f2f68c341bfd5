"""The documentation is run: each page's blocks from top to bottom, in a folder of its own, and what it shows is compared.

Blocks by language; a comment on the line before the block says what is special about it:

* `console`: lines after `$ ` are commands, what follows each is all that it prints (`...` stands for any text);
* `python`: a script that must end well; a block `output` after it is what it prints;
* `mlir`: must read and verify;
* `<!-- file: NAME -->`: the block is written to NAME instead; `<!-- entry points -->`: a `toml` block whose entry points are
  installed for the rest of the page; `<!-- not run: WHY -->`: the block is left alone; `<!-- needs: PACKAGE -->`: it and its
  output are left alone where the package is not installed.
"""

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from configparser import ConfigParser
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

import allo_air
from allo_air import asm
from allo_air.asm.directives import DIRECTIVES
from allo_air.core.registry import Registry
from allo_air.mlir import new_context

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "bench/README.md", *sorted((ROOT / "docs").glob("*.md"))]
_BLOCK = re.compile(r"(?:^<!-- (?P<mark>.*?) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\((?!https?:)([^)\s]+)\)")


@dataclass(frozen=True)
class Block:
    """A fenced block; `place` is `file:line`, `mark` the text of the comment before it."""

    place: str
    language: str
    mark: str
    text: str


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text()
    for match in _BLOCK.finditer(text):
        line = text.count("\n", 0, match.start("text"))
        yield Block(f"{page.relative_to(ROOT)}:{line}", match["language"], match["mark"] or "", match["text"])


def page_id(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def shell(folder: Path, command: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs `command` in `folder`, its errors amid its output."""
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )


def expect(block: Block, what: str, shown: str, printed: str) -> None:
    """Fails unless `printed` is `shown`, in which `...` stands for any text."""
    pattern = re.escape(shown.strip("\n")).replace(r"\.\.\.", ".*")
    if not re.fullmatch(pattern, printed.strip("\n"), re.DOTALL):
        pytest.fail(f"{block.place}: {what}\nshown:\n{shown}\nprinted:\n{printed}", pytrace=False)


def run_console(block: Block, folder: Path) -> str:
    first, *commands = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not first and commands, f"{block.place}: a console block begins with '$ '"
    for entry in commands:
        command, _, shown = entry.partition("\n")
        expect(block, f"$ {command}", shown, shell(folder, ["bash", "-c", command]).stdout)
    return ""


def run_python(block: Block, folder: Path) -> str:
    done = shell(folder, ["python", "-c", block.text])
    if done.returncode:
        pytest.fail(f"{block.place}: {done.stdout}", pytrace=False)
    return done.stdout


def run_mlir(block: Block, folder: Path) -> str:
    with new_context():
        asm.read(block.text, block.place)
    return ""


def install(block: Block, folder: Path) -> None:
    """Does what pip does with the entry points of a `pyproject.toml`."""
    project = ConfigParser(delimiters=["="])
    project.read_string(block.text)
    groups = [s for s in project.sections() if s.startswith("project.entry-points.")]
    assert groups, f"{block.place}: no entry points"
    lines = []
    for group in groups:
        lines += [f"[{group.removeprefix('project.entry-points.').strip(chr(34))}]"]
        lines += [f"{name} = {value.strip(chr(34))}" for name, value in project[group].items()]
    made = folder / "documented-1.0.dist-info"
    made.mkdir()
    (made / "METADATA").write_text("Metadata-Version: 2.1\nName: documented\nVersion: 1.0\n")
    (made / "entry_points.txt").write_text("\n".join([*lines, ""]))


RUNNERS: dict[str, Callable[[Block, Path], str]] = {"console": run_console, "python": run_python, "mlir": run_mlir}


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_what_the_page_shows_is_what_happens(page: Path, tmp_path: Path, tools: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tools), prepend=os.pathsep)
    for folder in ("bench", "examples"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    printed: str | None = ""
    for block in blocks(page):
        if block.mark.startswith("not run: "):
            continue
        if block.mark.startswith("needs: ") and find_spec(block.mark.removeprefix("needs: ")) is None:
            printed = None
            continue
        if block.mark.startswith("file: "):
            file = tmp_path / block.mark.removeprefix("file: ")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text)
        elif block.mark == "entry points":
            install(block, tmp_path)
        elif block.language == "output":
            if printed is not None:
                expect(block, "the script above", block.text, printed)
        elif block.language in RUNNERS:
            printed = RUNNERS[block.language](block, tmp_path)
        else:
            assert block.language in ("text", "mermaid"), (
                f"{block.place}: '{block.language}' blocks are not run; call it text, or mark it"
            )


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_links_resolve(page: Path) -> None:
    prose = _BLOCK.sub("", page.read_text())
    wrong = [link for link in _LINK.findall(prose) if not resolves(page, link)]
    assert wrong == []


def resolves(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = page.parent / path if path else page
    if not target.exists() or not anchor:
        return target.exists()
    headings = re.findall(r"^#+ (.*)$", _BLOCK.sub("", target.read_text()), re.MULTILINE)
    return anchor in [re.sub(r"[^\w\- ]", "", h).lower().replace(" ", "-") for h in headings]


def test_the_changelog_begins_with_the_version() -> None:
    released = re.findall(r"^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert released[0] == allo_air.__version__


def test_pipelines_named_in_the_readme_are_there(registry: Registry) -> None:
    rows = dict(re.findall(r"^\| (\w+) \| (.*) \|$", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert set(names_in(rows["pipelines"])) <= set(registry.pipeline_names())
    assert len(names_in(rows["pipelines"])) >= 4


def test_every_directive_is_described() -> None:
    section = (ROOT / "docs/assembly.md").read_text().partition("| directive |")[2].partition("\n\n")[0]
    named = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (.*?) \|", section, re.MULTILINE)))
    assert sorted(named) == sorted(DIRECTIVES)


def names_in(text: str) -> list[str]:
    return re.findall(r"`([\w-]+)`", text)


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_files_and_modules_named_in_a_page_exist(page: Path) -> None:
    prose = _COMMENT.sub("", _BLOCK.sub("", page.read_text()))
    named = re.findall(r"`((?:allo_air|passes|pipelines|transform_scripts|test|bench|docs|examples)/[\w./-]*)`", prose)
    assert [n for n in named if not (ROOT / n).exists()] == []
