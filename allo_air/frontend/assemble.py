"""Puts the cores of a region together as AIR: a launch, a segment with the tensors in L2, a herd for each core, channels.

func.func @top(%t0, %t1)
  air.launch
    air.segment
      L2 buffers, copies of the tensors that are read
      air.channel.put of the part that each core reads; cores that read the same part share one put by broadcast
      air.herd @kernel_0_1 for each core: gets, the core's program, puts
      air.channel.get of the parts that cores write, copies of these tensors back
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from allo_air.device import Device
from allo_air.frontend.annotations import Declared
from allo_air.frontend.errors import KernelError
from allo_air.frontend.instances import Instance
from allo_air.frontend.numbers import mlir_type
from allo_air.frontend.placement import Cell, place
from allo_air.frontend.region import KernelSpec, Port, RegionSpec
from allo_air.frontend.types import ScalarType

FIRST_ROW = 2
"""The row of the first cores of an NPU."""

Part = tuple[int, tuple[int, ...], tuple[int, ...]]
"""A tensor's number, where the part begins, and its shape."""


def memref_text(element: ScalarType, shape: Sequence[int], space: int = 0) -> str:
    """The type as text."""
    sizes = "".join(f"{s}x" for s in shape)
    return f"memref<{sizes}{mlir_type(element)}{f', {space} : i32' if space else ''}>"


@dataclass
class Text:
    """Lines of a region that is isolated from above, with the index constants that it uses."""

    lines: list[str] = field(default_factory=list)
    constants: set[int] = field(default_factory=set)

    def index(self, number: int) -> str:
        """An index constant."""
        self.constants.add(number)
        return f"%k{number}"

    def add(self, line: str) -> None:
        self.lines.append(line)

    def text(self) -> str:
        """The constants, then the lines."""
        return "\n".join([*(f"%k{n} = arith.constant {n} : index" for n in sorted(self.constants)), *self.lines])


@dataclass
class Assembly:
    """Collects the parts of the module."""

    spec: RegionSpec
    channels: list[str] = field(default_factory=list)
    before: Text = field(default_factory=Text)
    herds: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    read: dict[int, None] = field(default_factory=dict)
    written: dict[int, None] = field(default_factory=dict)

    def channel(self, name: str) -> str:
        """A channel's name that no stream has."""
        taken = {line.split("@")[1].split(" ")[0] for line in self.channels}
        while name in taken:
            name = f"{name}_"
        return name


def strides_of(shape: Sequence[int]) -> list[int]:
    """Of a row-major array."""
    strides, size = [], 1
    for extent in reversed(shape):
        strides.append(size)
        size *= extent
    return strides[::-1]


def part_of(kernel: KernelSpec, port: Port, pid: tuple[int, ...]) -> Part:
    """What the core `pid` gets of the tensor behind a port."""
    return port.tensor, port.dealt.offsets(pid), port.dealt.local_shape()


def assemble(spec: RegionSpec, cores: list[tuple[KernelSpec, Instance]], device: Device) -> str:
    """The module as text, its herds placed on `device`."""
    made = Assembly(spec)
    readers, writers = _users(spec, cores)
    ends = _stream_ends(cores)
    for name in sorted(ends):
        made.channels.append(f"air.channel @{name} [1, 1]")
    cells = _cells(cores, list(ends.values()), device)
    gets: dict[tuple[int, int], str] = {}
    for number, (part, users) in enumerate(readers.items()):
        _feed(made, number, part, users, gets)
    puts: dict[tuple[int, int], str] = {}
    for number, (part, writer) in enumerate(writers.items()):
        _drain(made, number, part, writer, puts)
    for number, (kernel, instance) in enumerate(cores):
        made.herds.append(_herd(kernel, instance, number, gets, puts, cells[number]))
    return _module(made, cores)


