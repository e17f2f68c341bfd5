"""xclbin files: a PDI with the tables by which XRT finds memories, kernels and arguments (docs/sources.md#packaging)."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from allo_air.arch import arch_of
from allo_air.device import DEVICES, Device
from allo_air.errors import counted
from allo_air.target.formats.binary import FormatError, Layout, aligned

MEM_TOPOLOGY, AIE_PARTITION, EMBEDDED_METADATA, IP_LAYOUT = 6, 32, 2, 8
CONNECTIVITY, GROUP_CONNECTIVITY, GROUP_TOPOLOGY = 7, 27, 26
SECTIONS = {
    MEM_TOPOLOGY: "MEM_TOPOLOGY", AIE_PARTITION: "AIE_PARTITION", EMBEDDED_METADATA: "EMBEDDED_METADATA",
    IP_LAYOUT: "IP_LAYOUT", CONNECTIVITY: "CONNECTIVITY", GROUP_CONNECTIVITY: "GROUP_CONNECTIVITY",
    GROUP_TOPOLOGY: "GROUP_TOPOLOGY",
}  # fmt: skip
"""Kinds of sections, in the order of the file."""

_MAGIC = b"xclbin2\0"
_HEADER = Layout(
    "magic:8s signature_length:i key:28s signature:256s id:Q length:Q time:Q feature_rom:Q patch:H major:B minor:B mode:H"
    " action:H interface:16s vbnv:64s uuid:16s debug:16s count:I :4x"
)
_SECTION = Layout("kind:I name:16s :4x offset:Q size:Q")
_MEMORY = Layout("kind:B used:B :6x size_kb:Q base:Q tag:16s")
_TRIPLE = Layout("argument:i ip:i memory:i")
_IP = Layout("kind:I properties:I base:Q name:64s")
_PARTITION = Layout(
    "version:B :3x name:I operations_per_cycle:I :4x inference:Q pre_post:Q width:H :6x start_count:I starts:I :72x"
    " pdi_count:I pdis:I commit:I :52x"
)
_PDI = Layout("uuid:16s size:I image:I group_count:I groups:I :64x")
_GROUP = Layout("name:I kind:B :3x pdi_id:Q kernel_count:I kernels:I pre_count:I pre:I :64x")
_COUNT = Layout("count:i :4x")

_DRAM, _PS_KERNEL, _PRIMARY = 2, 7, 1
_HOST, _SRAM = 0, 1
_MEMORIES = (("HOST", 0x10000), ("SRAM", 0xC000))
_BASE = 0x4000000
_OPERATIONS_PER_CYCLE, _INFERENCE, _PRE_POST, _PRE_GROUP = 2048, 23423, 12345, 0xC1
_VERSION = {"major": 2, "minor": 18, "patch": 0}
_GRAIN = 8
BUFFERS = 5
"""Least number of buffers of a kernel; aiecc always declares this number."""


@dataclass(frozen=True)
class Kernel:
    """A kernel for XRT: its names, its id, and its number of buffers."""

    name: str = "MLIR_AIE"
    instance: str = "MLIRAIE"
    id: int = 0x901
    buffers: int = BUFFERS
    functional: int = 0

    @property
    def arguments(self) -> list[tuple[str, str, int, int | None]]:
        """Name, type, offset and memory (None: a scalar) of each argument."""
        own: list[tuple[str, str, int, int | None]] = [
            ("opcode", "uint64_t", 0, None),
            ("instr", "char *", 8, _SRAM),
            ("ninstr", "uint32_t", 16, None),
        ]
        return own + [(f"bo{i}", "void*", 0x14 + 8 * i, _HOST) for i in range(self.buffers)]


@dataclass(frozen=True)
class Partition:
    """The number of columns of an xclbin, and the columns at which it may start."""

    width: int
    starts: tuple[int, ...]


def partition_of(device: Device) -> Partition:
    """The columns of `device`, and every column of the whole NPU at which so many columns can begin."""
    whole = max(d.columns for d in DEVICES.values() if d.is_npu and arch_of(d) is arch_of(device))
    return Partition(device.columns, tuple(range(whole - device.columns + 1)))


def _memories() -> bytes:
    entries = (
        _MEMORY.pack({"kind": _DRAM, "used": 1, "size_kb": size, "base": _BASE, "tag": tag.encode()}) for tag, size in _MEMORIES
    )
    return _COUNT.pack({"count": len(_MEMORIES)}) + b"".join(entries)


def _connectivity(kernels: Sequence[Kernel], times: int) -> bytes:
    triples = [
        {"argument": number, "ip": ip, "memory": memory}
        for ip, kernel in enumerate(kernels)
        for number, (*_, memory) in enumerate(kernel.arguments)
        if memory is not None
    ]
    triples = triples * times
    return len(triples).to_bytes(4, "little") + b"".join(map(_TRIPLE.pack, triples))


def _layout(kernels: Sequence[Kernel]) -> bytes:
    entries = []
    for kernel in kernels:
        properties = kernel.id << 16 | kernel.functional << 4 | 1
        name = f"{kernel.name}:{kernel.instance}".encode()
        entries.append(_IP.pack({"kind": _PS_KERNEL, "properties": properties, "base": (1 << 64) - 1, "name": name}))
    return _COUNT.pack({"count": len(kernels)}) + b"".join(entries)


def _metadata(kernels: Sequence[Kernel]) -> bytes:
    inner = []
    for kernel in kernels:
        inner += [
            f'        <kernel name="{kernel.name}" language="c" type="dpu">',
            f'          <extended-data subtype="1" functional="{kernel.functional}" dpu_kernel_id="{kernel.id:#x}"/>',
        ]
        for number, (name, kind, offset, memory) in enumerate(kernel.arguments):
            size = "0x4" if kind == "uint32_t" else "0x8"
            inner.append(
                f'          <arg name="{name}" addressQualifier="{int(memory is not None)}" id="{number}" size="{size}"'
                f' offset="0x{offset:02X}" hostOffset="0x0" hostSize="{size}" type="{kind}"/>'
            )
        inner += [f'          <instance name="{kernel.instance}"/>', "        </kernel>"]
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<project>", "  <platform>", "    <device>", "      <core>", *inner,
             "      </core>", "    </device>", "  </platform>", "</project>", ""]  # fmt: skip
    return "\n".join(lines).encode()


def _partition(partition: Partition, pdis: Sequence[tuple[bytes, Kernel, bytes]]) -> bytes:
    """The AIE_PARTITION section: a header, then a heap of items that it names by their offset."""
    heap = b""

    def put(item: bytes) -> int:
        nonlocal heap
        offset = aligned(len(heap), _GRAIN)
        heap = heap.ljust(offset, b"\0") + item
        return _PARTITION.size + offset

    name, commit = put(b"\0"), put(b"\0")
    starts = put(b"".join(s.to_bytes(2, "little") for s in partition.starts))
    records = b""
    for image, kernel, identity in pdis:
        image_offset = put(image)
        group = {"name": put(b"DPU\0"), "kind": _PRIMARY, "pdi_id": 1, "kernel_count": 1, "pre_count": 1}
        group["kernels"] = put(kernel.id.to_bytes(8, "little"))
        group["pre"] = put(_PRE_GROUP.to_bytes(8, "little"))
        groups = put(_GROUP.pack(group))
        records += _PDI.pack({"uuid": identity, "size": len(image), "image": image_offset, "group_count": 1, "groups": groups})
    header = {
        "name": name, "operations_per_cycle": _OPERATIONS_PER_CYCLE, "inference": _INFERENCE, "pre_post": _PRE_POST,
        "width": partition.width, "start_count": len(partition.starts), "starts": starts, "pdi_count": len(pdis),
        "commit": commit, "pdis": put(records),
    }  # fmt: skip
    return _PARTITION.pack(header) + heap


def sections(pdis: Sequence[tuple[bytes, Kernel, bytes]], partition: Partition) -> dict[int, bytes]:
    """The sections of an xclbin by kind; `pdis` holds the image, the kernel that runs on it, and the image's uuid."""
    if not partition.starts or not partition.width:
        raise FormatError(
            f"a partition of {counted(partition.width, 'column')} that begins at {list(partition.starts)} cannot be loaded"
        )
    kernels = [kernel for _, kernel, _ in pdis]
    results = {
        MEM_TOPOLOGY: _memories(),
        AIE_PARTITION: _partition(partition, pdis),
        EMBEDDED_METADATA: _metadata(kernels),
        IP_LAYOUT: _layout(kernels),
        CONNECTIVITY: _connectivity(kernels, 1),
        GROUP_CONNECTIVITY: _connectivity(kernels, 2),
        GROUP_TOPOLOGY: _memories(),
    }
    return {kind: results[kind] for kind in SECTIONS}


