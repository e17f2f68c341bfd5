"""Constants of the cycle model, each with the published row that it comes from.

`T` is docs/sources.md#timing, `S` docs/sources.md#simulator-semantics. All latencies are NPU cycles and all lengths are
32-bit words. The defaults are AIE2's at 1 GHz. Figures measured on Phoenix (npu1) stand for AIE2p as well where no other is
published.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from allo_air.arch.memory import LINE_BYTES, PAGE_BYTES, UNCACHED

JUMP = 6
"""Cycles of a taken jump, call or return (T: "jump/ret 6 incl. 5 delay slots"), the slots taken to be empty."""


@dataclass(frozen=True)
class Timing:
    """The timing of the simulator: rates, latencies, lengths of queues and FIFOs, controller and DDR."""

    stream_words_per_cycle: float = 1  # T: streams, AIE2 32 bit per cycle
    core_stream_fifo_words: float = 4  # S 18: switch slave FIFO 4 words
    dma_channel_start: float = 2  # T: xdna-emu channel_start
    dma_bd_setup: float = 4  # T: xdna-emu bd_setup
    dma_lock_acquire: float = 1  # T: xdna-emu lock acquire
    dma_lock_release: float = 1  # T: xdna-emu lock release
    dma_memory_latency: float = 5  # T: xdna-emu memory latency
    dma_mm2s_fill: float = 10  # T: golden traces, core release -> stream start 12, less one release and one acquire
    dma_bd_gap_s2mm: float = 0  # S: compute S2MM BD-to-BD period 8 and 16 for BDs of 8 and 16 words
    dma_bd_gap_mm2s: float = 1  # T: golden traces, gap between consecutive BDs 1 (period 513)
    s2mm_fifo_words: float = 16  # S 16: S2MM accepts about 16 words while its BD waits
    mm2s_staging_words: float = 12  # S 16: MM2S keeps about 12 words staged
    packet_arbitration: float = 1  # T: xdna-emu packet arbitration +1
    core_lock_issue: float = 8  # T: golden traces, EVENT_1 -> lock release 8
    core_lock_request: float = 3  # T: golden traces, LOCK_STALL begins 3 cycles after the lock instruction
    core_lock_wake: float = 3  # T: golden traces, last beat -> LOCK_STALL deasserts 9, less memory latency 5 and release 1
    core_lock_resume: float = 2  # T: golden traces, stall end -> INSTR_EVENT_0 2
    core_lock_return: float = 6  # T: golden traces, consecutive lock instructions 14 apart, less core_lock_issue
    core_stream_call: float = 1  # T: 1 word per cycle and port
    cascade_latency: float = 1  # S 23: one 512-bit register between neighbours
    cascade_depth: float = 2  # S 23
    shim_mm2s_overhead: float = 325  # T: xdna-emu shim per-task overhead MM2S
    shim_mm2s_cold: float = 1330  # T: xdna-emu shim cold start MM2S
    shim_mm2s_cold_late: float = 0.5  # T: first output object 1103-1126 after a cold start; the rest delays FINISHED_TASK
    shim_mm2s_decay: float = 0.31  # T: xdna-emu MM2S warm-up decays x0.31
    shim_mm2s_cycles_per_word: float = 1.0  # T: xdna-emu shim throughput 1 word per cycle; golden traces, bursts of 512 in 512
    shim_s2mm_overhead: float = 171  # S: shim S2MM 171 + 1.00 N
    shim_s2mm_cold: float = 341  # T: xdna-emu shim cold start S2MM
    shim_s2mm_cycles_per_word: float = 1.0  # S: shim S2MM 171 + 1.00 N
    shim_column_bytes_per_cycle: float = 0  # arch.memory, by sources.md#timing: both channels of a direction; 0 is no limit
    ddr_bytes_per_cycle: float = 32  # arch.memory, by sources.md#timing: while a run goes on, reads and writes together
    ddr_read_bytes_per_cycle: float = 0  # arch.memory, by sources.md#timing: the same of reads alone; 0 is no limit
    ddr_run_bytes: float = 0  # arch.memory, by sources.md#timing: bytes that could move while a run, or a page of one, begins
    ddr_line_words: float = LINE_BYTES / 4  # sources.md#device: shortest burst 64 bytes; a shorter run takes as long
    ddr_page_words: float = PAGE_BYTES / 4  # arch.memory: AXI's 4 KiB; T: of the rates of contiguous transfers
    ddr_uncached: float = UNCACHED  # T: 2417 us with AxCache 0, 2016 with 2
    ddr_refresh_interval: float = 3900  # JEDEC JESD209-5 (LPDDR5): a refresh every 3.9 us
    ddr_refresh: float = 195  # S: shim MM2S 747 + 1.05 N, the 5 % of it as a pause of reads at each refresh
    ddr_grant_words: float = 256  # granularity of this model, not of the hardware: words granted to a channel at once
    ddr_noise: float = 0  # share of the DDR latency that is exponentially distributed (S 31: stochastic, memoryless); 0 is off
    controller_write32: float = 100.5  # S: control sequence, write32
    controller_blockwrite: float = 86  # S: blockwrite of 8 words 203, less 8 times the next line
    controller_blockwrite_word: float = 14.6  # S: (203 - 100.5) / 7, one write32 being the transfer of one word
    controller_maskwrite: float = 210  # S: control sequence, maskwrite
    controller_patch: float = 771  # T: push to push of one dma_memcpy_nd after the other 1056-1094, less the other two writes
    controller_sync: float = 10  # T: xdna-emu NPU control packet or command, 10-12 each
    controller_other: float = 10  # T: xdna-emu NPU control packet or command, 10-12 each
    controller_push_interval: float = 3050  # S 28: pushes to the same idle queue arrive about 3050 cycles apart on Phoenix
    token_latency: float = 10  # T: xdna-emu NPU control packet 10-12
    token_tail: float = 8000  # S 29: tail of a sequence's last dma_wait, once per sequence; 0 is off
    burst: float = 1  # 1: words of steady streams move in blocks, same result and cycles; 0: one by one

    def as_dict(self) -> dict[str, float]:
        """All constants by name, as `_engine.Array` takes them."""
        return {name: float(value) for name, value in asdict(self).items()}

    def without_calls(self) -> Timing:
        """The same constants for cores that use locks by single instructions.

        Kernels of the golden traces call functions for locks (S: an out-of-line acquire or release takes about 13 cycles).
        Peano compiles mlir-aie's intrinsic to one instruction, so the call and the return, 6 cycles each (T: jump/ret), are
        subtracted.
        """
        return replace(self, core_lock_issue=self.core_lock_issue - JUMP, core_lock_return=self.dma_lock_release)


OF_THE_PROCESSOR = (
    *(f"controller_{n}" for n in ("write32", "blockwrite", "blockwrite_word", "maskwrite", "patch", "sync", "other")),
    "controller_push_interval",
    "shim_mm2s_overhead",
    "shim_mm2s_cold",
    "shim_s2mm_overhead",
    "shim_s2mm_cold",
    "token_tail",
)
"""Times in nanoseconds of the control processor and of the path to memory, which do not follow the array's clock; measured on
Phoenix at 1 GHz.

