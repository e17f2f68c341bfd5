"""Reports, what bounds a run, traces and plots, from a run whose numbers are known."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from allo_air.errors import AlloAirError
from allo_air.program.program import Program
from allo_air.program.reports import bottleneck, trace
from allo_air.program.reports.report import Report, of_run
from allo_air.sim.joined import joined
from allo_air.sim.report_types import ChannelReport, ControllerReport, CoreReport
from allo_air.sim.report_types import Report as Run

Compiled = Callable[..., Program]


@pytest.fixture
def report(compiled: Compiled, simulator: Any) -> Report:
    return compiled(shape=(16, 32, 8), dtype="i32").report()


def test_rates_are_those_of_the_counters(report: Report) -> None:
    assert report.cycles == 1000
    assert report.microseconds == 46.0 and report.launching == 45.0  # the host sees the launch, too
    assert report.macs == 16 * 32 * 8
    assert report.macs_per_cycle == pytest.approx(4.096)
    assert report.peak_per_cycle == 16
    assert report.efficiency == pytest.approx(0.256)
    assert report.tera_ops == pytest.approx(2 * 4.096e-3)
    assert "AM020" in report.clock


def test_the_bound_is_the_busiest_part(report: Report) -> None:
    found = [(load.part, load.cycles) for load in report.loads]
    assert found == [("compute", 750), ("external memory", 400), ("L3 movement", 300), ("control", 120)]
    assert report.bound == "compute: core (0, 2) at work 75 % of the time"


def run(cores: list[CoreReport], channels: list[ChannelReport], busy: int = 10, cycles: int = 1000) -> Run:
    return Run("npu1", "s", "done", cycles, [], cores, channels, ControllerReport(1, busy, 0, 1, 1, 0, cycles))


def test_code_is_listed_by_device_and_size() -> None:
    first, second = run([], []), run([], [])
    first.kernel, first.code_bytes = "a", {(0, 2): 100, (0, 3): 100, (0, 4): 300}
    second.kernel, second.code_bytes = "b", {(0, 2): 20000}
    both = of_run("two", joined([first, second]))
    listed = [(code["device"], code["bytes"], code["of"], code["tiles"]) for code in both.as_dict()["code_bytes"]]
    assert listed == [
        ("a", 300, 16384, ((0, 4),)),
        ("a", 100, 16384, ((0, 2), (0, 3))),
        ("b", 20000, 16384, ((0, 2),)),
    ]
    assert both.run.code_bytes == {(0, 2): 20000, (0, 3): 100, (0, 4): 300}
    assert "at most about 20,000 of 16,384 bytes of program memory, core (0, 2) of @b" in both.text()
    assert [kernel.code_bytes for kernel in both.kernels] == [300, 20000]


def move(tile: tuple[int, int], direction: str, busy: int, starved: int = 0, stalled: int = 0) -> ChannelReport:
    return ChannelReport(tile, direction, 1, busy, 1, 1, busy, starved, stalled, 0, 0, 0)


@pytest.mark.parametrize(
    ("channels", "busy", "part"),
    [
        (
            [move((0, 0), "MM2S", 500, starved=400)],
            10,
            "external memory: shim (0, 0) MM2S 1 waits for it 40 % of the time and moves words 50 %",
        ),
        ([move((0, 0), "MM2S", 950, starved=40)], 10, "L3 movement: shim (0, 0) MM2S 1 at work 99 %"),
        ([move((2, 3), "S2MM", 910), move((0, 0), "MM2S", 200, starved=760)], 10, "external memory: shim (0, 0) MM2S 1"),
        (
            [move((0, 0), "S2MM", 500, stalled=300), move((0, 0), "MM2S", 300, stalled=650)],
            10,
            "external memory: shim (0, 0) S2MM 1",
        ),
        ([move((1, 1), "MM2S", 900), move((0, 0), "MM2S", 300)], 10, "L2 movement: memtile (1, 1) MM2S 1"),
        ([move((2, 3), "S2MM", 990)], 10, "L1 movement: core (2, 3) S2MM 1"),
        ([], 900, "control: instruction stream"),
        ([move((2, 3), "S2MM", 300)], 200, "latency: no part works half of the time"),
    ],
)
def test_every_part_can_be_the_bound(channels: list[ChannelReport], busy: int, part: str) -> None:
    core = CoreReport((0, 2), False, 0, 100, 50, 0, 0, 0, 7, 0)
    assert of_run("x", run([core], channels, busy)).bound.startswith(part)


def test_an_empty_run() -> None:
    found = of_run("x", run([], [], 0, cycles=0))
    assert found.bound == "nothing ran"
    assert "cycles" in found.text()


def test_text_and_json_have_the_numbers(report: Report) -> None:
    text = report.text()
    for part in (
        "1,000",
        "46.0 us, of it 45 us for the launch, at 1.00 GHz (AM020's nominal one",
        "4.1 of 16 peak (25.6 %)",
        "(0, 2)",
        "75.0 %",
        "shim (0, 0) MM2S 0",
    ):
        assert part in text
    body = json.loads(json.dumps(report.as_dict()))
    assert body["cycles"] == 1000
    assert body["loads"][0] == {"part": "compute", "unit": "core (0, 2)", "cycles": 750, "share": 0.75}
    assert body["channels"][0]["starved"] == 100
    assert body["notes"]["plan"].startswith("herd ")
    assert max(len(line) for line in text.splitlines()) <= 100


def test_tiles_say_what_the_design_takes(report: Report) -> None:
    by_place = {(t.column, t.row): t for t in report.tiles}
    core = by_place[0, 2]
    assert core.kind == "core"
    assert core.memory_of == 65536
    assert 1024 < core.memory < 65536
    assert 0 < core.locks <= 16
    assert 0 < core.bds <= 16
    assert by_place[0, 1].memory_of == 512 * 1024


def test_trace_has_the_names_users_know(compiled: Compiled, simulator: Any, tmp_path: Path) -> None:
    program = compiled(shape=(16, 32, 8), dtype="i32")
    program.trace(tmp_path / "t.json")
    entries = json.loads((tmp_path / "t.json").read_text())
    processes = {e["args"]["name"]: e["pid"] for e in entries if e["name"] == "process_name"}
    assert set(processes) == {"core_trace for tile2,0", "mem_trace for tile2,0", "memtile_trace for tile1,0"}
    spans = [
        (e["name"], e["ph"], e["ts"]) for e in entries if e["ph"] in "BE" and e["pid"] == processes["core_trace for tile2,0"]
    ]
    assert spans == [
        ("INSTR_VECTOR", "B", 10), ("INSTR_EVENT_0", "B", 15), ("INSTR_EVENT_0", "E", 16), ("INSTR_VECTOR", "E", 20),
        ("LOCK_STALL", "B", 20), ("LOCK_STALL", "E", 1000),
    ]  # fmt: skip
    threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in entries if e["name"] == "thread_name"}
    assert all(threads[e["pid"], e["tid"]] == e["name"] for e in entries if e["ph"] in "BE")


def test_pairs_close_even_where_events_overlap() -> None:
    body = [
        {"name": "x", "pid": 0, "tid": 0, "ph": phase, "ts": ts}
        for phase, ts in (("E", 1), ("B", 2), ("B", 4), ("E", 6), ("B", 9))
    ]
    found = [(e["ph"], e["ts"]) for e in trace._paired(body, 20)]
    assert found == [("B", 2), ("E", 4), ("B", 4), ("E", 6), ("B", 9), ("E", 20)]


def test_a_run_without_events_has_no_trace(report: Report) -> None:
    with pytest.raises(AlloAirError, match="run it with trace=True"):
        trace.trace_of(report.run)


def test_a_plot_without_matplotlib_says_how_to_get_it(
    compiled: Compiled, simulator: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(AlloAirError, match=r"pip install 'allo-air\[plot\]'"):
        compiled(shape=(16, 32, 8), dtype="i32").plot(tmp_path / "roofline.png")


def test_a_plot_is_named_by_its_file(compiled: Compiled, simulator: Any, tmp_path: Path) -> None:
    with pytest.raises(AlloAirError, match=r"call it roofline\.png or timeline\.png"):
        compiled(shape=(16, 32, 8), dtype="i32").plot(tmp_path / "picture.png")


def test_peaks_name_types_that_the_device_multiplies() -> None:
    found = bottleneck.loads(run([], []), lambda _: "core")
    assert [load.part for load in found] == ["control"]


def test_block_floats_are_measured_by_their_own_peak(compiled: Compiled) -> None:
    shown = compiled(shape=(64, 64, 64), dtype="bf16", device="npu2_1col", bfp16=True).report()
    assert (shown.element, shown.peak_per_cycle) == ("bfp16", 512 * shown.cores)
    plain = compiled(shape=(64, 64, 64), dtype="bf16", device="npu2_1col").report()
    assert (plain.element, plain.peak_per_cycle) == ("bf16", 64 * plain.cores)
