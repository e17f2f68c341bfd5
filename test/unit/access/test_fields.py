"""Misfits against the registers of a descriptor: what has none comes out of them as it went in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from allo_air.access.fields import Misfit, misfits
from allo_air.device import CORE_BD, MEM_BD, SHIM_BD, BDFormat
from allo_air.target.bd_layout import LAYOUTS
from bounds import bounded

FORMATS = {"core": CORE_BD, "mem": MEM_BD, "shim_noc": SHIM_BD}


@bounded(100)
@given(
    st.sampled_from(list(FORMATS)),
    st.lists(st.tuples(st.integers(1, 1100), st.integers(0, 1 << 21)), min_size=1, max_size=3),
    st.sampled_from([8, 16, 32]),
)
def test_what_has_no_misfit_is_in_the_ranges_of_the_registers(kind: str, dims: list[tuple[int, int]], bits: int) -> None:
    found = {(m.kind, m.dim) for m in misfits(dims, bits, FORMATS[kind])}
    for dim, (size, stride) in enumerate(reversed(dims)):
        wrap, step = LAYOUTS[kind].get(f"d{dim}_wrap"), LAYOUTS[kind][f"d{dim}_step"]
        words = size if dim else size * bits // 32
        if ("run", dim) not in found:
            assert (("wrap", dim) in found) == (wrap is not None and words not in wrap.range)
        if size > 1 and not {("grain", dim), ("sign", dim)} & found:
            assert (("step", dim) in found) == (max(stride * bits // 32, 1) - 1 not in step.range)


@pytest.mark.parametrize(
    ("dims", "bits", "form", "iteration", "found"),
    [
        (((4, 64), (6, 1)), 8, MEM_BD, None, [Misfit("run", 0, 6)]),
        (((4, 64), (4, 2)), 16, MEM_BD, None, [Misfit("grain", 0, 2)]),
        (((4, 3), (4, 1)), 16, MEM_BD, None, [Misfit("grain", 1, 3)]),
        (((4, 64), (4, 2)), 32, MEM_BD, None, []),
        (((4, 0), (4, 1)), 32, MEM_BD, None, [Misfit("sign", 1, 0)]),
        (((4, 0), (4, 1)), 32, SHIM_BD, 1, []),
        (((65, 8), (2, 8), (2, 8), (4, 1)), 32, SHIM_BD, 3, [Misfit("iterations", 3, 65, 64)]),
        (((1100, 8), (2, 8), (4, 1)), 32, SHIM_BD, None, []),
        (((1100, 8), (4, 1)), 32, SHIM_BD, None, [Misfit("wrap", 1, 1100, 1023)]),
    ],
)
def test_misfits(
    dims: tuple[tuple[int, int], ...], bits: int, form: BDFormat, iteration: int | None, found: list[Misfit]
) -> None:
    assert list(misfits(dims, bits, form, iteration)) == found
