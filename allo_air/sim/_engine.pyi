"""The simulator's engine in C++: memories, locks, DMA channels, streams, controller and core fibres, advanced in cycles.

Units are bytes for memory offsets and sizes, 32-bit words for BDs and streams, and NPU cycles for time. Offsets are those of a
tile's own data memory (0 is its first byte), without the base at which cores or memtile DMAs see it. Numbers that do not apply
are -1. A wrong argument (no such tile, a second route of one source, ...) raises ValueError; what a design does wrong while it
runs is a Finding.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

S2MM: int  # 0
MM2S: int  # 1

class Agent:
    """Who did it: a core, a DMA channel, the controller (instruction words), or the host (configuration)."""

    @property
    def col(self) -> int: ...
    @property
    def row(self) -> int: ...
    @property
    def unit(self) -> str: ...  # 'core' | 'dma' | 'controller' | 'stream' | 'lock' | 'host'
    @property
    def direction(self) -> int: ...  # 0 S2MM, 1 MM2S; of unit 'dma'
    @property
    def channel(self) -> int: ...
    @property
    def bd(self) -> int: ...
    @property
    def site(
        self,
    ) -> (
        int
    ): ...  # core: index of the site given to the symbol; controller, and a task that is lost: word offset of the instruction

class Finding:
    """One defect of the design; equal ones (kind, agent, other, buffer, lock) are reported once and counted."""

    @property
    def kind(self) -> str: ...  # one of FINDING_KINDS
    @property
    def cycle(self) -> int: ...
    @property
    def agent(self) -> Agent: ...
    @property
    def other(self) -> Agent | None: ...  # the other party of a data race
    @property
    def col(self) -> int: ...  # tile whose memory, lock or channel is meant
    @property
    def row(self) -> int: ...
    @property
    def lock(self) -> int: ...
    @property
    def address(self) -> int: ...  # byte offset in the tile's (or host buffer's) memory, or a register address
    @property
    def bytes(self) -> int: ...
    @property
    def buffer(self) -> str: ...  # name of the buffer at `address`, or ''
    @property
    def argument(self) -> int: ...  # host buffer
    @property
    def value(self) -> int: ...  # what was found (lock value, words left over, queue length, ...)
    @property
    def wanted(self) -> int: ...  # what is allowed
    @property
    def access(self) -> str: ...  # 'read' | 'write' | ''
    @property
    def other_access(self) -> str: ...
    @property
    def detail(self) -> str: ...  # a plain sentence that says what is wrong, without source locations
    @property
    def cause(self) -> str: ...  # of 'channel-misuse': which of them ('queue-full', 'no-flow', ...), see allo_air.sim.hints
    @property
    def count(self) -> int: ...
    @property
    def same(self) -> int: ...  # of a race: how often the write left the word as it was
    @property
    def differs(self) -> int: ...  # ... and how often it did not

class Step:
    """One step back on the way of a byte: who wrote it, and for a DMA who sent it from where."""

    @property
    def kind(self) -> str: ...  # 'store' (a core or the sequence) | 'move' (a DMA)
    @property
    def agent(self) -> Agent: ...
    @property
    def other(self) -> Agent: ...  # of 'move': the sender
    @property
    def task(self) -> int: ...  # of 'move': word offset of the instruction that queued the task, -1 for the configuration's
    @property
    def other_task(self) -> int: ...
    @property
    def cycle(self) -> int: ...
    @property
    def source(
        self,
    ) -> tuple[str, int, int, int, int]: ...  # of 'move': '' | 'padding' | 'tile' | 'host', col, row, argument, byte offset

FINDING_KINDS: tuple[str, ...]
# 'uninitialized-read', 'out-of-buffer', 'data-race', 'lock-overflow', 'lock-underflow', 'unconsumed-stream-data', 'channel-
# misuse',
# 'sync-without-end', 'host-out-of-bounds', 'bad-instruction', 'deadlock'

class Wait:
    """One agent that cannot go on when the simulation ends."""

    @property
    def agent(self) -> Agent: ...
    @property
    def kind(self) -> str: ...
    # 'lock' (col, row, lock, value, action, wanted), 'stream-empty', 'stream-full' (words: moved so far in the BD; wanted:
    # length of the BD),
    # 'cascade-empty', 'cascade-full', 'token' (col, row, direction, channel), 'arbiter'
    @property
    def since(self) -> int: ...  # cycle
    @property
    def col(self) -> int: ...  # of the lock or of the tile whose token is awaited
    @property
    def row(self) -> int: ...
    @property
    def lock(self) -> int: ...
    @property
    def action(self) -> int: ...  # 0 acquire equal, 2 acquire greater or equal
    @property
    def value(self) -> int: ...  # of the lock now
    @property
    def wanted(self) -> int: ...
    @property
    def direction(self) -> int: ...
    @property
    def channel(self) -> int: ...
    @property
    def words(self) -> int: ...
    @property
    def ports(
        self,
    ) -> list[tuple[int, int, str, int]]: ...  # of 'stream-full' the full destinations, of 'stream-empty' the sources

class LockUse:
    """What happened to one lock over the run: who took and gave how often; for the explanation of a deadlock."""

    @property
    def col(self) -> int: ...
    @property
    def row(self) -> int: ...
    @property
    def lock(self) -> int: ...
    @property
    def initial(self) -> int: ...
    @property
    def value(self) -> int: ...
    @property
    def acquires(self) -> list[tuple[Agent, int]]: ...  # (agent, times); agents differ by unit, channel and BD or site
    @property
    def releases(self) -> list[tuple[Agent, int]]: ...

class CoreCounters:
    @property
    def col(self) -> int: ...
    @property
    def row(self) -> int: ...
    @property
    def finished(self) -> bool: ...  # the core's program came to its end
    @property
    def last_cycle(self) -> int: ...  # end of its last activity
    @property
    def busy(self) -> int: ...  # cycles of allo_sim_work and kernels
    @property
    def call(self) -> int: ...  # cycles of lock, stream and cascade instructions themselves
    @property
    def lock_stall(self) -> int: ...
    @property
    def stream_stall(self) -> int: ...
    @property
    def cascade_stall(self) -> int: ...
    @property
    def macs(self) -> int: ...
    @property
    def vector_cycles(self) -> int: ...
    @property
    def regions(self) -> dict[int, tuple[int, int]]: ...  # region -> (times, cycles)

class ChannelCounters:
    @property
    def col(self) -> int: ...
    @property
    def row(self) -> int: ...
    @property
    def direction(self) -> int: ...
    @property
    def channel(self) -> int: ...
    @property
    def words(self) -> int: ...
    @property
    def bds(self) -> int: ...  # BDs finished
    @property
    def tasks(self) -> int: ...  # tasks finished
    @property
    def busy(self) -> int: ...  # cycles in which words moved
    @property
    def starved(self) -> int: ...  # S2MM with an open BD, no word in the stream; shim MM2S: no word from DDR
    @property
    def stalled(self) -> int: ...  # MM2S: stream full; shim S2MM: DDR
    @property
    def lock_stall(self) -> int: ...
    @property
    def first_cycle(self) -> int: ...
    @property
    def last_cycle(self) -> int: ...

class ControllerCounters:
    @property
    def instructions(self) -> int: ...
    @property
    def busy(self) -> int: ...  # cycles of the instructions themselves
    @property
    def sync_stall(self) -> int: ...
    @property
    def syncs(self) -> int: ...
    @property
    def pushes(self) -> int: ...
    @property
    def ignored_writes(self) -> int: ...  # to registers without effect on the simulation (trace, events, timers)
    @property
    def done_cycle(self) -> int: ...  # end of the last instruction, without the token tail; -1 if it never came

class Result:
    @property
    def status(self) -> str: ...  # 'done' | 'deadlock' | 'fault' | 'limit'
    @property
    def cycles(self) -> int: ...  # until the last instruction word is done (with the token tail if that is switched on)
    @property
    def findings(self) -> list[Finding]: ...
    @property
    def waits(self) -> list[Wait]: ...  # of a deadlock all, otherwise those that remain (cores in their endless loops, ...)
    @property
    def locks(self) -> list[LockUse]: ...  # all locks used
    @property
    def cores(self) -> list[CoreCounters]: ...
    @property
    def channels(self) -> list[ChannelCounters]: ...
    @property
    def controller(self) -> ControllerCounters: ...
    @property
    def untraced(self) -> list[tuple[int, int, str, int]]: ...
    # column, row, module ('core', 'mem', 'memtile', 'shimtile') and number of events that are traced and never raised here
    @property
    def steps(self) -> int: ...  # events: how often an agent (core, net of streams, controller, ...) was stepped
    @property
    def words_moved(self) -> int: ...
    @property
    def ddr_bytes(self) -> int: ...
    @property
    def events(self) -> dict[str, npt.NDArray[Any]]: ...
    # with trace: equally long arrays 'cycle' i8, 'col' i2, 'row' i2, 'unit' i1 (0 core, 1 dma = memory module, memtile or
    # shim), 'event' i2
    # (index into EVENT_NAMES), 'phase' i1 (0 begin, 1 end, 2 instant), 'detail' i4 (bd, lock, region or event id)

EVENT_NAMES: tuple[str, ...]
# 'INSTR_EVENT_0', 'INSTR_EVENT_1', 'INSTR_VECTOR', 'MEMORY_STALL', 'STREAM_STALL', 'LOCK_STALL', 'CASCADE_STALL',
# 'LOCK_ACQUIRE', 'LOCK_RELEASE', 'INSTR_STREAM_GET', 'INSTR_STREAM_PUT', 'INSTR_CASCADE_GET', 'INSTR_CASCADE_PUT',
# 'DMA_S2MM_0_START_TASK', 'DMA_S2MM_0_FINISHED_BD', 'DMA_S2MM_0_FINISHED_TASK', 'DMA_S2MM_0_STALLED_LOCK',
# 'DMA_S2MM_0_STREAM_STARVATION', ...,
# 'PORT_RUNNING_S2MM_0', ... for every direction and channel

class Array:
    def __init__(self, arch: str, columns: int, rows: int, timing: dict[str, float], seed: int = 0) -> None: ...
    # arch 'AIE2' | 'AIE2p' (any case); timing: allo_air.arch.Timing.as_dict()
    def add_tile(
        self, col: int, row: int, kind: str, memory_bytes: int, locks: int, bds: int, s2mm: int, mm2s: int
    ) -> None: ...  # kind 'core' | 'mem' | 'shim'; every tile before anything else
    def memory(
        self, col: int, row: int
    ) -> npt.NDArray[np.uint8]: ...  # writable view of the tile's data memory; its address never changes
    def memory_address(self, col: int, row: int) -> int: ...  # the same memory's address, for the JIT
    def add_buffer(self, col: int, row: int, offset: int, bytes: int, name: str) -> None: ...
    # once a tile has a buffer, accesses of its memory outside of all buffers, or that leave a buffer, are findings
    def mark_written(self, col: int, row: int, offset: int, bytes: int) -> None: ...  # initial values
    def set_lock(self, col: int, row: int, lock: int, value: int) -> None: ...
    def inherit(self, before: Array) -> None: ...  # memories, locks, BDs, registers that hold a value; after add_tile
    def write_bd(
        self, col: int, row: int, bd: int, words: Sequence[int]
    ) -> None: ...  # 6 words (core) or 8, as in the registers
    def start_channel(
        self, col: int, row: int, direction: int, channel: int, bd: int, repeat: int = 0, token: bool = False
    ) -> None: ...
    # repeat: as in the register, runs - 1
    def set_channel_control(self, col: int, row: int, direction: int, channel: int, word: int) -> None: ...
    # control register: finish-on-TLAST (bits 17:16) of S2MM; out-of-order (bit 3) and compression (bit 4) are findings
    def add_route(
        self,
        source: tuple[int, int, str, int],
        packet: tuple[int, int] | None,
        dests: Sequence[tuple[int, int, str, int, int, int, bool]],
    ) -> None: ...
    # source (col, row, port, channel); packet (id, mask): (header & mask) == (id & mask). Dest (col, row, port, channel,
    # latency in cycles,
    # extra FIFO words along the route, keep header). Ports: 'DMA' (of shims too), 'Core', 'TileControl', 'Trace' (never
    # sends), and any other
    # name is a sink that leaves the array (e.g. 'South' of a shim). A source has either one circuit (packet None) or packet
    # routes.
    def add_cascade(self, src: tuple[int, int], dst: tuple[int, int]) -> None: ...
    def add_core(self, col: int, row: int, entry: int, args: int, stack_bytes: int = 0) -> None: ...
    # entry: address of void(*)(void**), args: the address handed to it (0: null). The host stack gets at least 256 KiB.
    def add_region(
        self, region: int, macs: int, vector_cycles: int
    ) -> None: ...  # per execution, for counters and INSTR_VECTOR
    def core_steps(self, col: int, row: int) -> list[tuple[int, int, int, int]] | None: ...
    # What a core met in the run, in order: step of orders.h, lock handle or stream channel (-1: the cascade), amount, site;
    # None of one that met more than are kept.
    def time_only(self, steady: bool) -> None: ...
    # Before tiles are added: no data moves, nothing is checked. steady: words move in blocks, and rounds of loops are skipped
    # that would take as long as those before them.
    def add_script(self, col: int, row: int, steps: npt.NDArray[np.int64]) -> None: ...
    # A core that takes its time: rows of four numbers, see engine/script.h. With time_only.
    def add_kernel(self, index: int, call: Callable[[int, int, list[int]], int]) -> None: ...
    # call(col, row, addresses) -> cycles; runs on the main stack; exceptions end the run and reach the caller of run()
    def add_host_buffer(
        self, index: int, data: npt.NDArray[Any]
    ) -> None: ...  # C-contiguous, writable; argument index of DDR_PATCH
    # After the run, of a host buffer: how often each 32-bit word was written (to 255; empty where none was), whether a DMA read
    # it, whether a BD that writes it was not done, and who was the first to write a word again.
    def host_writes(self, index: int) -> npt.NDArray[np.uint8]: ...
    def host_read(self, index: int) -> bool: ...
    def host_open(self, index: int) -> bool: ...
    def host_written_again(self, index: int) -> Agent | None: ...
    def load(self, words: npt.NDArray[np.uint32]) -> None: ...  # ValueError with the word offset on malformed streams
    def hold_first_tasks(self) -> None:
        """Before the run: what comes before the first wait is done together, when the controller reaches it."""
    def record_origins(self) -> None:
        """Records in the run to come who writes each byte; every word then moves on its own."""
    def origin(self, argument: int, offset: int) -> list[Step]:
        """The way of a byte of a host buffer, the last step first; empty where nothing wrote it."""
    def tile_origin(self, col: int, row: int, offset: int) -> list[Step]:
        """The same of a byte of a tile's data memory, as it is at the end of the run."""
    def run(
        self,
        max_cycles: int = ...,
        strict: bool = True,
        trace: bool = False,
        progress: Callable[[int, int], bool] | None = None,
    ) -> Result: ...
    # Once per Array. strict: the first finding ends the run with status 'fault' (a deadlock has status 'deadlock' either
    # way); otherwise the
    # run goes on as the hardware would. progress(cycle, instruction words done) about ten times a second; False ends with
    # 'limit'.

