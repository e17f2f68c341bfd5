"""`pyxrt`, XRT's Python module, on the simulator. Calling a kernel runs a program that XRTBackend, aircc or aiecc compiled.

Buffers have two copies, as on an NPU: data that the host writes is on the device after a `sync` to it, and data that a kernel
writes is on the host after a `sync` from it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import IntEnum
from math import prod
from typing import Any

from allo_air.dtypes import numpy_dtype
from allo_air.errors import AlloAirError, counted

__version__ = "allo_air"


class xclBOSyncDirection(IntEnum):
    """The direction of `bo.sync`."""

    XCL_BO_SYNC_BO_TO_DEVICE = 0
    XCL_BO_SYNC_BO_FROM_DEVICE = 1
    XCL_BO_SYNC_BO_GMIO_TO_AIE = 2
    XCL_BO_SYNC_BO_AIE_TO_GMIO = 3


class ert_cmd_state(IntEnum):
    """The states of a run."""

    ERT_CMD_STATE_NEW = 1
    ERT_CMD_STATE_QUEUED = 2
    ERT_CMD_STATE_RUNNING = 3
    ERT_CMD_STATE_COMPLETED = 4
    ERT_CMD_STATE_ERROR = 5
    ERT_CMD_STATE_ABORT = 6
    ERT_CMD_STATE_SUBMITTED = 7
    ERT_CMD_STATE_TIMEOUT = 8
    ERT_CMD_STATE_NORESPONSE = 9


class xrt_info_device:
    """The information that `device.get_info` returns, an enumeration. One of its members is called `name`, like Python's
    attribute.
    """

    bdf = 0
    interface_uuid = 1
    kdma = 2
    max_clock_frequency_mhz = 3
    m2m = 4
    name = 5


globals().update({m.name: m for kind in (xclBOSyncDirection, ert_cmd_state) for m in kind})


class uuid:
    """An identifier of a program."""

    def __init__(self, text: str = ""):
        self._text = text

    def to_string(self) -> str:
        """The identifier as text."""
        return self._text

    def __str__(self) -> str:
        return self._text


class _XclbinKernel:
    def __init__(self, name: str):
        self._name = name

    def get_name(self) -> str:
        """The kernel's name."""
        return self._name

    def get_num_args(self) -> int:
        """The largest number of arguments of a call."""
        return 8


class xclbin:
    """A compiled program, read from its file."""

    def __init__(self, path: str | os.PathLike[str]):
        from allo_air.compat import package

        self._path = os.path.abspath(path)
        self._kernel, self._make = package.read(path)
        self._program: Any = None

    def program(self) -> Any:
        """The program, compiled at first use."""
        if self._program is None:
            self._program = self._make()
        return self._program

    def get_kernels(self) -> list[_XclbinKernel]:
        """The program's kernel, under its own name and under aiecc's."""
        return [_XclbinKernel(name) for name in dict.fromkeys([self._kernel, "MLIR_AIE"])]

    def get_uuid(self) -> uuid:
        """The identifier, for `device.register_xclbin` and `hw_context`."""
        return uuid(self._path)

    def get_xsa_name(self) -> str:
        """The platform."""
        return "allo_air simulator"


class elf(xclbin):
    """A compiled program in the format that also contains its instructions."""


class module:
    """The argument of `ext.kernel` for an ELF file."""

    def __init__(self, source: xclbin):
        self._source = source


class device:
    """An NPU."""

    def __init__(self, index: int | str = 0):
        self._index = index
        self._known: dict[str, xclbin] = {}

    def register_xclbin(self, binary: xclbin) -> uuid:
        """Registers a program, for `hw_context`."""
        self._known[str(binary.get_uuid())] = binary
        return binary.get_uuid()

    def load_xclbin(self, binary: xclbin | str) -> uuid:
        """Registers a program, or a file with one."""
        return self.register_xclbin(binary if isinstance(binary, xclbin) else xclbin(binary))

    def get_xclbin_uuid(self) -> uuid:
        """The identifier of the program that was registered last."""
        return uuid(next(reversed(self._known), ""))

    def get_info(self, what: int = xrt_info_device.name) -> str:
        """The device's name, or other information."""
        from allo_air.device import default_npu

        return {5: f"allo_air simulator of {default_npu()}", 0: "0000:c5:00.1"}.get(int(what), "")


