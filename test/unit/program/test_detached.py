"""Constants beside the text: their data is neither written nor read as digits, and levels of programs leave it out."""

import numpy as np
import pytest

from allo_air.core.elements import array_of, elements_attr
from allo_air.core.walking import walk_named
from allo_air.mlir import ir, new_context
from allo_air.program.detached import detached
from allo_air.program.source import Source
from allo_air.program.texts import bytecode, level_bytecode

COUNT = 4096


def _module(first, second):
    """A module with two constants, in the active context."""
    module = ir.Module.create()
    for number, array in enumerate((first, second)):
        kind = ir.RankedTensorType.get(array.shape, ir.F32Type.get())
        attributes = {"value": elements_attr(array, kind, f"weight.{number}")}
        ir.Operation.create("arith.constant", [kind], [], attributes, ip=ir.InsertionPoint(module.body))
    return module


def _source(first, second):
    with new_context(), ir.Location.unknown():
        return Source(*((found := detached(_module(first, second)))[0], "<text>"), data=found[1])


@pytest.mark.parametrize("name", ["weight.0", "weight.1"])
def test_data_comes_back_in_another_context(name):
    arrays = [np.arange(COUNT, dtype=np.float32) + n for n in range(2)]
    source = _source(*arrays)
    assert len(source.text) < COUNT
    number = int(name[-1])
    with source.context:
        constant = walk_named(source.module, "arith.constant")[number]
        assert f"<{name}>" in str(constant.attributes["value"])
        assert (array_of(constant.attributes["value"]) == arrays[number]).all()


def test_other_data_is_another_source():
    array = np.arange(COUNT, dtype=np.float32)
    one, other, again = _source(array, array * 2), _source(array, array * 3), _source(array, array * 2)
    assert one.text == other.text
    assert one.identity != other.identity
    assert one.identity == again.identity


def test_levels_leave_out_large_data(monkeypatch):
    arrays = [np.arange(COUNT, dtype=np.float32) + n for n in range(2)]
    with new_context(), ir.Location.unknown():
        module = _module(*arrays).operation
        before = str(module)
        assert len(level_bytecode(module)) > 2 * 4 * COUNT
        monkeypatch.setattr("allo_air.program.texts.LARGE", 4 * COUNT)
        assert len(level_bytecode(module)) < COUNT
        assert len(bytecode(module)) > 2 * 4 * COUNT
        assert str(module) == before
