"""The programs in examples/air_api check themselves; `allo-tune` searches the symbols of one."""

import runpy
import sys
from pathlib import Path

import pytest

from allo_air.air.api.tuning import search_symbols
from allo_air.errors import AlloAirError, UnknownNameError
from allo_air.tools.allo_tune import main

FOLDER = Path(__file__).parents[3] / "examples/air_api"
PROGRAMS = sorted(p.stem for p in FOLDER.glob("*.py"))


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_example(name, device, monkeypatch, capsys):
    path = str(FOLDER / f"{name}.py")
    monkeypatch.chdir(FOLDER)
    monkeypatch.setattr(sys, "argv", [path, "--target", device])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(path, run_name="__main__")
    assert ended.value.code == 0, capsys.readouterr().out
    assert "PASS!" in capsys.readouterr().out


STRIPS = """
from allo_air.air import api as air
from allo_air.air.api import i32

piece = air.symbol(choices={choices})
X = air.tensor([4, 3072], i32)
Y = air.tensor([4, 3072], i32)
launch = air.launch(name="strips")


@launch.body
def _():
    with air.herd(range(4)) as h:

        @h.body
        def _(i):
            t = air.alloc([1, piece], i32, scope=h.private())
            for k in air.sequential(0, 3072, piece):
                air.ops.load(t, X[i, k : k + piece])
                t[:] = t[:] + {added}
                air.ops.store(t, Y[i, k : k + piece])
"""


@pytest.fixture
def strips(tmp_path):
    def written(choices="[64, 1024, 36]", added="1"):
        path = tmp_path / "strips.py"
        path.write_text(STRIPS.format(choices=choices, added=added))
        return str(path)

    return written


def test_symbols_are_searched(strips):
    searched = search_symbols(strips(), "launch", "npu2")
    first, second, refused = searched.rows
    assert [r.values for r in searched.rows] == [{"piece": 64}, {"piece": 1024}, {"piece": 36}]
    assert searched.best is min((first, second), key=lambda row: row.cycles) and first.cycles != second.cycles
    assert refused.why == "sequential: the step 36 does not divide the extent 3072; there are no partial steps"
    assert str(searched).splitlines()[-1] == f"write piece = air.symbol(hint={searched.best.values['piece']}, ...)"


def test_wrong_results_are_told(strips):
    searched = search_symbols(strips(choices="[64, 1024]", added="piece"), "launch")
    assert searched.rows[1].why == "other results than the program as it is" and searched.best is searched.rows[0]


def test_a_budget_leaves_some(strips):
    searched = search_symbols(strips(), "launch", budget=0)
    assert (len(searched.rows), searched.left) == (1, 2) and "; 2 left" in str(searched)


def test_what_cannot_be_searched(strips):
    with pytest.raises(AlloAirError, match=r":launch has no symbols with choices; declare them with air\.symbol"):
        search_symbols(strips(choices="None, default=16"), "launch")
    with pytest.raises(UnknownNameError, match=r"unknown launch in .* 'lunch'; did you mean 'launch'\?"):
        search_symbols(strips(), "lunch")
    with pytest.raises(AlloAirError, match=r":piece is Symbol, expected a launch of air\.api"):
        search_symbols(strips(), "piece")


def test_allo_tune(strips, capsys):
    assert main([f"{strips()}:launch"]) == 0
    assert capsys.readouterr().out.startswith("symbols of launch on npu1\npiece  simulated  outcome\n64 ")
    assert main([f"{strips()}:launch", "--shape", "4xi32"]) == 2
    assert "--shape does not go with a program of air.api" in capsys.readouterr().err


def test_a_program_imports_from_its_folder(tmp_path, monkeypatch):
    from allo_air.user_errors import run_file

    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "sizes_beside.py").write_text("N = 8\n")
    (tmp_path / "prog.py").write_text(
        "from sizes_beside import N\n\n\ndef twice():\n    import sizes_beside as s\n    return 2 * s.N\n"
    )
    names = run_file(tmp_path / "prog.py")
    assert names["N"] == 8 and names["twice"]() == 16
