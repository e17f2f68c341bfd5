"""The house rules that a machine can hold: names, folders, docstrings, imports, and scripts that verify."""

import ast
import functools
import importlib.util
import re
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import grimp
import pytest

from allo_air.core import field_docs, noop_warnings, options
from allo_air.core.registry import Registry
from allo_air.core.schedule import Schedule, parse_script, script_pass

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "passes").glob("*/*.py"))
SHARED = ("_ir", "_analysis")
PASSES = [p for p in FILES if not p.name.startswith("_") and p.parent.name not in SHARED]
SCRIPTS = sorted((ROOT / "transform_scripts").glob("*.mlir"))


def name_of(path: Path) -> str:
    return path.stem.replace("_", "-")


@functools.cache
def imported(path: Path) -> set[str]:
    """The modules of `passes/` that a file imports."""
    found = re.findall(r"^ *from (allo_air\.passes[\w.]*) import (\([^)]*\)|.*)", path.read_text(), re.MULTILINE)
    names = [(module, name) for module, imports in found for name in re.findall(r"(\w+)(?: as \w+)?", imports)]
    return {f"{module}.{name}" if module.count(".") == 2 else module for module, name in names}


@pytest.mark.parametrize("path", PASSES, ids=name_of)
def test_every_pass_is_found_documented_and_round_trips(path: Path, registry: Registry) -> None:
    cls = registry.pass_class(name_of(path))
    assert cls.summary().endswith("."), "the docstring opens with a sentence"
    assert "Before" in (cls.__doc__ or ""), "the docstring shows the IR before"
    assert "After" in (cls.__doc__ or ""), "the docstring shows the IR after"
    if not any(s.required for s in options.specs(cls)):
        assert cls.parse("") == cls()
        assert str(cls()) == cls.name


def test_every_option_says_what_it_means(registry: Registry) -> None:
    found = {name_of(path): without_meaning(registry.pass_class(name_of(path))) for path in (*PASSES, *SCRIPTS)}
    found |= {name: without_meaning(registry.pipeline(name).options) for name in registry.pipeline_names()}
    assert not {name: lacking for name, lacking in found.items() if lacking}


def without_meaning(cls: Any) -> list[str]:
    """The options of a pass or pipeline without a sentence in the help."""
    meant = field_docs.of(cls)
    told = {s.text_name: s.help or meant.get(s.name, "") for s in options.specs(cls)}
    return [name for name, text in told.items() if not re.fullmatch(r"\S.* .*\.", text)]


def test_inputs_of_a_pass_have_what_it_works_on(registry: Registry) -> None:
    without = []
    for path in PASSES:
        names = {*noop_warnings.works_on(registry.pass_class(name_of(path)))}
        for file in lit_inputs(path) if names else ():
            text = file.read_text()
            if f"%s --{name_of(path)}" in text and file.stem not in ("errors", "options"):
                words = set(re.findall(r"\w+\.\w[\w.]*", re.sub(r"//.*", "", text)))
                if not names & (words | {f"{word.split('.')[0]}.*" for word in words}):
                    without.append(file.name)
    assert not without


def test_every_pass_has_a_lit_folder() -> None:
    assert not [name_of(path) for path in PASSES if not lit_inputs(path)]


def lit_inputs(path: Path) -> list[Path]:
    """The lit tests of a pass."""
    return list((ROOT / "test/lit/passes" / path.parent.name / name_of(path)).glob("*.mlir"))


def test_a_file_imports_helpers_of_its_own_room_and_what_all_share() -> None:
    """No pass imports a pass; a room knows itself, `_ir` and `_analysis`; `_ir` knows `_analysis`, which knows neither."""
    wrong = []
    for path in FILES:
        shared = ("_analysis",) if path.parent.name == "_analysis" else SHARED
        for module in imported(path):
            room, file = module.split(".")[2:]
            if room not in (*shared, path.parent.name):
                wrong.append(f"{path}: {module} belongs to another room")
            elif room not in SHARED and not file.startswith("_"):
                wrong.append(f"{path}: {module} is a pass")
    assert not wrong


