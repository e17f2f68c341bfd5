"""Writes the files that contain a whole configuration: PDI and xclbin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allo_air.target.configuration.parts import Configuration
from allo_air.target.formats.cdo import cdo_files
from allo_air.target.formats.pdi import pdi
from allo_air.target.formats.xclbin import BUFFERS, Kernel, partition_of, xclbin
from allo_air.target.sequences import sequences

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp


def pdi_of(configuration: Configuration) -> bytes:
    """The PDI of a configuration."""
    return pdi(list(cdo_files(configuration).values()))


def buffers_of(device_op: AnyOp) -> int:
    """Number of buffers of a device's kernel: the largest number of arguments of its sequences, and at least five, as in
    aiecc.
    """
    counts = [len(sequence.body.blocks[0].arguments) for sequence in sequences(device_op) if len(sequence.body.blocks)]
    return max([BUFFERS, *counts])


def xclbin_of(configuration: Configuration, device_op: AnyOp, kernel: Kernel | None = None) -> bytes:
    """The xclbin of a configuration, with one kernel that takes the buffers of the device's sequences."""
    return xclbin(pdi_of(configuration), partition_of(configuration.device), kernel or Kernel(buffers=buffers_of(device_op)))
