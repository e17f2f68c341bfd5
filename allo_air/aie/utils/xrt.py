"""Host functions of March 2026: `setup_aie`, `execute`, and traces at the end of the result buffer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.aie.building.arguments import refuse
from allo_air.aie.utils.hostruntime.running import DefaultNPURuntime, NPUKernel
from allo_air.aie.utils.trace.config import write_out_trace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import DTypeLike

__all__ = ["AIE_Application", "AIE_Buffer", "execute", "extract_trace", "setup_aie", "write_out_trace"]


class AIE_Buffer:
    """A buffer of a program's argument."""

    def __init__(
        self,
        application: AIE_Application,
        group_id: int,
        dtype: Any,
        shape: int | Sequence[int],
        name: str | None = None,
        **keywords: object,
    ):
        refuse(keywords, "AIE_Buffer")
        import numpy as np

        self.group_id, self.name = group_id, name
        self.data = np.zeros(shape, dtype)

    def read(self) -> Any:
        """A copy of the contents."""
        return self.data.copy()

    def write(self, v: object, offset: int = 0) -> None:
        """Puts elements into it."""
        import numpy as np

        flat = np.asarray(v, self.data.dtype).reshape(-1)
        self.data.reshape(-1)[offset : offset + flat.size] = flat

    def sync_to_device(self) -> None:
        """Host and device share the memory here."""

    sync_from_device = sync_to_device


class AIE_Application:
    """A program's files and its buffers, by their group id: 3 is the first argument."""

    def __init__(self, xclbin_path: str, insts_path: str, kernel_name: str = "MLIR_AIE"):
        self.kernel = NPUKernel(xclbin_path, insts_path, kernel_name)
        self.buffers: list[Any] = [None] * 8
        self._handle = DefaultNPURuntime.load(self.kernel)
        self.npu_time = 0.0  # microseconds of the last run, as predicted

    def register_buffer(self, group_id: int, *args: Any, **kwargs: Any) -> AIE_Buffer:
        """Creates a buffer."""
        self.buffers[group_id] = AIE_Buffer(self, group_id, *args, **kwargs)
        return self.buffers[group_id]

    def run(self) -> Any:
        """Runs the program on the buffers."""
        import numpy as np

        last = max((i for i, b in enumerate(self.buffers) if b is not None), default=2)
        blank = np.zeros(1, np.int8)
        arrays = [b.data if b is not None else blank for b in self.buffers[3 : last + 1]]
        result = DefaultNPURuntime.run(self._handle, arrays)
        self.npu_time = result.npu_time / 1e3
        return result


def setup_aie(
    xclbin_path: str,
    insts_path: str,
    in_0_shape: object,
    in_0_dtype: object,
    in_1_shape: object,
    in_1_dtype: object,
    out_buf_shape: Sequence[int],
    out_buf_dtype: DTypeLike,
    enable_trace: bool = False,
    kernel_name: str = "MLIR_AIE",
    trace_size: int = 16384,
    trace_after_output: bool = False,
    **keywords: object,
) -> AIE_Application:
    """A program with one or two inputs and an output."""
    refuse(keywords, "setup_aie", ignored=("verbosity",))
    import numpy as np

    app = AIE_Application(xclbin_path, insts_path, kernel_name)
    groups = iter(range(3, 8))
    for shape, dtype in ((in_0_shape, in_0_dtype), (in_1_shape, in_1_dtype)):
        if shape is not None and dtype is not None:
            app.register_buffer(next(groups), dtype, shape)
    if enable_trace and trace_after_output:
        length = int(np.prod(out_buf_shape)) * np.dtype(out_buf_dtype).itemsize + trace_size
        out_buf_shape, out_buf_dtype = (length,), np.uint8
    app.register_buffer(next(groups), out_buf_dtype, out_buf_shape)
    if enable_trace and not trace_after_output:
        app.register_buffer(next(groups), np.uint8, (trace_size,))
    return app


def execute(
    app: AIE_Application, ibuffer1: object = None, ibuffer2: object = None, enable_trace: bool = False, **keywords: object
) -> Any:
    """Runs a program on its inputs; the output, and with `enable_trace` the trace."""
    refuse(keywords, "execute", ignored=("trace_after_output", "verbosity"))
    buffers = [b for b in app.buffers if b is not None]
    values = [b for b in (ibuffer1, ibuffer2) if b is not None]
    for buffer, data in zip(buffers, values, strict=False):
        buffer.write(data)
    app.run()
    out = buffers[len(values)].read()
    return (out, buffers[-1].read()) if enable_trace and len(buffers) > len(values) + 1 else out


def extract_trace(out_buf: object, out_buf_shape: Sequence[int], out_buf_dtype: DTypeLike, trace_size: int) -> tuple[Any, Any]:
    """The results and the trace of a buffer that holds both."""
    import numpy as np

    length = int(np.prod(out_buf_shape)) * np.dtype(out_buf_dtype).itemsize
    flat = np.asarray(out_buf).reshape(-1).view(np.uint8)
    return flat[:length].view(out_buf_dtype).reshape(out_buf_shape), flat[length : length + trace_size].view(np.uint32)
