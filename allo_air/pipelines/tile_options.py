"""The options that all pipelines share that choose tiles."""

from dataclasses import dataclass

from allo_air.device import DEVICES, known_as
from allo_air.errors import OptionError, UnknownNameError, counted


def npu_name(device: str) -> str:
    """The name in `DEVICES` of the NPU `device`; UnknownNameError if there is none."""
    name = known_as(str(device))
    if name not in DEVICES or not DEVICES[name].is_npu:
        npus = [npu for npu, d in DEVICES.items() if d.is_npu]
        raise UnknownNameError("device", str(device), npus, f"there are {', '.join(npus)}")
    return name


@dataclass(frozen=True)
class TileOptions:
    """The device, and its usable columns and channels from external memory (0: all)."""

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    cols: int = 0
    """Columns of the array that may be used, 0 for all."""
    shim_channels: int = 0
    """Channels to and from external memory that may be used, 0 for all."""

    @property
    def l2_buffers(self) -> int:
        """Number of copies of each memtile buffer."""
        return 1

    def __post_init__(self) -> None:
        device = DEVICES[npu_name(self.device)]
        object.__setattr__(self, "cols", self._limited("cols", device.columns))
        object.__setattr__(
            self, "shim_channels", self._limited("shim_channels", self.cols * device.tiles["shim_noc"].channels[1])
        )

    def _limited(self, name: str, limit: int) -> int:
        """The value of an option, at most `limit`; 0 means `limit`."""
        value: int = getattr(self, name)
        if not 0 <= value <= limit:
            have = (
                f"{self.device} has {counted(limit, 'column')}"
                if name == "cols"
                else f"{self.cols} columns have {counted(limit, 'channel')}"
            )
            raise OptionError(f"option '{name.replace('_', '-')}' is {value}, and {have}: give 1 to {limit}, or 0 for all")
        return value or limit


@dataclass(frozen=True)
class BlockOptions:
    """Options that allow more rounding than the operands' type."""

    bfp16: bool = False
    """Multiply bf16 in AIE2p's block floating point, which rounds operands to blocks of 8 with one exponent."""