With these, launches on npu2 that move almost no data take the measured times: 71 us with 12 tasks and 84 us with 24.
"""

LAUNCH_MICROSECONDS = 45.0
"""Driver and firmware around one launch, as the host's clock sees it (T: one launch of an empty kernel); not part of cycle
counts, only of times."""

RECONFIGURE_MICROSECONDS = 654.0
"""Until the array runs another configuration, as the host's clock sees it (T: npu1 reconfigure); likewise."""


@dataclass(frozen=True)
class Overheads:
    """Times of the control processor and of the path to external memory that planners use, in nanoseconds."""

    push: float = 1075
    """From one channel of a shim to the next: copies of a runtime sequence start 1056 to 1094 apart (T)."""
    descriptor: float = 1000
    """A descriptor and its share of a task, as simulated: 927 with two alternating operands, 1013 with three."""
    task: float = 700
    """A task in a chain, without the writes that it shares with the tasks before it, as simulated."""
    cold: float = 1110
    """From the start of a cold channel to its first words: 1103 to 1126 (T)."""
    arrival: float = 2000
    """From the start of a cold channel until an operand's first words have come through L2 to a core, as simulated."""
    tail: float = Timing.token_tail
    """From the last result to the host's notice (S 29)."""


OVERHEADS = Overheads()
"""Times measured on Phoenix. Other devices without published times use them, too."""
