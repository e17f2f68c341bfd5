"""Random programs keep every order that can be told apart when they become asynchronous."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from air_programs import program
from allo_air import asm, interp
from allo_air.interp.allowances import Allowances, one_sided
from allo_air.passes._analysis.dependence import Dependence
from allo_air.passes.canonical.canonicalize import Canonicalize
from allo_air.passes.schedule.air_dependency import AirDependency
from allo_air.passes.schedule.air_dependency_canonicalize import AirDependencyCanonicalize
from bounds import bounded
from helpers import apply, drawn


def tags(text):
    return re.findall(r'tag = "(\d+)"', text)


def outcome(module, seed):
    """What the program's buffers hold and what its channels receive; a race is an error."""
    received = {}
    allow = Allowances(open=one_sided(interp.entry(module)))
    return [*interp.run(module, drawn(module), seed=seed, allow=allow, received=received), *received.values()]


@bounded(10)
@given(st.integers(0, 2**32), st.booleans())
@pytest.mark.usefixtures("context")
def test_no_order_is_lost(seed, late):
    text = program(seed, late=late)
    module = asm.read(text)
    wanted = [a.tolist() for a in outcome(module, 0)]
    apply(module, AirDependency())
    once = asm.write(module)
    assert tags(once) == tags(text), "an operation was lost or moved"
    assert [a.tolist() for a in outcome(module, 1)] == wanted
    assert asm.write(apply(module, AirDependency())) == once
    for step in (AirDependencyCanonicalize(), Canonicalize(), AirDependencyCanonicalize()):
        apply(module, step)
        assert [a.tolist() for a in outcome(module, 2)] == wanted, step.name


@pytest.mark.usefixtures("context")
def test_accesses_without_parts_are_of_the_same_buffers():
    def effects(summary):
        yield [(e.root, e.writes) for e in summary.effects]
        for _, inside in summary.blocks:
            for inner in inside:
                yield from effects(inner)

    for seed in range(5):
        module = asm.read(program(seed, late=False)).operation
        exact, whole = (Dependence(parts=parts).summary(module) for parts in (True, False))
        assert [[*dict.fromkeys(found)] for found in effects(exact)] == [*effects(whole)]
