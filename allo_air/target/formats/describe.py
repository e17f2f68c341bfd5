"""The contents of a configuration file as text: every register write by tile, register and field; and the differences of two
files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import unified_diff

from allo_air.device import DEVICES, Device
from allo_air.errors import counted
from allo_air.target.bd_layout import decode
from allo_air.target.configuration.parts import Operation
from allo_air.target.formats.binary import FormatError, to_words
from allo_air.target.formats.cdo import read_cdo
from allo_air.target.formats.full_elf import UNCHECKED, is_full_elf, read_full_elf
from allo_air.target.formats.instruction_elf import is_instruction_elf, read_instruction_elf
from allo_air.target.formats.packets import is_packets, read_packets
from allo_air.target.formats.pdi import is_pdi, read_pdi
from allo_air.target.formats.txn import instructions_of, is_transaction
from allo_air.target.formats.xclbin import SECTIONS, is_xclbin, read_xclbin
from allo_air.target.npu_words import BlockWrite, Instruction, MaskWrite, Write
from allo_air.target.registers import PACKET_ENABLE, PROGRAM_MEMORY, SLOTS_PER_PORT, Register, port_name, registers

_CDO = 0x004F4443


def device_for(data: bytes) -> Device:
    """The NPU used to decode addresses; rows and kinds of tiles are the same on both."""
    return DEVICES["npu2"]


def describe(data: bytes) -> list[str]:
    """The parts and register writes of a CDO, TXN, PDI, xclbin or instruction ELF, one per line."""
    device = device_for(data)
    if is_xclbin(data):
        result = read_xclbin(data)
        lines = [f"xclbin {result.uuid}: columns {result.partition.width}, starts {list(result.partition.starts)}"]
        lines += [f"kernel {k['name']} id {k['id']}, {counted(k['arguments'], 'argument')}" for k in result.kernels]
        lines += [
            f"section {SECTIONS.get(kind, kind)}: {counted(len(section), 'byte')}" for kind, section in result.sections.items()
        ]
        return lines + [line for image in result.pdis for line in describe(image)]
    if is_pdi(data):
        operations = read_pdi(data).operations
        return [f"pdi: {counted(len(data), 'byte')}, {counted(len(operations), 'write')}", *written(device, operations)]
    if is_full_elf(data):
        whole = read_full_elf(data)
        lines = [f"full ELF: kernel {whole.kernel}, instance {whole.instance}, {counted(whole.columns, 'column')}; {UNCHECKED}"]
        lines += [
            f"relocation {offset:#x}: {name}, type {kind}, {counted(addend, 'byte')} on"
            for offset, name, kind, addend in whole.relocations
        ]
        for number, image in whole.pdis.items():
            lines += [f"configuration {number}", *describe(image)]
        return lines + list(written(device, instructions_of(whole.words)))
    if is_instruction_elf(data):
        elf = read_instruction_elf(data)
        lines = [
            f"instruction ELF: {counted(4 * len(elf.words), 'byte')} of text, {counted(len(elf.relocations), 'relocation')}"
        ]
        lines += [
            f"relocation {offset:#x}: argument {int(name) - 3}, {counted(addend, 'byte')} on"
            for offset, name, addend in elf.relocations
        ]
        return lines + list(written(device, instructions_of(elf.words)))
    if len(data) >= 8 and _CDO in (int.from_bytes(data[4:8], "little"), int.from_bytes(data[4:8], "big")):
        operations = read_cdo(data)
        return [f"cdo: {counted(len(data), 'byte')}, {counted(len(operations), 'write')}", *written(device, operations)]
    if not len(data) % 4 and is_transaction(words := to_words(data)):
        instructions = instructions_of(words)
        return [
            f"transaction: {counted(len(data), 'byte')}, {counted(len(instructions), 'instruction')}",
            *written(device, instructions),
        ]
    if is_packets(data):
        packets = read_packets(data)
        return [f"control packets: {counted(len(data), 'byte')}, {counted(len(packets), 'write')}", *map(str, packets)]
    raise FormatError("none of xclbin, PDI, CDO, transaction, control packets and instruction ELF")


def differences(old: bytes, new: bytes, names: tuple[str, str] = ("old", "new")) -> list[str]:
    """The lines of `describe` in which two files differ."""
    return list(unified_diff(describe(old), describe(new), *names, lineterm="", n=0))


def written(device: Device, operations: Iterable[Operation | Instruction]) -> Iterator[str]:
    """Each write with its tile, register and fields."""
    for operation in operations:
        match operation:
            case Write(address, value):
                yield from _registers(device, address, (value,), None)
            case MaskWrite(address, value, mask):
                yield from _registers(device, address, (value,), mask)
            case BlockWrite(address, data):
                yield from _registers(device, address, data, None)
            case _:
                fields = ", ".join(f"{name} {value}" for name, value in vars(operation).items())
                yield f"{type(operation).__name__.lower()}: {fields}"


def _registers(device: Device, address: int, data: tuple[int, ...], mask: int | None) -> Iterator[str]:
    column, row, offset = device.split(address)
    if not device.holds(column, row):
        yield f"({column}, {row}) {offset:#x}: outside of the array"
        return
    kind = device.kind(column, row)
    where = f"({column}, {row}) {kind}"
    under = "" if mask is None else f" under {mask:#x}"
    offset_in_data = 0
    while offset_in_data < len(data):
        place = offset + 4 * offset_in_data
        register, number = _register_at(kind, place)
        if register is None:
            memory = device.tile(column, row).memory
            name = "data memory" if place < memory else f"program memory {place - PROGRAM_MEMORY:#x}"
            is_memory = place < memory or (kind == "core" and PROGRAM_MEMORY <= place < PROGRAM_MEMORY + 0x4000)
            what = f"{name if is_memory else 'register'} {place:#x}"
            rest = len(data) - offset_in_data
            yield (
                f"{where} {what}: "
                + (counted(rest, "word") if rest > 1 else f"{data[offset_in_data] & 0xFFFFFFFF:#010x}")
                + under
            )
            return
        words = tuple(word & 0xFFFFFFFF for word in data[offset_in_data : offset_in_data + register.words])
        yield f"{where} {_called(register, number, kind)}: {_value_text(register, words, kind)}{under}"
        offset_in_data += register.words


def _register_at(kind: str, offset: int) -> tuple[Register | None, int]:
    for register in registers(kind):
        if (number := register.index(offset)) is not None and offset == register.offset + number * register.stride:
            return register, number
    return None, 0


def _called(register: Register, number: int, kind: str) -> str:
    if register.name in ("Master", "Slave"):
        bundle, channel = port_name(kind, number, master=register.name == "Master")
        return f"{register.name} {bundle} {channel}"
    if register.name == "Slot":
        bundle, channel = port_name(kind, number // SLOTS_PER_PORT, master=False)
        return f"Slot {number % SLOTS_PER_PORT} of {bundle} {channel}"
    return register.name if register.count == 1 else f"{register.name} {number}"


def _value_text(register: Register, words: tuple[int, ...], kind: str) -> str:
    if register.name == "BD" and len(words) == register.words:
        return " ".join(f"{name}={value}" for name, value in decode(kind, words).items() if value) or "0"
    fields = dict(register.fields)
    if register.name == "Master":
        for name in ("arbiter", "mselects", "drop_header") if not words[0] & PACKET_ENABLE else ("source",):
            fields.pop(name)
        if "source" in fields:
            bundle, channel = port_name(kind, fields.pop("source").of(words), master=False)
            return f"{words[0]:#010x} source={bundle}:{channel}"
    parts = [f"{name}={bits.of(words)}" for name, bits in fields.items() if bits.of(words)]
    return " ".join([f"{words[0]:#010x}", *parts])
