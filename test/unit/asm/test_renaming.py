"""Values in text get new names: in C++ as by regular expressions."""

from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from allo_air.asm import names
from allo_air.core import walking

NAMES = {"%1": "%a", "%12": "%tile_0_2", "%x": "%3", "%3#1": "%b", "%y-1": "%c"}
NUMBERS = {"1": "%7", "12": "%8", "3": "%99"}
PIECES = st.sampled_from(
    ["%1", "%12", "%x", "%3#1", "%3#", "%y-1", "%y", "%", '"', "\\", "\n", " ", "%1a", "é", "@s", "#1", ":2", "%-"]
)


@pytest.mark.skipif(walking._native is None, reason="built without C++")
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(PIECES, max_size=12))
def test_cpp_renames_as_expressions_do(pieces: list[str]) -> None:
    line = "".join(pieces)
    found = names._renamed(line, NAMES), names._renumbered(line, NUMBERS)
    with patch.object(walking, "_native", None):
        assert found == (names._renamed(line, NAMES), names._renumbered(line, NUMBERS))