def container(parts: Mapping[int, bytes], *, identity: bytes, time: int = 0, names: Mapping[int, str] | None = None) -> bytes:
    """An xclbin with these sections."""
    offset = aligned(_HEADER.size + len(parts) * _SECTION.size, _GRAIN)
    heads, body = b"", b""
    for kind, data in parts.items():
        body = body.ljust(aligned(len(body), _GRAIN), b"\0")
        name = (names or {}).get(kind, "").encode()[:15]
        heads += _SECTION.pack({"kind": kind, "name": name, "offset": offset + len(body), "size": len(data)})
        body += data
    header = {
        "magic": _MAGIC, "signature_length": -1, "key": b"\xff" * 28, "signature": b"\xff" * 256, "id": time, "time": time,
        "length": offset + len(body), "uuid": identity, "count": len(parts), **_VERSION,
    }  # fmt: skip
    return (_HEADER.pack(header) + heads).ljust(offset, b"\0") + body


def xclbin(image: bytes, partition: Partition, kernel: Kernel | None = None, *, identity: str | None = None) -> bytes:
    """The xclbin of one PDI. If no uuid (`identity`) is given, it is derived from the PDI, so that files are reproducible."""
    result = uuid.UUID(identity) if identity else uuid.uuid5(uuid.NAMESPACE_OID, image.hex())
    parts = sections([(image, kernel or Kernel(), result.bytes)], partition)
    return container(parts, identity=result.bytes)


