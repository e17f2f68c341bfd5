"""pytest finds this by its entry point: the fixture `simulate_design` in every project that has allo_air installed."""

from typing import Any

import pytest


@pytest.fixture(name="simulate_design")
def simulate_design_fixture() -> Any:
    """`allo_air.testing.simulate_design`."""
    from allo_air.testing import simulate_design

    return simulate_design
