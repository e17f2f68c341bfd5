"""Names of IRON that are not there yet say so."""

import pytest

from allo_air.aie import iron


def test_a_missing_name_says_so():
    with pytest.raises(NotImplementedError, match=r"^aie.iron.kernels.bn_colour is not there; there are bn_avgpool, "):
        _ = iron.kernels.bn_colour
    with pytest.raises(AttributeError):
        _ = iron.NoSuchName


def test_the_folder_of_headers_and_types_by_name():
    from pathlib import Path

    from allo_air.aie.iron.dtype import str_to_dtype
    from allo_air.aie.utils.config import cxx_header_path

    assert (Path(cxx_header_path()) / "aie_api/aie.hpp").is_file()
    assert str_to_dtype("i16").__name__ == "int16"


@pytest.mark.parametrize(
    ("name", "member"),
    [
        ("dataflow.objectfifo", "ObjectFifo"), ("device.tile", "Tile"), ("globalbuffer", "GlobalBuffer"),
        ("runtime.taskgroup", "TaskGroup"), ("kernels.linalg", "mm"), ("algorithms.transform", "transform_parallel"),
        ("placers", "Placer"), ("resolvable", "Resolvable"),
    ],
)  # fmt: skip
def test_modules_that_the_original_cuts_otherwise(name, member):
    import importlib

    assert hasattr(importlib.import_module(f"allo_air.aie.iron.{name}"), member)
