"""`TraceConfig`: the size of a trace and its file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allo_air.aie.building.arguments import refuse

_IGNORED = ("trace_after_last_tensor", "last_tensor_shape", "last_tensor_dtype", "ddr_id")  # set by the run
_MISSING = {"enable_ctrl_pkts": "a trace holds no answers to control packets"}


@dataclass
class TraceConfig:
    """The settings of a trace: `iron.jit(trace_config=...)` writes the trace of each run to `trace_file`, one hexadecimal
    word per line."""

    trace_size: int
    trace_file: str = "trace.txt"

    def __init__(self, trace_size: int, trace_file: str = "trace.txt", **keywords: object):
        refuse(keywords, "TraceConfig", _IGNORED, _MISSING)
        self.trace_size, self.trace_file = trace_size, trace_file

    def write_trace(self, buffer: object) -> None:
        """Writes a trace."""
        write_out_trace(buffer, self.trace_file)

    def read_trace(self) -> Any:
        """The trace that was written last."""
        import numpy as np

        return np.array([int(line, 16) for line in Path(self.trace_file).read_text().split()], np.uint32)


def write_out_trace(trace: object, file_name: str) -> None:
    """Writes the words of a trace, one a line."""
    import numpy as np

    words = np.ascontiguousarray(trace).view(np.uint32)
    Path(file_name).write_text("".join(f"{int(w):08x}\n" for w in words))
