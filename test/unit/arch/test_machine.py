"""What planners count with."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from allo_air.arch import arch_of, machine_of
from allo_air.device import DEVICES

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("name", ["npu1", "npu2"])
def test_overheads_take_nanoseconds_whatever_the_clock(name: str) -> None:
    device = DEVICES[name]
    machine, gigahertz = machine_of(device), arch_of(device).mhz / 1000
    assert machine.push == pytest.approx(1075 * gigahertz)
    assert machine.reload == pytest.approx(arch_of(device).reload_microseconds * gigahertz * 1000)
    assert machine.run(50.0, channels=2) == machine.cold + 2 * machine.push + 50 * (name == "npu2") + machine.tail


def test_capacities_follow_the_device() -> None:
    fewer = machine_of(replace(DEVICES["npu2"], columns=3))
    assert (fewer.columns, fewer.cores, fewer.l2) == (3, 12, 512 * 1024)


def test_no_pass_has_overheads_of_its_own() -> None:
    for path in (ROOT / "passes").rglob("*.py"):
        assert not re.search(
            r"^[A-Z_]+ = (1075|1000|700|654|375)\b|RECONFIGURE_MICROSECONDS|Timing\.token_tail", path.read_text(), re.M
        ), path


def test_reads_of_external_memory_are_slower_than_reads_and_writes_together() -> None:
    npu1, npu2 = (machine_of(DEVICES[name]) for name in ("npu1", "npu2"))
    assert npu1.moving(4096, 0) == npu1.moving(2048, 2048) == 4096 / npu1.memory_bytes
    assert npu2.moving(4096, 0) == pytest.approx(4096 / 52.7 * 1.8)
    assert npu2.moving(2048, 2048) == 4096 / npu2.memory_bytes
