"""The AIE dialect: one class for each operation, by topic in the `_aie_*` modules."""

from __future__ import annotations

from allo_air.dialects._aie_dma import *  # noqa: F403
from allo_air.dialects._aie_objectfifo import *  # noqa: F403
from allo_air.dialects._aie_streams import *  # noqa: F403
from allo_air.dialects._aie_tiles import *  # noqa: F403
from allo_air.dialects._aie_trace import *  # noqa: F403
from allo_air.dialects._irdl import Dialect

AIE = Dialect(
    "aie",
    types={"objectfifo": 1, "objectfifosubview": 1},
    attributes={
        "packet_info": 2,
        "trace_event": 1,
        "bd_dim_layout": 2,
        "bd_dim_layout_array": 1,
        "bd_dim_layout_array_array": 1,
        "bd_pad_layout": 2,
        "bd_pad_layout_array": 1,
        "bd_pad_layout_array_array": 1,
        "bd_iteration": 3,
    },
)