def xclbin_of_several(images: Sequence[tuple[bytes, Kernel]], partition: Partition) -> bytes:
    """The xclbin of several PDIs, each with the kernel that runs on it; kernels differ in name and id."""
    whole = uuid.uuid5(uuid.NAMESPACE_OID, b"".join(image for image, _ in images).hex())
    pdis = [(image, kernel, uuid.uuid5(whole, kernel.name).bytes) for image, kernel in images]
    return container(sections(pdis, partition), identity=whole.bytes)


@dataclass(frozen=True)
class Xclbin:
    """The contents of an xclbin."""

    uuid: str
    sections: dict[int, bytes]
    pdis: tuple[bytes, ...]
    partition: Partition
    kernels: tuple[dict[str, Any], ...] = field(default=())


def is_xclbin(data: bytes) -> bool:
    """Whether `data` begins as an xclbin."""
    return data.startswith(_MAGIC)


def read_xclbin(data: bytes) -> Xclbin:
    """Reads an xclbin; raises FormatError for other files, or if sections are outside of the file."""
    if not is_xclbin(data):
        raise FormatError("is not an xclbin: it does not begin with 'xclbin2'")
    header = _HEADER.read(data, 0, "the header")
    if header["length"] != len(data):
        raise FormatError(f"says that it has {counted(header['length'], 'byte')}, but has {len(data)}")
    results: dict[int, bytes] = {}
    for number in range(header["count"]):
        section = _SECTION.read(data, _HEADER.size + number * _SECTION.size, "a section's header")
        begin, end = section["offset"], section["offset"] + section["size"]
        if end > len(data):
            kind = SECTIONS.get(section["kind"], str(section["kind"]))
            raise FormatError(f"has section {kind} at {begin} to {end}, but {counted(len(data), 'byte')}")
        results[section["kind"]] = data[begin:end]
    pdis, partition = _read_partition(results.get(AIE_PARTITION, b""))
    identity = str(uuid.UUID(bytes=header["uuid"]))
    return Xclbin(identity, results, pdis, partition, _read_kernels(results.get(EMBEDDED_METADATA, b"")))


def _read_partition(data: bytes) -> tuple[tuple[bytes, ...], Partition]:
    if not data:
        raise FormatError("has no AIE_PARTITION section: it configures no array")
    header = _PARTITION.read(data, 0, "the partition")
    starts = [int.from_bytes(data[header["starts"] + 2 * i :][:2], "little") for i in range(header["start_count"])]
    images = []
    for number in range(header["pdi_count"]):
        record = _PDI.read(data, header["pdis"] + number * _PDI.size, "a PDI's record")
        images.append(data[record["image"] : record["image"] + record["size"]])
    return tuple(images), Partition(header["width"], tuple(starts))


def _read_kernels(data: bytes) -> tuple[dict[str, Any], ...]:
    kernels = []
    for kernel in re.findall(r"<kernel .*?</kernel>", data.decode(errors="replace"), re.DOTALL):
        attributes = dict(re.findall(r'(\w+)="([^"]*)"', kernel.partition("<arg")[0]))
        kernels.append(
            {"name": attributes.get("name"), "id": attributes.get("dpu_kernel_id"), "arguments": kernel.count("<arg ")}
        )
    return tuple(kernels)