def test_what_one_room_alone_needs_belongs_to_it() -> None:
    rooms: dict[str, set[str]] = {}
    for path in FILES:
        for module in imported(path):
            rooms.setdefault(module, set()).add(path.parent.name)
    shared = tuple(f"allo_air.passes.{room}." for room in SHARED)
    assert not {m: r for m, r in rooms.items() if m.startswith(shared) and len(r) == 1 and not r & set(SHARED)}


def test_the_plan_is_drawn_from_the_imports() -> None:
    spec = importlib.util.spec_from_file_location("draw_house", ROOT / "docs" / "draw_house.py")
    assert spec is not None and spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.drawing() in tool.PAGE.read_text(), "run python docs/draw_house.py"


@pytest.mark.parametrize("path", SCRIPTS, ids=name_of)
@pytest.mark.usefixtures("context")
def test_every_transform_script_verifies(path: Path) -> None:
    made = script_pass(path)
    assert issubclass(made, Schedule)
    assert made.summary().endswith(".")
    assert parse_script(path).operation.verify()


def test_cited_sources_are_those_that_users_have() -> None:
    listed = (ROOT / "docs" / "sources.md").read_text()
    anchors = {h.lower().replace(" ", "-") for h in re.findall(r"^## (.*)$", listed, re.MULTILINE)}
    for folder in ("allo_air", "passes", "pipelines", "transform_scripts", "bench", "test"):
        for file in (ROOT / folder).rglob("*"):
            if file.suffix in (".py", ".h", ".cpp", ".mlir") and file != Path(__file__):
                text = file.read_text()
                assert "facts/" not in text, f"{file} cites a folder that is not here"
                assert set(re.findall(r"sources\.md#([\w-]+)", text)) <= anchors, file


def test_no_code_outside_arch_asks_which_generation_a_device_is() -> None:
    """A property of the generation answers it, so that a new one is data; tables by generation are data, too."""
    asks = re.compile(r"""(==|!=) ["']AIE|\.arch (not )?in \(""")
    root = ROOT / "allo_air"
    files = [p for p in root.rglob("*.py") if p.relative_to(root).parts[0] not in ("arch", "device.py")]
    assert [f"{p.relative_to(root)}: {line}" for p in files for line in p.read_text().splitlines() if asks.search(line)] == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Not even for types: a CycleError names the modules of the circle."""
    graph = grimp.build_graph("allo_air", cache_dir=None)
    TopologicalSorter({m: graph.find_modules_directly_imported_by(m) for m in graph.modules}).prepare()


NO_NOUNS = {
    "alike", "anew", "asked", "at", "brought", "came", "drawn", "found", "given", "kept", "known", "made", "mine", "others",
    "ours", "picks", "said", "theirs", "thing", "things", "told",
}  # fmt: skip


def test_parameters_are_typed_and_fields_and_parameters_are_nouns() -> None:
    """At most one parameter of twenty mentions Any, and a name says what it holds or does, not what happened to it."""
    count, untyped, names = 0, 0, []
    for path in sorted((ROOT / "allo_air").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                names += [f"{path}:{node.lineno}: {node.name}"] * (node.name.strip("_") in NO_NOUNS - {"at"})
                a = node.args
                every = (*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg)))
                parameters = [p for p in every if p.arg not in ("self", "cls")]
                count += len(parameters)
                untyped += sum(p.annotation is None or mentions_any(p.annotation) for p in parameters)
                names += [f"{path}:{p.lineno}: {p.arg}" for p in parameters if p.arg in NO_NOUNS]
            elif isinstance(node, ast.ClassDef):
                fields = [s for s in node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)]
                names += [f"{path}:{s.lineno}" for s in fields if isinstance(s.target, ast.Name) and s.target.id in NO_NOUNS]
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in NO_NOUNS:
                names.append(f"{path}:{node.lineno}: {node.id}")
    assert not names, "name what it holds"
    assert untyped <= count / 20, f"{untyped} of {count} parameters mention Any: give new ones a type"


def mentions_any(annotation: ast.expr) -> bool:
    return any(isinstance(n, ast.Name) and n.id == "Any" for n in ast.walk(annotation))
