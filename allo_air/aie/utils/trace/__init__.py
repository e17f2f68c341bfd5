"""Traces: programs set them up, the simulator records them in the hardware's format, and these functions read them."""

from allo_air.aie.utils.trace import events, parse
from allo_air.aie.utils.trace.config import TraceConfig, write_out_trace
from allo_air.aie.utils.trace.events import (
    CoreEvent,
    GenericEvent,
    MemEvent,
    MemTileEvent,
    MemTilePortEvent,
    PortEvent,
    ShimTileEvent,
)
from allo_air.aie.utils.trace.parse import get_trace_summary, parse_trace
from allo_air.aie.utils.trace.setup import (
    configure_packet_tracing,
    configure_packet_tracing_aie2,
    configure_packet_tracing_flow,
    configure_trace,
    gen_trace_done,
    gen_trace_done_aie2,
    start_trace,
)

__all__ = [
    "CoreEvent", "GenericEvent", "MemEvent", "MemTileEvent", "MemTilePortEvent", "PortEvent", "ShimTileEvent", "TraceConfig",
    "configure_packet_tracing", "configure_packet_tracing_aie2", "configure_packet_tracing_flow", "configure_trace", "events",
    "gen_trace_done", "gen_trace_done_aie2", "get_trace_summary", "parse", "parse_trace", "start_trace", "write_out_trace",
]  # fmt: skip