Orders: Any
"""A transition system that is made step by step and searched: see `engine/orders.h`."""

def symbols() -> dict[str, int]: ...

# Addresses of the C functions that compiled cores call:
#   void allo_sim_use_lock(int32 handle, int32 action, int32 value, int32 site)   handle: col<<16 | row<<8 | lock, of the
#   tile that owns the lock;
#                                                                  action 0 acquire equal, 1 release, 2 acquire greater or equal
#   void allo_sim_work(int32 region, int64 times, int64 cycles)    cycles per execution of the region
#   void allo_sim_read(void *p, int64 bytes, int32 site), void allo_sim_write(void *p, int64 bytes, int32 site)
#        shadow check of a contiguous range before it is read or written; ignored outside of tile memories (stack and
#        constants of the core)
#   void allo_sim_read_strided(void *p, int64 bytes, int64 count, int64 stride_bytes, int32 site), allo_sim_write_strided(...)
#   void allo_sim_out_of_bounds(int32 site, int64 index, int64 size)   reports and never returns
#   void allo_sim_stream_get(int32 channel, void *p, int32 words, int32 site), allo_sim_stream_put(...)
#   void allo_sim_stream_put_packet(int32 channel, int32 header, void *p, int32 words, int32 site)   header word first,
#   TLAST on the last word
#   void allo_sim_cascade_get(void *p /* 64 bytes */, int32 site), allo_sim_cascade_put(...)
#   void allo_sim_event(int32 id)                                  0 INSTR_EVENT_0, 1 INSTR_EVENT_1
#   void allo_sim_kernel(int32 index, void **args, int32 n, int32 site)
