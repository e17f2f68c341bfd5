"""Cores that acquire and release in drawn branches and loops read the objects that they should."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import allo_air
from allo_air.errors import AlloAirError
from bounds import bounded

from .fifos import READS, program


@bounded(8)
@given(st.integers(0, 1 << 30))
def test_reads(seed: int) -> None:
    drawn = program(seed)
    sent, found = np.array(drawn.objects, np.int32), np.zeros(READS, np.int32)
    try:
        report = allo_air.simulate(drawn.text, sent, found, strict=False)
    except AlloAirError as error:  # a way that this run does not take may hold too few
        assert "cannot release more elements than are already acquired" in str(error)
        return
    assert {finding.kind for finding in report.findings} <= {"unconsumed-stream-data"}
    np.testing.assert_array_equal(found[: len(drawn.reads)], drawn.reads)
    assert not found[len(drawn.reads) :].any()
