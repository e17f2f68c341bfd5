"""air-to-aie with use-objectfifo: what its devices compute once the fifos are buffers and locks."""

from typing import Any

import numpy as np

from allo_air import asm
from helpers import LIT, integers, piped

from .devices import executed

_OPTIONS = "device=npu1 row-offset=2 col-offset=0 emit-while-loop=true use-objectfifo=true logical-tiles=false"


def test_links_and_cores_move_what_channels_do(context: Any) -> None:
    text = (LIT / "passes/to_aie/air-to-aie/objectfifos.mlir").read_text().partition("// -----")[0]
    module = piped(f"air-to-aie{{{_OPTIONS}}},aie.device(aie-objectFifo-stateful-transform)", asm.read(text))
    given = integers(64)
    for seed in range(2):
        np.testing.assert_array_equal(executed(module, [given, np.zeros(64, np.int32)], seed), given)
