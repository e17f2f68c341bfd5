"""CDO files: the register writes of a configuration as the platform controller's commands (docs/sources.md#packaging)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from allo_air.device import Device
from allo_air.errors import counted
from allo_air.target.configuration.parts import Configuration, Operation
from allo_air.target.formats.binary import FormatError, checksum, to_bytes, to_words
from allo_air.target.npu_words import BlockWrite, MaskWrite, Write

WRITE64, MASK_WRITE64, DMA_WRITE, NOP = 0x108, 0x107, 0x105, 0x111
WRITE, MASK_WRITE, MASK_POLL64 = 0x103, 0x102, 0x106
NAMES = {
    WRITE64: "write64", MASK_WRITE64: "mask_write64", DMA_WRITE: "dma_write", NOP: "nop", WRITE: "write",
    MASK_WRITE: "mask_write", MASK_POLL64: "mask_poll64",
}  # fmt: skip

_MAGIC, _VERSION = 0x004F4443, 0x200
HEADER = 5
"""Words of a CDO's header."""

_LONG = 255
_ALIGNMENT = 4  # words


@dataclass(frozen=True)
class Command:
    """One command of a CDO."""

    id: int
    arguments: tuple[int, ...]

    @property
    def name(self) -> str:
        return NAMES.get(self.id, f"command {self.id:#x}")

    def words(self) -> list[int]:
        """The command after its length, which has a word of its own if it needs more than 8 bits."""
        count = len(self.arguments)
        head = [count << 16 | self.id] if count < _LONG else [_LONG << 16 | self.id, count]
        return [*head, *self.arguments]


def command_of(operation: Operation) -> Command:
    """The command for a register write."""
    match operation:
        case Write(address, value):
            return Command(WRITE64, (0, address, value))
        case MaskWrite(address, value, mask):
            return Command(MASK_WRITE64, (0, address, mask, value))
        case BlockWrite(address, data):
            return Command(DMA_WRITE, (0, address, *data))


def nops(words: int) -> Command | None:
    """A command that does nothing for `words` words; None for none."""
    return Command(NOP, (0,) * (words - 1)) if words else None


def cdo_words(operations: Iterable[Operation]) -> list[int]:
    """The words of a CDO that writes `operations`."""
    body = Command(NOP, ()).words()
    for operation in operations:
        command = command_of(operation)
        if command.id == DMA_WRITE:
            # the payload starts at a multiple of 16 bytes: the writer counts a long head where the data alone exceed 253 words
            head = 3 if len(command.arguments) <= _LONG else 4
            if (padding := nops(-(HEADER + len(body) + head) % _ALIGNMENT)) is not None:
                body += padding.words()
        body += command.words()
    return with_header(body)


def with_header(body: Sequence[int]) -> list[int]:
    """`body` after the header of a CDO."""
    header = [HEADER - 1, _MAGIC, _VERSION, len(body)]
    return [*header, checksum(header), *body]


def commands(words: Sequence[int]) -> Iterator[Command]:
    """The commands of a CDO; raises FormatError for other files and for truncated ones."""
    if len(words) < HEADER or words[1] != _MAGIC:
        raise FormatError("is not a CDO: the second word is not 'CDO'")
    if words[4] != checksum(words[:4]):
        raise FormatError(f"has header checksum {words[4]:#010x}, but its words sum to {checksum(words[:4]):#010x}")
    if len(words) < HEADER + words[3]:
        raise FormatError(f"says that {counted(words[3], 'word')} follow its header; it has {len(words) - HEADER}")
    offset, end = HEADER, HEADER + words[3]
    while offset < end:
        head = words[offset]
        start, count = offset + 1, head >> 16 & 0xFF
        if count == _LONG and start < end:
            start, count = offset + 2, words[offset + 1]
        if start + count > end:
            raise FormatError(f"ends inside the command at word {offset} ({head:#010x})")
        yield Command(head & 0xFFFF, tuple(words[start : start + count]))
        offset = start + count


def operation_of(command: Command) -> Operation | None:
    """The write of a command; None for a NOP, FormatError for a command that no configuration has."""
    arguments = command.arguments
    match command.id:
        case 0x108:
            return Write(arguments[1], arguments[2])
        case 0x107:
            return MaskWrite(arguments[1], arguments[3], arguments[2])
        case 0x105:
            return BlockWrite(arguments[1], arguments[2:])
        case 0x103:
            return Write(*arguments)
        case 0x102:
            return MaskWrite(arguments[0], arguments[2], arguments[1])
        case 0x111:
            return None
    raise FormatError(f"has {command.name}, which no configuration of an array has")


def read_cdo(data: bytes) -> list[Operation]:
    """The register writes of a CDO file."""
    words = to_words(data)
    if len(words) > 1 and int.from_bytes(data[4:8], "big") == _MAGIC:
        words = [int.from_bytes(data[offset : offset + 4], "big") for offset in range(0, len(data), 4)]
    return [operation for command in commands(words) if (operation := operation_of(command)) is not None]


def cdo_files(
    configuration: Configuration, *, unified: bool = False, big_endian: bool = False, cores: bool = True
) -> dict[str, bytes]:
    """The CDO files of a configuration by their names, as mlir-aie names them; one file if `unified`."""
    name = configuration.name
    parts = {f"_{part}": operations for part, operations in configuration.parts.items() if cores or part != "enable"}
    if unified:
        parts = {"": tuple(operation for operations in parts.values() for operation in operations)}
    files = {f"{name}_aie_cdo{part}.bin": to_bytes(cdo_words(operations)) for part, operations in parts.items()}
    return {file: _swapped(data) if big_endian else data for file, data in files.items()}


def _swapped(data: bytes) -> bytes:
    return b"".join(data[offset : offset + 4][::-1] for offset in range(0, len(data), 4))


def transaction(device: Device, operations: Iterable[Operation]) -> list[Operation]:
    """Converts a configuration to the operations of a transaction; a write without a mask writes the whole register."""
    return [Write(o.address, o.value) if isinstance(o, MaskWrite) and not o.mask else o for o in operations]
