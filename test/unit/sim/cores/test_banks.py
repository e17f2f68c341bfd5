"""Memory banks: accesses of one cycle that meet in a bank take a cycle each."""

import pytest

from allo_air.core_model.banks import Accesses, busiest_bank_cycles, shares_of

BANK = 1 << 14


@pytest.mark.parametrize(
    ("offset", "size", "shares"),
    [
        (0, BANK, {0: 1.0}),
        (BANK + 64, 2048, {1: 1.0}),
        (BANK - 1024, 4096, {0: 0.25, 1: 0.75}),
        (0, 4 * BANK, {0: 0.25, 1: 0.25, 2: 0.25, 3: 0.25}),
    ],
)
def test_a_buffer_lies_in_banks_of_16_kib(offset, size, shares):
    assert dict(shares_of(0, offset, size)) == shares
    assert not set(dict(shares_of(1, offset, size))) & set(shares)  # a neighbour's memory has banks of its own


def test_the_busiest_bank_counts():
    a, b, c = (shares_of(0, n * BANK, 1024) for n in (0, 0, 1))
    assert busiest_bank_cycles([Accesses(a, 2.0), Accesses(b, 1.0), Accesses(c, 2.0)]) == 3
    assert busiest_bank_cycles([Accesses((), 9.0)]) == 0  # not known
    spread = shares_of(0, 0, 2 * BANK)
    assert busiest_bank_cycles([Accesses(spread, 4.0), Accesses(spread, 4.0)]) == 6  # 4 or 8, as often


def loop(load: str, width: str) -> str:
    return (
        "%c0 = arith.constant 0 : index\n%c32 = arith.constant 32 : index\n%c1024 = arith.constant 1024 : index\n"
        f"scf.for %i = %c0 to %c1024 step %c32 {{\n%v = {load} %a[%i] : memref<1024xi8>{width}\n"
        f"%w = {load} %b[%i] : memref<1024xi8>{width}\n%x = arith.addi %v, %w : {width.removeprefix(', ') or 'i8'}\n"
        f"{'vector' if width else 'memref'}.store %x, %c[%i] : memref<1024xi8>{width}\n}}"
    )


@pytest.mark.parametrize(
    ("banks", "interval"),
    [((0, 1, 2), 1), ((0, 0, 1), 2), ((0, 1, 1), 2), ((2, 2, 2), 3), (None, 1)],
)
def test_a_vector_loop_waits_for_its_busiest_bank(run, banks, interval):
    """Two loads and a store of 256 bits in a cycle need three banks."""
    places = [f" @ {bank * BANK + 1024 * i}" for i, bank in enumerate(banks)] if banks else ["", "", ""]
    buffers = tuple(f"{n}{at} : memref<1024xi8>" for n, at in zip("abc", places, strict=True))
    ran = run(loop("vector.load", ", vector<32xi8>"), buffers)
    [region] = [r for r in ran.compiled.regions if r.op == "scf.for"]
    assert region.cycles == 31 * interval + 10  # load 7, add 1, store 2
    assert (region.bound == "bank") == (interval > 1)


def test_scalars_meet_in_half_a_bank(run):
    """Two scalar loads take two cycles of their one unit anyway; with the store they take one and a half of a bank."""
    ran = run(loop("memref.load", ""), tuple(f"{n} @ {1024 * i} : memref<1024xi8>" for i, n in enumerate("abc")))
    [region] = [r for r in ran.compiled.regions if r.op == "scf.for"]
    assert (region.cycles, region.bound) == (31 * 2 + 10, "load")
