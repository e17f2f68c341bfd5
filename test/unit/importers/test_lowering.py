"""Passes of torch-mlir run in a process beside this one."""

import pytest

from allo_air.importers import lowering
from allo_air.mlir import ir, new_context


def test_an_interrupted_import_leaves_no_answer_to_the_next_model(monkeypatch):
    ended = []

    class Interrupted:
        is_mine = True

        def ask(self, _):
            raise KeyboardInterrupt

        def end(self):
            ended.append(self)

    monkeypatch.setattr(lowering, "_process", Interrupted())
    with new_context(), ir.Location.unknown(), pytest.raises(KeyboardInterrupt):
        lowering.lower(ir.Module.create(), "builtin.module()", model="m")
    assert len(ended) == 1 and lowering._process is None
