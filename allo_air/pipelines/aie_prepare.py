"""aie-prepare: the passes that a hand-written design needs before routing, simulation or translation, in mlir-aie's order."""

from dataclasses import dataclass
from typing import Literal

from allo_air.core.named import NamedPipeline, Stage
from allo_air.core.options import option
from allo_air.passes.objectfifo.aie_objectFifo_stateful_transform import AieObjectFifoStatefulTransform
from allo_air.passes.objectfifo.aie_objectFifo_unroll import AieObjectFifoUnroll
from allo_air.passes.objectfifo.aie_register_objectFifos import AieRegisterObjectFifos
from allo_air.passes.place.aie_place_tiles import AiePlaceTiles
from allo_air.passes.resources.aie_assign_bd_ids import AieAssignBdIds
from allo_air.passes.resources.aie_assign_buffer_addresses import AieAssignBufferAddresses
from allo_air.passes.resources.aie_assign_lock_ids import AieAssignLockIds
from allo_air.passes.resources.aie_lower_broadcast_packet import AieLowerBroadcastPacket
from allo_air.passes.resources.aie_lower_cascade_flows import AieLowerCascadeFlows
from allo_air.passes.resources.aie_lower_multicast import AieLowerMulticast


@dataclass(frozen=True)
class AiePrepareOptions:
    """How buffers are placed, and how objectFifos are lowered."""

    alloc_scheme: Literal["", "bank-aware", "basic-sequential"] = ""
    """How buffers are placed: spread over the banks, or consecutively; by default the first of these that fits."""
    dynamic_objFifos: bool = False
    """Cores select objects at run time instead of in unrolled loops."""
    packet_sw_objFifos: bool = False
    """Lower objectFifos to packet flows."""
    state: Literal["2026-03", "2026-08"] = "2026-03"
    """The version of aiecc whose pass order is used: of March or of August 2026."""


OBJECT_FIFOS = Stage(
    "object-fifos",
    "",
    (
        AiePlaceTiles(),
        "lower-affine",
        AieAssignLockIds(),
        AieRegisterObjectFifos(),
        AieObjectFifoStatefulTransform(
            dynamic_objFifos=option("dynamic_objFifos"), packet_sw_objFifos=option("packet_sw_objFifos"), state="2026-03"
        ),
    ),
    when=lambda values: values.state == "2026-03",
)
"""Lowers objectFifos to buffers, locks, DMA programs and flows."""

LOOP_CARRIED_FIFOS = Stage(
    "object-fifos",
    "",
    (
        AiePlaceTiles(),
        "lower-affine",
        AieObjectFifoStatefulTransform(packet_sw_objFifos=option("packet_sw_objFifos")),
        AieObjectFifoUnroll(default_dynamic=option("dynamic_objFifos")),
    ),
    when=lambda values: values.state == "2026-08",
)
"""The same in the order of August 2026: locks get their numbers together with those of the design."""

RESOURCES = Stage(
    "resources",
    "",
    (
        AieAssignLockIds(),
        AieAssignBdIds(),
        AieLowerCascadeFlows(),
        AieLowerBroadcastPacket(),
        AieLowerMulticast(),
        AieAssignBufferAddresses(alloc_scheme=option("alloc_scheme")),
    ),
)
"""Assigns numbers or addresses to locks, descriptors and buffers, and converts flows between circuit and packet flows."""

AIE_PREPARE = NamedPipeline(
    name="aie-prepare",
    title="Lowers objectFifos and assigns locks, descriptors and addresses of an AIE design",
    stages=(OBJECT_FIFOS, LOOP_CARRIED_FIFOS, RESOURCES),
    options=AiePrepareOptions,
)
