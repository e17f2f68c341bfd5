"""Values in text get new names and numbers: in C++ as by regular expressions."""

from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from allo_air import asm
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


LINES = st.sampled_from(
    ["{", "}", "} else {", "%1 = op", "  %2:2 = op %1, %2#1", "%3: = op", "^bb0(%4: i32, %5: f32):", "%1 {",
     'x "%1 = " %1 "', "é", "", "%x = op %12", "%12 = op", "^bb1:", "y(%1: i32) {"]
)  # fmt: skip


@pytest.mark.skipif(walking._native is None, reason="built without C++")
@settings(deadline=None)
@given(st.lists(LINES, max_size=16))
def test_cpp_counts_and_finds_names_as_expressions_do(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = names.renumber(lines), names.named_values(text)
    with patch.object(walking, "_native", None):
        assert found == (names.renumber(lines), names.named_values(text))


@pytest.mark.usefixtures("context")
def test_a_module_that_uses_values_early_reads_back() -> None:
    text = "module {\n  %0 = aie.core(%1) {\n    aie.end\n  }\n  %1 = aie.tile(0, 2)\n}\n"
    assert asm.write(asm.read(text)).strip() == text.strip()