def _users(
    spec: RegionSpec, cores: list[tuple[KernelSpec, Instance]]
) -> tuple[dict[Part, list[tuple[int, int]]], dict[Part, tuple[int, int]]]:
    """Who reads each part, and who writes it: a core's number and the number of its port."""
    readers: dict[Part, list[tuple[int, int]]] = {}
    writers: dict[Part, tuple[int, int]] = {}
    for number, (kernel, instance) in enumerate(cores):
        for index, port in enumerate(kernel.ports):
            part = part_of(kernel, port, instance.pid)
            if instance.reads[index]:
                readers.setdefault(part, []).append((number, index))
            if instance.writes[index]:
                clash = next((other for other in writers if _overlap(part, other)), None)
                if clash is not None:
                    first = cores[writers[clash][0]][1].name
                    name = list(spec.tensors)[port.tensor]
                    raise KernelError(
                        f"cores {first} and {instance.name} write parts of tensor '{name}' that overlap, from {clash[1]} "
                        f"and from {part[1]}; let one of them write, or cut the tensor by a layout"
                    )
                writers[part] = number, index
    return readers, writers


def _overlap(a: Part, b: Part) -> bool:
    """Whether two parts share elements."""
    return a[0] == b[0] and all(
        start < begin + extent and begin < start + size
        for start, size, begin, extent in zip(a[1], a[2], b[1], b[2], strict=True)
    )


def _stream_ends(cores: list[tuple[KernelSpec, Instance]]) -> dict[str, tuple[int, int]]:
    """The streams in use: the number of the core that puts, and of the one that gets."""
    ends: dict[str, tuple[list[int], list[int]]] = {}
    for number, (_, instance) in enumerate(cores):
        for name in instance.puts:
            ends.setdefault(name, ([], []))[0].append(number)
        for name in instance.gets:
            ends.setdefault(name, ([], []))[1].append(number)
    for name, (putting, getting) in ends.items():
        for who, others, does, other_does in (
            (putting, getting, "put to", "gets from"),
            (getting, putting, "get from", "puts to"),
        ):
            names = [cores[n][1].name for n in who]
            if not who:
                raise KernelError(f"stream '{name}': {cores[others[0]][1].name} {other_does} it, but no core does {does} it")
            if len(who) > 1:
                raise KernelError(
                    f"stream '{name}': {' and '.join(names[:3])} all {does} it; a stream has one core at each end"
                )
    return {name: (putting[0], getting[0]) for name, (putting, getting) in ends.items()}


def _cells(cores: list[tuple[KernelSpec, Instance]], links: list[tuple[int, int]], device: Device) -> list[Cell]:
    columns, rows = device.columns, len(device.core_rows)
    found = place(len(cores), links, columns, rows)
    if found is None:
        raise KernelError(
            f"{len(cores)} kernel instances for {columns * rows} cores of {device.name}; make the mappings smaller"
        )
    return found


def _access(text: Text, tensor: Declared, part: Part) -> str:
    shape = tensor.shape or ()
    _, start, sizes = part
    return " ".join(f"[{', '.join(text.index(n) for n in numbers)}]" for numbers in (start, sizes, strides_of(shape)))


def _feed(made: Assembly, number: int, part: Part, users: list[tuple[int, int]], gets: dict[tuple[int, int], str]) -> None:
    """A put of a part for all who read it."""
    made.read[part[0]] = None
    name, line = _transfer(made, f"in_{number}", "put", part, f"%l2_{part[0]}", len(users))
    made.before.add(line)
    gets |= {user: f"@{name}[%h0, %h{turn}]" for turn, user in enumerate(users)}


def _drain(made: Assembly, number: int, part: Part, user: tuple[int, int], puts: dict[tuple[int, int], str]) -> None:
    """A get of a part from who writes it."""
    made.written[part[0]] = None
    name, line = _transfer(made, f"out_{number}", "get", part, f"%l2_{part[0]}_out", 1)
    made.after.append(line)
    puts[user] = f"@{name}[%h0, %h0]"


def _transfer(made: Assembly, name: str, op: str, part: Part, buffer: str, count: int) -> tuple[str, str]:
    """A new channel to or from `count` cores, and the line that puts or gets `part` of a tensor's buffer in L2."""
    name = made.channel(name)
    made.channels.append(f"air.channel @{name} [1, 1]" + (f" {{broadcast_shape = [1, {count}]}}" if count > 1 else ""))
    kind = list(made.spec.tensors.values())[part[0]]
    at, zero = _access(made.before, kind, part), made.before.index(0)
    memref = memref_text(kind.element, kind.shape or (), 1)
    return name, f"air.channel.{op} @{name}[{zero}, {zero}] ({buffer}{at}) : ({memref})"