def enumerate_devices() -> int:
    """The number of devices: one."""
    return 1


class hw_context:
    """A program on a device."""

    class access_mode(IntEnum):
        """The sharing mode of columns."""

        exclusive = 0
        shared = 1

    def __init__(self, where: device, what: uuid | elf | None = None, *_: object):
        if isinstance(what, xclbin):
            where.register_xclbin(what)
            what = what.get_uuid()
        identifier = where.get_xclbin_uuid() if what is None else what
        result = where._known.get(str(identifier))
        if result is None:
            raise RuntimeError("hw_context: no such xclbin; call device.register_xclbin(xclbin) before")
        self._device, self._binary = where, result


class bo:
    """A buffer with a copy on the host and one on the device."""

    class flags(IntEnum):
        """The memory of a buffer."""

        normal = 0
        cacheable = 1 << 24
        device_only = 1 << 28
        host_only = 1 << 29
        p2p = 1 << 30
        svm = 1 << 27

    normal, cacheable, device_only, host_only = flags.normal, flags.cacheable, flags.device_only, flags.host_only

    def __init__(self, where: object, size: int, kind: int = 0, group: int = 0):
        import numpy as np

        self._host: Any
        self._device: Any
        if isinstance(where, bo):  # a part of another: (buffer, size, offset)
            begin = int(kind)
            self._host, self._device = (a[begin : begin + int(size)] for a in (where._host, where._device))
            return
        count = size if isinstance(size, int) else int(np.prod(getattr(size, "shape", size)))
        self._host, self._device = np.zeros(count, np.uint8), np.zeros(count, np.uint8)
        self._group, self._flags = group, kind

    def size(self) -> int:
        """The size in bytes."""
        return int(self._host.size)

    def address(self) -> int:
        """A unique address of this buffer."""
        return int(self._device.ctypes.data)

    def map(self) -> memoryview:
        """The host's copy."""
        return memoryview(self._host)

    def write(self, data: Any, offset: int = 0) -> None:
        """Writes bytes or an array to the host's copy, from byte `offset` on."""
        import numpy as np

        raw = np.frombuffer(np.ascontiguousarray(data).tobytes() if hasattr(data, "dtype") else bytes(data), np.uint8)
        if offset + raw.size > self._host.size:
            raise RuntimeError(
                f"bo.write: {counted(raw.size, 'byte')} at {offset} do not fit a buffer of {counted(self._host.size, 'byte')}"
            )
        self._host[offset : offset + raw.size] = raw

    def read(self, size: int | None = None, offset: int = 0) -> Any:
        """A copy of bytes of the host's copy, as an array of int8."""
        import numpy as np

        end = self._host.size if size is None else offset + size
        if end > self._host.size:
            raise RuntimeError(f"bo.read: bytes {offset} to {end} of a buffer of {counted(self._host.size, 'byte')}")
        return self._host[offset:end].view(np.int8).copy()

    def sync(self, direction: Any, size: int | None = None, offset: int = 0) -> None:
        """Copies from host to device, or back."""
        part = slice(offset, None if size is None else offset + size)
        if int(direction) in (0, 2):
            self._device[part] = self._host[part]
        else:
            self._host[part] = self._device[part]


class kernel:
    """A program's kernel. A call runs it on buffers, and returns the finished run."""

    class cu_access_mode(IntEnum):
        """The sharing mode of the kernel."""

        exclusive = 0
        shared = 1
        none = 2

    def __init__(self, context: Any, what: Any, name: object = None, *_: object):
        binary = context._binary if isinstance(context, hw_context) else context._known.get(str(what))
        if isinstance(what, module):
            binary = what._source
        called = name if isinstance(name, str) else what if isinstance(what, str) else None
        if binary is None:
            raise RuntimeError("kernel: no program is loaded; call device.register_xclbin(xclbin) before")
        kernel_names = [k.get_name() for k in binary.get_kernels()]
        if called is not None and called.partition(":")[0] not in kernel_names and not isinstance(binary, elf):
            raise RuntimeError(f"kernel: no kernel '{called}' in the xclbin; it has {', '.join(kernel_names)}")
        self._binary = binary

    def group_id(self, number: int) -> int:
        """The memory of argument `number`."""
        return number

    def __call__(self, *arguments: object) -> run:
        result = run(self)
        result._arguments = dict(enumerate(arguments))
        result.start()
        return result


