"""The registry: nothing is imported before it is asked for, and other packages and files add passes."""

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import allo_air
from allo_air.core.named import NamedPipeline
from allo_air.core.pass_ import Pass
from allo_air.core.pipeline import parse
from allo_air.core.registry import Registry
from allo_air.errors import AlloAirError, UnknownNameError


class Foreign(Pass):
    """Comes from another package."""

    name = "foreign"


PIPELINE = NamedPipeline("foreign-pipeline", "Comes from another package", ())


@pytest.fixture
def others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Installs the entry points of an imaginary package."""
    monkeypatch.setitem(sys.modules, "imaginary", sys.modules[__name__])
    entries = {
        "allo_air.passes": [
            EntryPoint("foreign", "imaginary:Foreign", "allo_air.passes"),
            EntryPoint("misnamed", "imaginary:Foreign", "allo_air.passes"),
            EntryPoint("broken", "imaginary:Missing", "allo_air.passes"),
            EntryPoint("cse", "imaginary:Foreign", "allo_air.passes"),
        ],
        "allo_air.pipelines": [EntryPoint("foreign-pipeline", "imaginary:PIPELINE", "allo_air.pipelines")],
    }
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries[group])


@pytest.mark.usefixtures("others", "context")
def test_entry_points_add_passes_and_pipelines() -> None:
    registry = Registry()
    assert {"foreign", "tile-matmul"} <= set(registry.pass_names())
    assert str(parse("foreign,cse", registry)) == "builtin.module(foreign,cse)"
    assert registry.pipeline("foreign-pipeline") is PIPELINE
    with pytest.raises(
        AlloAirError, match="entry point 'misnamed' is imaginary:Foreign, expected a Pass whose name is 'misnamed'"
    ):
        registry.pass_class("misnamed")
    with pytest.raises(AlloAirError, match="cannot load 'broken' from imaginary:Missing: AttributeError"):
        registry.pass_class("broken")


@pytest.mark.usefixtures("context")
def test_a_loaded_file_wins_over_ours_and_upstream(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("from allo_air.core.pass_ import Pass\nclass Own(Pass):\n    name = 'cse'\n    def run(self, op): pass\n")
    assert type(parse("cse", Registry([str(file)])).steps[0].action).__name__ == "Own"


def test_a_loaded_file_that_replaces_our_pass_is_a_warning(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = "from allo_air.core.pass_ import Pass\nfrom allo_air.passes.canonical.canonicalize import Canonicalize\n"
    (tmp_path / "user.py").write_text(text)
    (tmp_path / "own.py").write_text(f"{text}class Own(Pass):\n    name = 'canonicalize'\n    def run(self, op): pass\n")
    Registry([str(tmp_path / "user.py")])
    assert not capfd.readouterr().err
    Registry([str(tmp_path / "own.py")])
    assert "own.py replaces the pass 'canonicalize' of allo_air, also in its named pipelines" in capfd.readouterr().err


@pytest.mark.usefixtures("context")
def test_a_transform_script_is_loaded_as_a_pass(tmp_path: Path) -> None:
    script = Path(allo_air.__file__).parent / "transform_scripts/tile_matmul.mlir"
    file = tmp_path / "my_tiles.mlir"
    file.write_text(script.read_text().replace("@tile_matmul", "@my_tiles"))
    assert str(parse("my-tiles{n=2 m=1}", Registry([str(file)]))) == "builtin.module(my-tiles{m=1 n=2})"


def test_unknown_names_offer_the_nearest(registry: Registry) -> None:
    with pytest.raises(UnknownNameError, match="unknown pass 'tile-matmull'; did you mean 'tile-matmul'"):
        registry.pass_class("tile-matmull")


def test_import_allo_air_imports_no_bindings() -> None:
    ask = "import sys, allo_air, allo_air.errors; print([m for m in sys.modules if m.startswith('torch_mlir')])"
    run = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
