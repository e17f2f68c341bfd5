"""The options of pipeline air-npu: those of MLIR-AIR's driver, and the device."""

from dataclasses import dataclass
from typing import Literal

from allo_air.arch import arch_of
from allo_air.arch.limits import STACK_BYTES
from allo_air.device import DEVICES
from allo_air.errors import OptionError


@dataclass(frozen=True)
class AirNpuOptions:
    """The options of MLIR-AIR's driver, and `device`.

    The pipeline uses `cols` columns and `rows` rows of the array from `col_offset` and `row_offset` on (0: all from there, and
    the first row of cores; rows count from the shims' row).
    """

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""
    cols: int = 0
    """Columns of the array that may be used, 0 for all."""
    rows: int = 0
    """Rows of cores in a column that may be used, 0 for all."""
    row_offset: int = 0
    """The first row of the array that may be used, counted from the shims'; 0 for the first row of cores."""
    col_offset: int = 0
    """The first column of the array that may be used."""
    omit_ping_pong: Literal["", "L1", "L2", "all"] = ""
    """The memory whose buffers are not doubled, or all."""
    omit_auto_broadcast: bool = False
    """Do not turn copies of the same data to several cores into broadcasts."""
    air_loop_fusion: bool = False
    """Fuse the loops that fill and drain L2 buffers, and shrink the buffers."""
    channel_multiplexing: tuple[str, ...] = ()
    """Memories (L1, L2, L3) whose channels are shared if possible."""
    lower_linalg_to_func: str = ""
    """The object file of the kernels that linalg operations call; without it they become loops."""
    linalg_functions: tuple[str, ...] = ()
    """The functions in that file; operations without a function become loops. By default every operation becomes a call."""
    core_code: Literal["kept", "improved"] = "kept"
    """The code of the cores: the program's code unchanged (kept), or vectorized and blocked for the device (improved)."""
    runtime_loop_tiling_sizes: tuple[int, ...] = ()
    """Sizes that tile and unroll the loops of launches."""
    omit_while_true_loop: bool = False
    """Cores run their program once instead of in an endless loop."""
    stack_size: int = STACK_BYTES
    """Bytes of each core's stack."""
    trace_size: int = 0
    """Bytes of the trace buffer, an additional argument of the sequence; 0 for no trace."""
    trace_offset: int = 0
    """Offset of the trace in that argument, in bytes."""
    output_elf: bool = False
    """Add the device @main, whose sequences configure the others and run theirs."""
    output_format: Literal["xclbin", "elf", "pdi", "txn"] = "xclbin"
    """The package to make from the result; elf is the same as output-elf, on npu2 only, and the others need the same IR."""
    placed_ir_verifiers: Literal["off", "warn", "error"] = "off"
    """Severity if it is undecided whether instances overwrite each other's memory; if they do, it is an error."""
    use_lock_race_condition_fix_v2: bool = False
    """A chain of locks orders the writers or readers of an L2 buffer."""
    coalesce_shim_dma: bool = False
    """With order=written, merge consecutive host transfers of a paced channel."""
    shift_rounding: Literal["floor", "hardware", "positive-inf", "conv-even"] = "floor"
    """How right shifts of i32 round: as arith.shrsi (floor), or as in cores compiled by mlir-air's tool chain, which also
    saturate."""
    order: Literal["auto", "planned", "written"] = "auto"
    """The order of host transfers: planned so that it does not hang, or as written, as in mlir-air; auto is written with
    runtime-loop-tiling-sizes, else planned."""
    emit_txn_cpp: bool = False
    """Not supported: instruction words as a function in C++."""

    def __post_init__(self) -> None:
        if self.emit_txn_cpp:
            raise OptionError(
                "option 'emit-txn-cpp' asks for instruction words as a function in C++, which no pipeline makes: leave it out,"
                " compile the program, and convert the result with allo-translate --aie-npu-to-cpp"
            )
        if self.device not in DEVICES:
            return
        device = DEVICES[self.device]
        if self.output_format == "elf" and not arch_of(device).loads_elf:
            raise OptionError(f"option 'output-format' is elf, which {self.device} does not load: use xclbin, or an npu2")
        object.__setattr__(self, "cols", self.cols or device.columns - self.col_offset)
        object.__setattr__(self, "row_offset", self.row_offset or device.core_rows.start)
        object.__setattr__(self, "rows", self.rows or device.rows - self.row_offset)

    @property
    def shim_channels(self) -> int:
        """The number of channels from external memory in the columns."""
        return 2 * self.cols

    @property
    def sequence_order(self) -> Literal["planned", "written"]:
        """The order of the host's transfers."""
        if self.order != "auto":
            return self.order
        return "written" if any(self.runtime_loop_tiling_sizes) else "planned"

    @property
    def elf(self) -> bool:
        """Whether a main device loads the others."""
        return self.output_elf or self.output_format == "elf"

    @property
    def strict(self) -> bool:
        """Whether a question that a verifier cannot decide is an error."""
        return self.placed_ir_verifiers == "error"

    @property
    def omitted_space(self) -> str:
        """The memory whose buffers are not doubled."""
        return self.omit_ping_pong.removeprefix("all")

    @property
    def emit_while_loop(self) -> bool:
        """Whether cores start again when they have finished."""
        return not self.omit_while_true_loop

    @property
    def use_lock_race_condition_fix(self) -> bool:
        """Whether one agent acquires each lock: the default, unless version 2 is chosen."""
        return not self.use_lock_race_condition_fix_v2

    @property
    def traces(self) -> bool:
        """Whether cores trace."""
        return self.trace_size > 0
