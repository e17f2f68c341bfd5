"""Every pass of mlir-air and mlir-aie, of March and of August 2026, is there, or its name says what to use instead."""

import pytest

from allo_air.core.registry import Registry
from allo_air.passes._absent_passes import ABSENT
from helpers import TEST

NAMES = [line for line in (TEST / "data/passes_of_the_peers.txt").read_text().splitlines() if not line.startswith("#")]
ADVICE = ("use ", "leave it out", "does nothing", "write ", "tile ", "match ", "declare ", "holds them all", "runs")


@pytest.mark.parametrize("name", NAMES)
def test_the_name_is_known(registry: Registry, name: str) -> None:
    assert name in registry.pass_names() or any(word in ABSENT[name] for word in ADVICE)
