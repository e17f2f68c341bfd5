"""Cores that acquire and release in drawn branches and loops read the objects that they should."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import allo_air
from allo_air import asm
from allo_air.core import driver, pipeline
from allo_air.core.contexts import reused_context
from allo_air.core.registry import Registry
from allo_air.errors import AlloAirError
from bounds import bounded

from .fifos import READS, program


@bounded(8)
@given(st.integers(0, 1 << 30))
def test_reads(seed: int) -> None:
    _check(seed, "")


@bounded(6)
@given(
    st.integers(0, 1 << 30),
    st.sampled_from(["", "aie-objectFifo-unroll,", "aie-objectFifo-unroll{peel-first-iteration=true},"]),
)
def test_reads_as_in_august(seed: int, unroll: str) -> None:
    _check(
        seed,
        f"aie-objectFifo-stateful-transform,{unroll}aie-assign-lock-ids,aie-assign-bd-ids,aie-assign-buffer-addresses",
    )


def _check(seed: int, passes: str) -> None:
    """What the core of the program drawn from `seed` reads, as it is or lowered by passes of devices."""
    drawn = program(seed)
    sent, found = np.array(drawn.objects, np.int32), np.zeros(READS, np.int32)
    try:
        text = _lowered(drawn.text, passes) if passes else drawn.text
        report = allo_air.simulate(text, sent, found, strict=False)
    except AlloAirError as error:  # a way that this run does not take may hold too few
        assert "cannot release more elements than are already acquired" in str(error)
        return
    assert {finding.kind for finding in report.findings} <= {"unconsumed-stream-data"}
    np.testing.assert_array_equal(found[: len(drawn.reads)], drawn.reads)
    assert not found[len(drawn.reads) :].any()


def _lowered(text: str, passes: str) -> str:
    with reused_context():
        module = asm.read(text, "drawn.mlir")
        driver.run(
            pipeline.parse(f"builtin.module(aie.device({passes}))", Registry()), module, driver.Settings(verify=asm.verify)
        )
        return asm.write(module)
