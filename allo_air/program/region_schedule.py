"""`df.customize`: a region before it is built, to which schedule primitives can be applied."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from allo_air.errors import AlloAirError
from allo_air.frontend.processes import readable, scheduled_processes
from allo_air.frontend.region import Region, read_region
from allo_air.frontend.schedule.schedule import Schedule
from allo_air.program.hls import build_scheduled
from allo_air.program.region import build, device_of, lower_region
from allo_air.target.hls.flavors import FLAVORS

_STEPS = (
    "buffer_at", "compute_at", "dataflow", "fuse", "get_loops", "parallel", "partition", "pipeline", "reorder", "reuse_at",
    "split", "unroll",
)  # fmt: skip
"""The primitives that may be applied to a region's cores."""


@dataclass
class RegionSchedule:
    """A region with its AIR; `build` has the options of `df.build`. The array uses the kernels as they are written.

    Schedule primitives (`pipeline("gemm_0:k")`, `partition("top:A", dim=1)`) apply on the host and in C++, where each core is a
    function.
    """

    region: Region
    _cores: Schedule | None = field(default=None, repr=False)

    @property
    def module(self) -> str:
        """The region as AIR for the default device of `df.build`; as functions if the array rejects it."""
        if self._cores is not None:
            return str(self._cores.module)
        try:
            return lower_region(read_region(self.region), device_of(None)).assembled.text
        except AlloAirError:
            return str(scheduled_processes(readable(self.region)).module)

    @property
    def top_func_name(self) -> str:
        return self.region.__name__

    def build(self, target: str | None = None, mode: str | None = None, **options: Any) -> Any:
        """Builds the region, like `df.build`."""
        if self._cores is None or not self._cores.steps:
            return build(self.region, target or "aie", mode or "csim", **options)
        if target != "simulator" and target not in FLAVORS:
            raise AlloAirError(
                f"the region has steps of schedules ({self._cores.steps[0].text}), which target '{target or 'aie'}' has no use "
                "for: write the kernels' loops as they shall run there"
            )
        project, configs = options.pop("project", None), options.pop("configs", None)
        if unknown := sorted(options):
            raise AlloAirError(
                f"a region with steps of schedules takes target, mode, project and configs; found {', '.join(unknown)}"
            )
        return build_scheduled(self.region, self._cores, target, mode, project, configs)

    def __getattr__(self, name: str) -> Any:
        if name in _STEPS:
            if self._cores is None:
                self._cores = scheduled_processes(readable(self.region))
            return getattr(self._cores, name)
        if name.startswith("_"):
            raise AttributeError(name)
        raise AlloAirError(
            f"'{name}' is not a step of a region's schedule: write the kernels' loops as they shall run, choose cores by their "
            "mapping, and put several on one core by mapping_primitives"
        )


def customize(func: object, enable_tensor: bool = False, opt_default: bool = True) -> RegionSchedule:
    """The entry point that Allo's programs use to build a region."""
    del enable_tensor, opt_default
    if not isinstance(func, Region):
        raise AlloAirError(f"df.customize takes a region, a function below @df.region(); found {func!r}")
    return RegionSchedule(func)
