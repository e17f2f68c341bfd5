"""The register writes of a file of any format."""

from __future__ import annotations

from collections.abc import Iterable

from allo_air.errors import counted
from allo_air.target.configuration.parts import Operation
from allo_air.target.formats.binary import FormatError, to_words
from allo_air.target.formats.cdo import read_cdo
from allo_air.target.formats.full_elf import is_full_elf, read_full_elf
from allo_air.target.formats.instruction_elf import is_instruction_elf, read_instruction_elf
from allo_air.target.formats.packets import PacketWrite, is_packets, read_packets
from allo_air.target.formats.pdi import is_pdi, read_pdi
from allo_air.target.formats.txn import instructions_of, is_transaction
from allo_air.target.formats.xclbin import is_xclbin, read_xclbin
from allo_air.target.npu_words import BlockWrite, MaskWrite, Write, fold


def writes_in(*files: bytes) -> list[Operation | PacketWrite]:
    """The writes of an xclbin, a PDI, a transaction, control packets, or CDO files in the order in which they are loaded."""
    return [operation for data in files for operation in _writes(data)]


def _writes(data: bytes) -> Iterable[Operation | PacketWrite]:
    if is_xclbin(data):
        images = read_xclbin(data).pdis
        if len(images) != 1:
            raise FormatError(f"has {counted(len(images), 'configuration')}, and one is expected")
        return read_pdi(images[0]).operations
    if is_pdi(data):
        return read_pdi(data).operations
    if not len(data) % 4 and is_transaction(words := to_words(data)):
        instructions = instructions_of(words)
        rest = [o for o in instructions if not isinstance(o, Write | MaskWrite | BlockWrite)]
        if rest:
            raise FormatError(f"has {counted(len(rest), 'instruction')} that write no register: it is a runtime sequence")
        return [o for o in instructions if isinstance(o, Write | MaskWrite | BlockWrite)]
    if is_packets(data):
        return read_packets(data)
    return read_cdo(data)


def instructions_in(data: bytes) -> list[int]:
    """The words of a runtime sequence, from insts.bin or an ELF of XRT's."""
    if is_full_elf(data):
        return list(read_full_elf(data).words)
    return list(read_instruction_elf(data).words) if is_instruction_elf(data) else fold(to_words(data), -1)


def configurations_in(data: bytes) -> dict[int, list[Operation | PacketWrite]]:
    """The register writes of each configuration in a full ELF or an xclbin, by its number, from 1."""
    images = read_full_elf(data).pdis if is_full_elf(data) else dict(enumerate(read_xclbin(data).pdis, 1))
    return {number: list(_writes(image)) for number, image in images.items()}


def holds_several(data: bytes) -> bool:
    """Whether a file has configurations by number: a full ELF, or an xclbin of several kernels."""
    return is_full_elf(data) or (is_xclbin(data) and len(read_xclbin(data).pdis) > 1)
