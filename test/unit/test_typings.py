"""The stubs in typings/ say what the installed bindings have."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

TYPINGS = Path(__file__).parents[2] / "typings"
ACCESSORS = ("__iter__", "__getattr__")
"""Members that stand for what a class gets when it runs."""
STUBS = [p.relative_to(TYPINGS).with_suffix("") for p in sorted(TYPINGS.rglob("*.pyi")) if p.stat().st_size]


def _stated(path: Path) -> dict[str, set[str]]:
    """What a stub defines: its classes with their members."""
    tree = ast.parse((TYPINGS / path).with_suffix(".pyi").read_text())
    return {c.name: set(filter(None, map(_name, c.body))) for c in tree.body if isinstance(c, ast.ClassDef)}


def _name(node: ast.stmt) -> str | None:
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            return node.name
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return None


@pytest.mark.parametrize("path", STUBS, ids=str)
def test_what_a_stub_states_is_there(path: Path) -> None:
    module = importlib.import_module(".".join(path.parts).removesuffix(".__init__"))
    classes = {name: members for name, members in _stated(path).items() if name != "Context"}
    assert not {name for name in classes if not hasattr(module, name)}
    assert not {f"{c}.{m}" for c, members in classes.items() for m in members - {*ACCESSORS, *dir(getattr(module, c))}}


def _is_ours(value: object) -> bool:
    """Whether a member was added by MLIR-AIR's Python layer, which tests of the same process may have imported."""
    function = value.fget if isinstance(value, property) else value
    return str(getattr(function, "__module__", "")).startswith("allo_air")


@pytest.mark.parametrize("name", ["ir", "rewrite", "passmanager"])
def test_nothing_of_the_core_is_missing(name: str) -> None:
    path = Path("torch_mlir/_mlir_libs/_mlir") / name
    module, stated = importlib.import_module(".".join(path.parts)), _stated(path)
    classes = {n: c for n, c in vars(module).items() if isinstance(c, type) and not n.startswith("_")}
    assert not classes.keys() - stated, "run `make stubs`"
    named = ((n, m, value) for n, c in classes.items() for m, value in vars(c).items() if not m.startswith("_"))
    members = {f"{n}.{m}" for n, m, value in named if m != "static_typeid" and not _is_ours(value)}
    assert not members - {f"{n}.{m}" for n, found in stated.items() for m in found}, "run `make stubs`"
