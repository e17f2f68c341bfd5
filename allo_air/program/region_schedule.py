"""`df.customize`: a region before it is built."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from allo_air.errors import AlloAirError
from allo_air.frontend.region import Region, read_region
from allo_air.program.region import build, device_of, lower_region


@dataclass
class RegionSchedule:
    """A region with its AIR; `build` takes the options of `df.build`. Its kernels are mapped as they are written."""

    region: Region

    @property
    def module(self) -> str:
        """The region as AIR, for the device that `df.build` takes where none is named."""
        return lower_region(read_region(self.region), device_of(None)).assembled.text

    @property
    def top_func_name(self) -> str:
        return self.region.__name__

    def build(self, target: str | None = None, mode: str | None = None, **options: Any) -> Any:
        """As `df.build`."""
        return build(self.region, target or "aie", mode or "csim", **options)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        raise AlloAirError(
            f"'{name}' is no step of a region's schedule: write the kernels' loops as they shall run, choose cores by their "
            "mapping, and put several on one core by mapping_primitives"
        )


def customize(func: Any, enable_tensor: bool = False, opt_default: bool = True) -> RegionSchedule:
    """What Allo's programs build a region through."""
    del enable_tensor, opt_default
    if not isinstance(func, Region):
        raise AlloAirError(f"df.customize takes a region, a function below @df.region(); found {func!r}")
    return RegionSchedule(func)
