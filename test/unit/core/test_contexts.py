"""A context is used again where nothing refers to it, and where nothing was declared in it."""

import pytest

from allo_air.core import contexts
from allo_air.core.contexts import reused_context
from allo_air.dialects import xllvm
from allo_air.mlir import ir


@pytest.fixture(autouse=True)
def alone() -> None:
    contexts.retire_all()


def test_a_context_is_used_again_when_its_last_module_is_gone() -> None:
    context = reused_context()
    module, first = ir.Module.parse("module {}", context), id(context)
    del context
    assert id(reused_context()) != first
    del module
    assert id(reused_context()) == first


def test_a_type_keeps_its_context() -> None:
    kind = ir.Type.parse("i17", reused_context())
    assert reused_context() is not kind.context and str(kind) == "i17"


def test_declared_instructions_are_not_seen_by_others() -> None:
    context = reused_context()
    xllvm.declare(context, {"intr.of.a.test": (1, 1)})
    del context
    assert not reused_context().is_registered_operation("xllvm.intr.of.a.test")


def test_a_context_knows_no_unregistered_operations_again() -> None:
    context = reused_context()
    context.allow_unregistered_dialects = True
    del context
    assert not reused_context().allow_unregistered_dialects


def test_what_is_unique_in_a_context_goes_with_it() -> None:
    text = "#a = dense_resource<w> : tensor<1xi8>"
    assert reused_context(text) is not reused_context(text) and not contexts._entries
    for _ in range(contexts._USES):
        reused_context()
    assert not contexts._entries
