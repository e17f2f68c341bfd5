"""The errors of schedules, under the names that Allo's programs import."""

from allo_air.errors import AlloAirError, AlloValueError
from allo_air.frontend.errors import KernelError

AlloError = APIError = AssertError = DeviceError = TensorError = AlloAirError
DTypeError = KernelError

__all__ = ["APIError", "AlloError", "AlloValueError", "AssertError", "DTypeError", "DeviceError", "TensorError"]