def _herd(
    kernel: KernelSpec,
    instance: Instance,
    number: int,
    gets: dict[tuple[int, int], str],
    puts: dict[tuple[int, int], str],
    cell: Cell,
) -> str:
    kinds = [memref_text(p.element, p.dealt.local_shape(), 2) for p in kernel.ports]
    lines = []
    for index, kind in enumerate(kinds):
        lines.append(f"%arg{index} = memref.alloc() : {kind}")
    for index, kind in enumerate(kinds):
        if (number, index) in gets:
            lines.append(f"air.channel.get {gets[number, index]} (%arg{index}[] [] []) : ({kind})")
    lines.append(instance.body)
    for index, kind in enumerate(kinds):
        if (number, index) in puts:
            lines.append(f"air.channel.put {puts[number, index]} (%arg{index}[] [] []) : ({kind})")
    lines += [f"memref.dealloc %arg{index} : {kind}" for index, kind in enumerate(kinds)]
    used = {int(c) for texts in (gets, puts) for (core, _), t in texts.items() if core == number for c in _constants(t)}
    head = [f"%h{c} = arith.constant {c} : index" for c in sorted(used)]
    attributes = [f"x_loc = {cell[0]} : i64", f"y_loc = {cell[1] + FIRST_ROW} : i64"]
    if instance.externals:
        attributes.append(f'link_with = "{next(iter(instance.externals))}.o"')
    marks = f"attributes {{{', '.join(attributes)}}}"
    return "\n".join([f"air.herd @{instance.name} tile (%tx, %ty) in (%sx=%one, %sy=%one) {marks} {{", *head, *lines, "}"])


def _constants(text: str) -> list[str]:
    import re

    return re.findall(r"%h(\d+)", text)


def _module(made: Assembly, cores: list[tuple[KernelSpec, Instance]]) -> str:
    tensors = list(made.spec.tensors.values())
    kinds = [memref_text(t.element, t.shape or ()) for t in tensors]
    l2 = [memref_text(t.element, t.shape or (), 1) for t in tensors]
    buffers = [(f"%l2_{t}", t) for t in made.read] + [(f"%l2_{t}_out", t) for t in made.written]
    inner = [f"{name} = memref.alloc() : {l2[t]}" for name, t in buffers]
    inner += [f"air.dma_memcpy_nd (%l2_{t}[] [] [], %s{t}[] [] []) : ({l2[t]}, {kinds[t]})" for t in made.read]
    inner += [made.before.text(), *made.herds, *made.after]
    inner += [f"air.dma_memcpy_nd (%s{t}[] [] [], %l2_{t}_out[] [] []) : ({kinds[t]}, {l2[t]})" for t in made.written]
    inner += [f"memref.dealloc {name} : {l2[t]}" for name, t in buffers]
    count = range(len(tensors))
    arguments = ", ".join(f"%t{i}: {kinds[i]}" for i in count)
    launch = ", ".join(f"%l{i}=%t{i}" for i in count)
    segment = ", ".join(f"%s{i}=%l{i}" for i in count)
    types = ", ".join(kinds)
    externals = {name for _, i in cores for name in i.externals}
    declarations = [_declaration(cores, name) for name in sorted(externals)]
    return "\n".join(
        [
            *made.channels,
            *declarations,
            f"func.func @{made.spec.source.name}({arguments}) {{",
            f"air.launch () in () args({launch}) : {types} {{",
            f"air.segment @{made.spec.source.name}_0 args({segment}) : {types} {{",
            "%one = arith.constant 1 : index",
            *inner,
            "}\n}\nreturn\n}",
        ]
    )


def _declaration(cores: list[tuple[KernelSpec, Instance]], name: str) -> str:
    import re

    for _, instance in cores:
        found = re.search(rf"call @{name}\([^)]*\) : \(([^)]*)\)", instance.body)
        if found:
            return f'func.func private @{name}({found[1]}) attributes {{llvm.emit_c_interface, link_with = "{name}.o"}}'
    raise AssertionError(name)
