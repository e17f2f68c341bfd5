"""Names of the peers' passes that there is no pass for."""

import pytest

from allo_air.core.pipeline import parse
from allo_air.core.registry import Registry
from allo_air.errors import AlloAirError, UnknownNameError
from allo_air.passes._absent_passes import ABSENT


@pytest.mark.usefixtures("context")
def test_asking_for_one_says_what_it_is_and_what_to_use(registry: Registry) -> None:
    with pytest.raises(AlloAirError, match=r"there is no pass 'airrt-to-llvm': it calls .* use airrt-to-npu"):
        parse("builtin.module(canonicalize,airrt-to-llvm)", registry)
    with pytest.raises(AlloAirError, match="it is for GPUs"):
        registry.pass_class("air-to-rocdl")
    with pytest.raises(
        AlloAirError,
        match="there is no pass 'aie-vector-opt': mlir-aie has left it; it makes a core's code for Peano, which aiecc",
    ):
        registry.pass_class("aie-vector-opt")


@pytest.mark.usefixtures("context")
def test_names_never_heard_of_stay_unknown(registry: Registry) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'air-to-aie'"):
        registry.pass_class("air-to-aiee")


COMING = {
    "aie-decompose-large-dma-bd",
    "convert-aiex-to-emitc",
}  # fmt: skip
"""Names that may get a pass, which is then found before the answer."""


def test_no_name_is_both_absent_and_a_pass(registry: Registry) -> None:
    assert not (set(ABSENT) - COMING) & set(registry.pass_names())
