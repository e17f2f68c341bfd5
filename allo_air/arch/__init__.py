"""The machine model: the capabilities, rates and limits of each generation of the array.

Figures name a section of docs/sources.md, or a source of their own. `allo_air.device` describes the tiles of devices.
"""

from collections.abc import Mapping
from types import MappingProxyType

from allo_air.arch.aie1 import AIE1
from allo_air.arch.aie2 import AIE2
from allo_air.arch.aie2p import AIE2P
from allo_air.arch.architecture import Architecture
from allo_air.arch.core import Contraction, Core
from allo_air.arch.machine import Machine, machine
from allo_air.arch.memory import ExternalMemory
from allo_air.arch.timing import Timing
from allo_air.device import ALIASES, DEVICES, Device, add_device
from allo_air.errors import AlloAirError

__all__ = [
    "ARCHITECTURES",
    "Architecture",
    "Contraction",
    "Core",
    "ExternalMemory",
    "Machine",
    "Timing",
    "arch_of",
    "core_of",
    "define",
    "defined",
    "machine_of",
]

ARCHITECTURES: Mapping[str, Architecture] = MappingProxyType({item.name: item for item in (AIE1, AIE2, AIE2P)})
"""By name, as in `Device.arch`."""

_GENERATIONS: dict[str, Architecture] = {}
"""The properties of devices that `define` added, by name."""


def define(device: Device, generation: Architecture) -> None:
    """Adds a device whose rates, clock and external memory are those of `generation`.

    Its cores run the instructions of `generation.name`, which must equal `device.arch`; compiled core code depends only on
    it. Raises AlloAirError if they differ, or if another device or generation is registered under the same name.
    """
    if generation.name != device.arch:
        raise AlloAirError(f"the cores of {device.name} are {device.arch}, those of its generation {generation.name}")
    registered = DEVICES.get(device.name)
    if device.name in ALIASES or registered not in (None, device) or (registered and arch_of(registered) != generation):
        raise AlloAirError(f"there is another device {device.name}; give this one a name of its own")
    if registered:
        return
    add_device(device)
    _GENERATIONS[device.name] = generation


def defined() -> str:
    """All data of the devices that `define` added, as text; empty if there are none."""
    results = [(DEVICES[name], sorted(DEVICES[name].tiles.items()), of) for name, of in sorted(_GENERATIONS.items())]
    return repr(results) if results else ""


def arch_of(device: Device) -> Architecture:
    """The generation of `device`."""
    return _GENERATIONS.get(device.name) or ARCHITECTURES[device.arch]


def machine_of(device: Device) -> Machine:
    """The machine model that planners use for `device`."""
    return machine(device, arch_of(device))


def core_of(arch: str) -> Core:
    """The core of generation `arch`; AlloAirError if there is no model of it."""
    core = ARCHITECTURES[arch].core
    if core is None:
        raise AlloAirError(f"there is no model of the cores of architecture '{arch}'")
    return core