class run:
    """A call of a kernel."""

    def __init__(self, of: kernel):
        self._kernel = of
        self._arguments: dict[int, Any] = {}
        self._state = ert_cmd_state.ERT_CMD_STATE_NEW
        self.microseconds: float | None = None

    def set_arg(self, number: int, value: object) -> None:
        """Sets an argument."""
        self._arguments[number] = value

    def start(self, *_: object) -> None:
        """Runs the kernel to its end."""
        from allo_air.compat import scalars

        arguments = [self._arguments[i] for i in sorted(self._arguments)]
        program = self._kernel._binary.program()
        program = scalars.run(program, _arrays(_buffers(arguments), program))
        report = getattr(program, "_last_report", None)
        self.microseconds = None if report is None else float(report.microseconds)
        self._state = ert_cmd_state.ERT_CMD_STATE_COMPLETED

    def wait(self, *_: object) -> ert_cmd_state:
        """The state: completed."""
        return self._state

    def wait2(self, *_: object) -> None:
        """Returns at once, since the run has completed."""

    def state(self) -> ert_cmd_state:
        """The state of the run."""
        return self._state

    def get_ert_packet(self) -> None:
        """None: a run has no packet."""


def _buffers(arguments: Sequence[object]) -> list[bo | None]:
    """The buffers among the arguments of a call, which may begin with opcode, instructions and their number. None for 0."""
    if len(arguments) >= 3 and isinstance(arguments[0], int) and isinstance(arguments[1], bo) and isinstance(arguments[2], int):
        arguments = arguments[3:]
    elif arguments and isinstance(arguments[0], int):  # an ELF: opcode, 0, 0, and the buffers
        arguments = [g for g in arguments if isinstance(g, bo)]
    buffers = [g if isinstance(g, bo) else None for g in arguments]
    for value in arguments:
        if not isinstance(value, bo) and not (isinstance(value, int) and value == 0):
            raise AlloAirError(
                "a kernel's arguments are (opcode, instructions, count, buffers...) or buffers alone, with 0 for a spare "
                f"buffer; found {value!r}"
            )
    return buffers


def _arrays(buffers: Sequence[bo | None], program: Any) -> list[Any]:
    """An array for each argument of the program. A kernel in an xclbin has more buffers than a program may need: the others
    are spare, except for the last one, which is that of a trace. Buffers may be longer than their arguments.
    """
    declared = getattr(program, "arguments", None)
    if declared is None or len(buffers) < len(declared):
        return [b._device for b in buffers if b is not None]
    used = list(buffers[: len(declared)])
    sizes = [prod(a.shape) * numpy_dtype(a.element).itemsize for a in declared]
    if declared and declared[-1].element == "i8" and (used[-1] is None or used[-1].size() < sizes[-1]):
        used[-1] = next((b for b in reversed(buffers[len(declared) - 1 :]) if b is not None), None)
    for number, buffer in enumerate(used):
        if buffer is None:
            raise AlloAirError(
                f"argument {number} of the program is a buffer of {counted(sizes[number], 'byte')}; the call gives 0"
            )
    return [
        b._device[:size] if 0 < size < b.size() else b._device for b, size in zip(used, sizes, strict=True) if b is not None
    ]


class ext:
    """XRT's newer interface, for ELF files."""

    kernel = kernel
    bo = bo


class runlist:
    """Several runs, one after another."""

    def __init__(self, context: hw_context):
        self._runs: list[run] = []

    def add(self, added: run) -> None:
        """Appends a run."""
        self._runs.append(added)

    def execute(self) -> None:
        """Executes all runs."""
        for queued in self._runs:
            queued.start()

    def wait(self, *_: object) -> None:
        """Returns at once, since all runs have completed."""
