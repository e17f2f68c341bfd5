"""Pipeline attention: softmax(f(Q K^T)) V on tensors to the AIE dialect and its runtime sequence. Scores never leave the
array.
"""

from dataclasses import dataclass, replace

from allo_air.core.named import Stage, late
from allo_air.core.options import option
from allo_air.pipelines.npu import NPU, NpuOptions
from allo_air.pipelines.presets import preset


@dataclass(frozen=True)
class AttentionOptions(NpuOptions):
    """The options of `npu`, and the queries per core and keys per step (0: planned)."""

    queries: int = 0
    """Queries of a core, 0 for the best."""
    keys: int = 0
    """Keys of a step, 0 for the best."""


_PRESET = preset(
    NPU,
    "attention",
    "From softmax(f(Q K^T)) V on tensors to AIE devices and a runtime sequence; the scores never leave the cores",
    AttentionOptions,
    keep={"partition": (), "plan": ("pad-families",), "layouts": (), "relayouts": ()},
)
_NAMES = ("device", "cols", "queries", "keys", "bfp16")
_PLAN = Stage("plan-attention", "linalg", (late("plan-attention", strict=True, **{name: option(name) for name in _NAMES}),))

ATTENTION = replace(_PRESET, stages=(_PLAN, *_PRESET.stages), scheduled=None)
