"""Pipeline air-bind, and stages that other pipelines share."""

from allo_air.core.named import NamedPipeline, Stage
from allo_air.passes.bind.air_copy_to_dma import AirCopyToDma
from allo_air.passes.bind.air_par_to_herd import AirParToHerd
from allo_air.passes.bind.air_par_to_launch import AirParToLaunch
from allo_air.passes.canonical.canonicalize import Canonicalize

CLEANUP = (Canonicalize(cse=True),)

BIND_PARALLEL = Stage("bind-parallel", "air", (AirParToHerd(depth=1), AirParToLaunch(has_air_segment=True)))
"""The outer parallel loop becomes a launch with a segment, and the inner one a herd."""

BIND_COPIES = Stage("bind-copies", "air", (AirCopyToDma(), *CLEANUP))
"""Copies between memory spaces become DMA copies, whose access patterns contain the views."""

AIR_BIND = NamedPipeline(
    name="air-bind",
    title="Binds tiled parallel loops and copies to launches, segments, herds and DMA copies",
    stages=(BIND_PARALLEL, BIND_COPIES),
)
