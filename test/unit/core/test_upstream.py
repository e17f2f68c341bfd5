"""MLIR's passes: what runs them is kept while its context lives."""

import gc
import weakref

import pytest

from allo_air.core import upstream
from allo_air.errors import OptionError
from allo_air.mlir import ir, new_context

TEXT = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  %1 = arith.addi %a, %a : i32\n  return %1 : i32\n}"


def test_what_runs_passes_goes_with_its_context() -> None:
    contexts = []
    for _ in range(3):
        context = new_context()
        with context:
            for _ in range(2):
                module = ir.Module.parse(TEXT)
                upstream.run_upstream(module, "canonicalize,cse")
                assert str(module).count("arith.addi") == 1
            assert upstream._managers is not None
            assert len(upstream._managers[1]) == 1
        contexts.append(weakref.ref(context))
        del context, module
        gc.collect()
        assert upstream._managers[1] == {}
    assert [found() for found in contexts] == [None] * 3


@pytest.mark.parametrize("factors", ["a", "4,x,2", "4,2", "0,4,2"])
def test_texts_that_are_to_be_numbers(factors: str) -> None:
    with new_context(), pytest.raises(OptionError, match=f"'block-factors' is '{factors}', expected 3 whole numbers"):
        upstream.anchor("linalg-block-pack-matmul", f"block-factors={factors}")
    with new_context():
        assert upstream.anchor("linalg-block-pack-matmul", "block-factors=4,4,2") == "builtin.module"
