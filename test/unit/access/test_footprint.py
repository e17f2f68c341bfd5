"""Whether accesses meet, against the addresses written out."""

from hypothesis import given
from hypothesis import strategies as st

from allo_air.access.footprint import Footprint
from allo_air.access.linear import Linear
from allo_air.passes._analysis.indices import IndexValues
from bounds import bounded
from helpers import addresses

BOXES = st.tuples(
    st.integers(0, 60), st.lists(st.tuples(st.integers(1, 4), st.sampled_from([-16, -3, 0, 1, 2, 5, 8, 16])), max_size=3)
)


def visited(first, steps):
    return set(addresses(first, [n for n, _ in steps], [stride for _, stride in steps]).tolist())


@bounded(100)
@given(BOXES, BOXES)
def test_meets_is_exact_for_constant_visited(a, b):
    mine, theirs = (Footprint(Linear(first), tuple(steps)) for first, steps in (a, b))
    assert mine.meets(theirs, IndexValues()) == bool(visited(*a) & visited(*b))


@bounded(50)
@given(BOXES, st.integers(1, 70))
def test_span_and_covers_are_exact(box, elements):
    made, wanted = Footprint(Linear(box[0]), tuple(box[1])), visited(*box)
    assert made.span == (min(wanted), max(wanted))
    assert not made.covers(elements) or wanted == set(range(elements))


def test_a_dense_box_covers_its_buffer():
    assert Footprint(Linear(0), ((4, 8), (8, 1))).covers(32)
    assert Footprint(Linear(0), ((8, 1), (4, 8))).covers(32)
    assert not Footprint(Linear(0), ((4, 8), (8, 1))).covers(40)
    assert not Footprint(Linear(1), ((4, 8), (8, 1))).covers(32)
