"""What listens to diagnostics lets go of everything when it is done."""

import gc
import weakref
from pathlib import Path

from allo_air.core.diagnostics import Listener, emit
from allo_air.errors import Diagnostic
from allo_air.mlir import new_context
from allo_air.tools.allo_opt import main


class _Heard(list[Diagnostic]):
    """A list that can be watched."""


def test_nothing_is_kept_of_a_listener():
    """MLIR holds what it calls where Python's collector does not see it: a circle through it would never be freed."""
    heard = _Heard()
    watched = weakref.ref(heard)
    with new_context() as context, Listener(context, heard.append):
        emit(Diagnostic("warning", "f.mlir", 1, 1, "look"))
    assert [d.message for d in heard] == ["look"]
    del heard, context
    gc.collect()
    assert watched() is None


def test_a_run_of_allo_opt_leaves_no_objects(tmp_path: Path):
    source = tmp_path / "f.mlir"
    source.write_text("func.func @f(%a: i32) -> i32 { return %a : i32 }")

    def objects() -> int:
        assert main([str(source), "--canonicalize", "--cse", "-o", str(tmp_path / "out.mlir")]) == 0
        gc.collect()
        return len(gc.get_objects())

    objects()
    first = objects()
    assert objects() - first < 10
