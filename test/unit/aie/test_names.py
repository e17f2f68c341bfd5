"""Names of IRON that are not there yet say so."""

import pytest

from allo_air.aie import iron


def test_a_missing_name_says_so():
    with pytest.raises(NotImplementedError, match=r"^aie.iron.TileDma is not there yet$"):
        _ = iron.TileDma
    with pytest.raises(AttributeError):
        _ = iron.NoSuchName
