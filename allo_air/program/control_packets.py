"""Runtime sequences of control packets: lowered before a run to transfers out of a host buffer, which is made here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allo_air.errors import AlloAirError

LOWER = (
    "builtin.module(aie.device("
    "aie-ctrl-packet-infer-tiles,aie-assign-tile-controller-ids,"
    "aie-generate-column-control-overlay{route-shim-to-tile-ctrl=true},aie-legalize-ctrl-packet))"
)
"""What gives the packets their way."""

SEND = "builtin.module(aie.device(aie-ctrl-packet-to-dma))"
"""What makes transfers of them."""


def lower_control_packets(module: Any, arrays: Sequence[Any], device: str | None, sequence: str | None) -> list[Any]:
    """`arrays` with the words of the control packets of the sequence behind them; the module's packets become transfers.

    Nothing happens where no sequence has control packets. AlloAirError where arrays of the other arguments are missing.
    """
    import numpy as np

    from allo_air.core.rewrite import walk_named
    from allo_air.device import DEVICES
    from allo_air.dialects._enums import DEVICE
    from allo_air.sim.source import choose
    from allo_air.target.control_packets import words_of

    if not walk_named(module, "aiex.control_packet"):
        return list(arrays)
    _run(LOWER, module)
    device_op, op = choose(module, device, sequence)
    words = words_of(device_op, op, DEVICES[DEVICE.keyword(device_op.device)])
    count = len(op.body.blocks[0].arguments)
    if words and len(arrays) != count:
        raise AlloAirError(
            f"{len(arrays)} arrays given; @{op.sym_name} takes {count}, and its control packets come behind them"
        )
    _run(SEND, module)
    return [*arrays, np.array(words, np.uint32).view(np.int32)] if words else list(arrays)


def _run(text: str, module: Any) -> None:
    from allo_air import asm
    from allo_air.core import driver, pipeline
    from allo_air.core.registry import Registry

    driver.run(pipeline.parse(text, Registry()), module, driver.Settings(verify=asm.verify, write=asm.write))
