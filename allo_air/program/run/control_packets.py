"""Lowers control packets of runtime sequences before a run, to transfers from a host buffer with the packets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from allo_air.dialects.declarations import device_of
from allo_air.errors import AlloAirError, counted

if TYPE_CHECKING:
    import numpy as np

    from allo_air.mlir import AnyOp

LOWER = (
    "builtin.module(aie.device("
    "aie-ctrl-packet-infer-tiles,aie-assign-tile-controller-ids,"
    "aie-generate-column-control-overlay{route-shim-to-tile-ctrl=true},aie-legalize-ctrl-packet))"
)
"""Passes that route the packets."""

SEND = "builtin.module(aie.device(aie-ctrl-packet-to-dma))"
"""Passes that make transfers of them."""


def lower_control_packets(module: AnyOp, device: str | None, sequence: str | None) -> list[int]:
    """The words of a sequence's control packets. In `module`, they become transfers from an additional argument.

    Empty if the sequence has no control packets.
    """
    from allo_air.core.walking import walk_named
    from allo_air.target.control_packets import words_of
    from allo_air.target.sequences import choose_sequence

    if not walk_named(module, "aiex.control_packet"):
        return []
    run_passes(LOWER, module)
    device_op, op = choose_sequence(module, device, sequence)
    words = words_of(device_op, op, device_of(device_op))
    run_passes(SEND, module)
    return words


def with_packets(module: AnyOp, arrays: Sequence[np.ndarray | None], device: str | None, sequence: str | None) -> list[Any]:
    """`arrays` followed by a buffer with the sequence's control packets, which are lowered in `module`.

    Raises AlloAirError if arrays of other arguments are missing.
    """
    import numpy as np

    from allo_air.target.sequences import choose_sequence

    words = lower_control_packets(module, device, sequence)
    if not words:
        return list(arrays)
    _, op = choose_sequence(module, device, sequence)
    count = len(op.body.blocks[0].arguments) - 1
    if len(arrays) != count:
        raise AlloAirError(
            f"{counted(len(arrays), 'array')} given; @{op.sym_name} takes {count} and the buffer of its "
            "control packets, which is added automatically"
        )
    return [*arrays, np.array(words, np.uint32).view(np.int32)]


def run_passes(text: str, module: AnyOp) -> None:
    """Runs a pipeline (text) on `module`, and verifies after each pass."""
    from allo_air import asm
    from allo_air.core import driver, pipeline
    from allo_air.core.registry import Registry
    from allo_air.core.settings import Settings

    driver.run(pipeline.parse(text, Registry()), module, Settings(verify=asm.verify, write=asm.write))
