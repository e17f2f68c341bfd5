"""Pictures: what is drawn, by the artists that matplotlib has, and that a file comes out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from allo_air.errors import AlloAirError
from allo_air.program.program import Program
from allo_air.program.reports import plot
from allo_air.program.reports.report import of_run
from allo_air.sim.report_types import Report as Run

Compiled = Callable[..., Program]


def test_the_roofline_has_the_run_at_its_place(compiled: Compiled, simulator: Any) -> None:
    plt = plot.pyplot()
    figure = plot.roofline(plt, compiled(shape=(16, 32, 8), dtype="i32").report())
    [axes] = figure.axes
    point = axes.lines[-1]
    assert point.get_xdata()[0] == pytest.approx(2 * 16 * 32 * 8 / 4000)
    assert point.get_ydata()[0] == pytest.approx(2 * 4.096e-3)
    roof = axes.lines[0].get_ydata()
    assert max(roof) == pytest.approx(2 * 16 * 1e9 / 1e12)
    assert min(roof) < max(roof)
    plt.close(figure)


def test_the_timeline_has_a_row_for_each_unit(compiled: Compiled, simulator: Any) -> None:
    program = compiled(shape=(16, 32, 8), dtype="i32")
    plt = plot.pyplot()
    figure = plot.timeline(plt, program_report(program))
    [axes] = figure.axes
    assert [t.get_text() for t in axes.get_yticklabels()] == ["memtile (0, 1) S2MM 0", "mem (0, 2) S2MM 0", "core (0, 2)"]
    assert axes.get_xlim() == (0, 1000)
    plt.close(figure)


def program_report(program: Program) -> Any:
    return program.reported(program._ran(trace=True).outcome)


@pytest.mark.parametrize("name", ["roofline.png", "my-timeline.svg"])
def test_files(name: str, compiled: Compiled, simulator: Any, tmp_path: Path) -> None:
    compiled(shape=(16, 32, 8), dtype="i32").plot(tmp_path / name)
    head = (tmp_path / name).read_bytes()[:64]
    assert head.startswith(b"\x89PNG" if name.endswith("png") else b"<?xml")
    assert simulator.calls[-1]["trace"] == ("timeline" in name)


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(AlloAirError, match="no roofline: the run counted no multiply-accumulates"):
        plot.roofline(plot.pyplot(), of_run("x", Run("npu1", "s", "done", 10, [])))


def test_a_format_that_matplotlib_has_not(compiled: Compiled, simulator: Any, tmp_path: Path) -> None:
    with pytest.raises(AlloAirError, match=r"'.*roofline\.docx' is not a picture that can be drawn; its name may end in"):
        compiled(shape=(16, 32, 8), dtype="i32").plot(tmp_path / "roofline.docx")
