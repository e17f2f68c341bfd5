"""Arrays from files: types that numpy's format does not know, and files that hold no array."""

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from allo_air.errors import AlloAirError
from allo_air.program.host.arrays import check, with_argument_type
from allo_air.program.host.signature import Argument
from allo_air.tools import _arrays


@pytest.mark.parametrize(
    ("element", "dtype"),
    [
        ("bf16", ml_dtypes.bfloat16),
        ("f8E4M3FN", ml_dtypes.float8_e4m3fn),
        ("f8E5M2", ml_dtypes.float8_e5m2),
        ("f32", np.float32),
        ("i8", np.int8),
        ("ui16", np.uint16),
    ],
)
@pytest.mark.parametrize("by_us", [True, False])
def test_every_type_survives_a_file(element: str, dtype: Any, by_us: bool, tmp_path: Path) -> None:
    array, file = np.array([[1.5, 2, -3], [0, 4, 8]]).astype(dtype), str(tmp_path / "a.npy")
    if by_us:
        _arrays.write(file, array[:, ::-1])
    else:
        np.save(file, array[:, ::-1])
    argument = Argument("a", (2, 3), element, "in", (2, 3))
    found = with_argument_type(argument, _arrays.read(file))
    check(argument, found, writable=False)
    np.testing.assert_array_equal(found, array[:, ::-1])


def test_raw_bytes_of_another_width_are_refused() -> None:
    wanted = Argument("a", (2,), "bf16", "in", (2,))
    for raw in (np.zeros(2, "V4"), np.zeros(2, [("x", "u1"), ("y", "u1")])):
        with pytest.raises(AlloAirError, match=r"expected 2 of bfloat16$"):
            check(wanted, with_argument_type(wanted, raw), writable=False)
    with pytest.raises(
        AlloAirError, match=r"\.astype\(ml_dtypes.bfloat16\) or, where its elements are bits, see them with .view"
    ):
        check(wanted, np.zeros(2, np.uint16), writable=False)


def test_files_without_an_array(tmp_path: Path) -> None:
    np.save(tmp_path / "whole.npy", np.arange(99))
    whole = (tmp_path / "whole.npy").read_bytes()
    np.savez(tmp_path / "several.npz", a=np.arange(3), b=np.arange(4))
    np.save(tmp_path / "objects.npy", np.array([None, 1]), allow_pickle=True)
    files = {"empty.npy": b"", "short.npy": whole[:5], "header.npy": whole[:60], "cut.npy": whole[:-9], "text.npy": b"1 2 3\n"}
    files |= {"zip.npy": b"PK\3\4 no zip"}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(AlloAirError, match=rf"cannot read '.*{name}' as a numpy array \(.npy\): "):
            _arrays.read(str(tmp_path / name))
    with pytest.raises(AlloAirError, match=r"text.npy' .*: it does not begin like one; numpy.save writes one"):
        _arrays.read(str(tmp_path / "text.npy"))
    with pytest.raises(AlloAirError, match=r"several.npz' holds several arrays \(a, b\)"):
        _arrays.read(str(tmp_path / "several.npz"))
    with pytest.raises(AlloAirError, match=r"objects.npy' as a numpy array"):
        _arrays.read(str(tmp_path / "objects.npy"))
    with pytest.raises(AlloAirError, match=r"cannot read '.*': Is a directory"):
        _arrays.read(str(tmp_path))
