"""The stable codes of findings, each with its severity, its verdict, its meaning and a remedy.

Codes do not change, so that scripts, baselines and configurations can refer to them. Each check and each finding of the
simulator has a code of this table. docs/findings.md lists the table with examples; a test compares the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from allo_air.errors import AlloAirError, Severity, nearest, suggestion

Verdict = Literal["wrong", "hangs", "may hang", "may be wrong", "undecided", "right"]
"""The verdict on a design with such a finding; `right` if the finding does not affect its results."""

WORST: tuple[Verdict, ...] = ("wrong", "hangs", "may hang", "may be wrong", "undecided", "right")
"""Verdicts, the worst first. The verdict on a run that hangs is `hangs`, whatever else is found."""


@dataclass(frozen=True)
class Code:
    """A stable code."""

    name: str
    severity: Severity
    verdict: Verdict
    sentence: str
    """The meaning."""
    cure: str
    """Advice for the user, for findings without more specific advice."""


_TABLE: tuple[tuple[str, Severity, Verdict, str, str], ...] = (
    # hangs
    ("hang.lock-cycle", "error", "hangs", "Each agent of a cycle holds a lock, or data, that the next one waits for.",
     "give the buffers between them one more object (depth), or acquire the locks in the same order everywhere"),
    ("hang.lock", "error", "hangs", "An agent waits for a lock that is never released.",
     "add the release, correct the initial value, or make both sides acquire and release equally often"),
    ("hang.stream", "error", "hangs",
     "An agent waits for stream data, or for space in a stream, and the other end has finished or never starts.",
     "make lengths and counts of sender and receiver agree, and start both"),
    ("hang.arbiter", "error", "hangs",
     "A packet occupies an arbiter or a wire, and cannot end before other packets that need the same one arrive.",
     "route the packets that wait for each other over different arbiters, or remove the lock that orders them"),
    ("hang.cascade", "error", "hangs", "A core waits for a transfer on its cascade that never comes.",
     "connect the two cores, and let both make the same number of transfers"),
    ("hang.token", "error", "hangs", "The runtime sequence waits for a token that no task issues.",
     "let a task of that channel issue a token (issue_token = true), or remove the wait"),
    ("hang.wait-order", "error", "hangs",
     "The runtime sequence waits for a transfer before it starts another on which the first depends.",
     "start both transfers before the wait"),
    ("hang.second-run", "error", "hangs",
     "The first run succeeds, but leaves locks or BDs in a state in which the second run hangs.",
     "release locks as often as they are acquired, so that they end with their initial values"),
    ("hang.may", "warning", "may hang", "This run ends, but the design allows another order, in which it hangs.",
     "acquire the locks in the same order everywhere, or give each writer its own pair of locks"),
    ("hang.starved", "error", "hangs",
     "The runtime sequence ends while an agent still waits for data or a lock that never comes.",
     "provide what the agent waits for, or let the agent end"),
    # queues and tasks
    ("queue.overflow", "error", "wrong",
     "More tasks are started on a channel than its queue of four holds, and the hardware drops one.",
     "wait for a task of that channel before the sixth one is started"),
    ("queue.may-overflow", "warning", "may be wrong",
     "More than five tasks are started on a channel without a wait; it depends on timing whether one is dropped.",
     "wait for a task of that channel after every fifth one"),
    ("queue.bd-reused", "error", "wrong", "A BD is written while a task that uses it is still pending.",
     "wait for that task first, or use another BD id"),
    ("queue.after-end", "error", "wrong", "The sequence ends before a task that writes host memory has ended.",
     "end the sequence with a wait for the last task of that channel"),
    # races
    ("race.data", "error", "wrong",
     "Two agents access the same word, at least one of them writes, and nothing orders the accesses.",
     "order them by a pair of locks: the writer acquires one and releases the other to the reader, and the reader the reverse"),
    ("race.order", "warning", "may be wrong", "The result depends on which of several senders is first.",
     "give each sender its own channel, or order the senders by a lock"),
    ("race.overwritten", "warning", "may be wrong", "A block is overwritten before it has been read.",
     "let the writer acquire a lock that the reader releases"),
    ("race.lock-order", "warning", "may hang",
     "Agents acquire locks in different orders, and hold one lock while they wait for another.",
     "acquire the locks in the same order everywhere"),
    ("race.slot", "error", "wrong",
     "Lock counts balance, but the core and the DMA use the buffers of a ring in different orders.",
     "make the number of steps a multiple of the number of buffers"),
    # locks
    ("lock.overflow", "error", "wrong", "A lock's value goes above 63.",
     "a lock holds 0 to 63: release the lock no more often than it is acquired"),
    ("lock.underflow", "error", "wrong", "A lock's value goes below its range.",
     "release a lock only after it was acquired"),
    ("lock.range", "error", "wrong",
     "A lock's initial value, or the amount of an acquire or a release, does not fit in six bits.",
     "use values from 0 to 63, and several locks for larger counts"),
    # memory
    ("memory.uninitialized", "error", "wrong", "Memory is read before anything has written to it.",
     "give the buffer an initial value, or let its reader acquire a lock that the first writer releases"),
    ("memory.outside", "error", "wrong", "An access is outside of its buffer, or of the tile's memory.",
     "correct the offset, the length or the dimensions, or make the buffer larger"),
    ("memory.host", "error", "wrong", "A transfer is outside of the host's buffer.",
     "correct the offset, the sizes and the strides of the transfer, or pass a larger array"),
    ("memory.stack", "error", "wrong", "A core's stack frames need more than its stack_size and overwrite buffers.",
     "make stack_size as large as the frames, or move the arrays into aie.buffer"),
    ("memory.overlap", "error", "wrong", "Two buffers, or a buffer and the stack, overlap in memory.",
     "give each an address of its own, or give none and let aie-assign-buffer-addresses choose"),
    ("memory.moved", "remark", "right",
     "Versions of mlir-aie before 2026-04-16 place buffers that have addresses on top of each other.",
     'put {allocation_scheme = "basic-sequential"} on the aie.tile'),
    ("memory.program", "warning", "wrong", "The code of a core takes more than its program memory, as its size is estimated.",
     "divide the work among more cores or kernels, or unroll fewer loops"),
    # alignment
    ("align.vector", "error", "wrong", "A vector access has an unaligned address, which the core's load unit rounds down.",
     "begin at a multiple of the vector's size (at most 32 bytes on npu1, 64 on npu2), or load unaligned in two halves"),
    ("align.dma", "error", "wrong", "A transfer does not consist of whole words of 4 bytes.",
     "move a multiple of 4 bytes, from an address that is a multiple of 4"),
    # objects
    ("object.part", "warning", "may be wrong",
     "A transfer ends inside an object of the receiver; the next transfer fills the remainder of the object.",
     "make the size of transfers a multiple of the object's size"),
    # streams and packets
    ("stream.left-over", "error", "wrong", "Data is sent that nothing receives.",
     "make the lengths of sender and receiver agree, or receive the remaining data"),
    ("stream.no-flow", "error", "wrong", "A channel or port is used that no flow connects.",
     "add an aie.flow or aie.packet_flow"),
    ("packet.id", "error", "wrong", "The id of a packet belongs to no packet flow from its source.",
     "give it the id of a packet flow, or add a packet flow with its id"),
    ("switch.arbiter", "warning", "undecided",
     "Packet flows have no routes yet; if they are routed through one arbiter, the design hangs.",
     "route these flows over different arbiters"),
    ("cascade.place", "error", "wrong", "A cascade connects tiles that have no cascade wire between them.",
     "connect a tile with the tile to its south or east"),
    ("route.none", "error", "wrong", "More streams cross the border between two tiles than there are wires.",
     "use packet flows, a broadcast, or place tiles nearer to each other"),
    # channels of AIR
    ("channel.balance", "error", "hangs", "Puts and gets of a channel do not move the same number of bytes.",
     "make the sizes of puts and gets, and the trip counts of the loops around them, agree"),
    ("locality.race", "error", "wrong",
     "Cores, iterations or instances access the same element, and nothing orders the accesses.",
     "give each its own part of the data, or order the accesses by async tokens"),
    ("locality.space", "error", "wrong", "A core uses memory that it cannot access.",
     "move the data to L1 first"),
    # limits of the device
    ("resource.limit", "error", "wrong", "The design exceeds a resource of a tile, or the range of a register field.",
     "use less of the resource, or another tile"),
    ("bd.field", "error", "wrong",
     "A BD has a value that does not fit its fields, or a mode that its channel does not support.",
     "change the value or the mode that the message names"),
    ("attribute.ignored", "warning", "may be wrong", "An attribute has no effect on this operation.",
     "remove the attribute, or put it on an operation that reads it"),
    ("pingpong.odd-trips", "remark", "right",
     "mlir-air's tools unroll this loop of odd trip count by two; core and DMA then use its buffers in different orders.",
     "make the trip count even, or 3, or compile with our pipelines"),
    # code of cores
    ("code.core", "warning", "may be wrong", "mlir-aie's tool chain miscompiles this code: it does not do what the IR says.",
     "use the alternative that the message names"),
    ("code.not-simulated", "error", "undecided", "The simulator does not support this mode of the hardware.",
     "remove the mode to run the design in the simulator"),
    # results
    ("result.wrong", "error", "wrong", "A result differs from the expected one.",
     "see the note about the operation that wrote the first wrong element"),
    ("result.overlap", "error", "wrong", "Some words of a result are written more than once, and others never.",
     "correct the offsets, the sizes and the strides of the transfers into the result"),
    ("result.unwritten", "warning", "right", "Some words of a result are never written.",
     "let a transfer write them, if the caller reads all of the result"),
    # margins
    ("margin.fifo", "remark", "right",
     "The design would hang without the space for some words in the FIFOs of streams or DMAs.",
     "give the buffer on this path one more object"),
    ("margin.depth", "remark", "right", "The design hangs if a FIFO or ring has one object less.",
     "do not reduce the depth"),
    ("state.one-shot", "remark", "right",
     "The design runs only once: after the first run its locks or BDs do not have the state that a run needs.",
     "release locks as often as they are acquired, if the design must run again"),
    # the instruction words
    ("words.bad", "error", "wrong", "The words are not an instruction, or address no register.",
     "see the register map of the device for what this address and value do"),
    ("words.misuse", "error", "wrong", "A channel gets a task or a setting that it does not support.",
     "see the message"),
    ("limit.cycles", "error", "undecided", "The simulation was stopped after max_cycles.",
     "set a larger max_cycles"),
    ("design.refused", "error", "undecided",
     "The design was not simulated to its end: it cannot be read, verified, lowered or placed, or a kernel fails.",
     "see the message"),
    ("check.undecided", "remark", "undecided", "A check cannot decide whether the design is right.",
     "see the message for the reason"),
)  # fmt: skip

CODES: dict[str, Code] = {row[0]: Code(*row) for row in _TABLE}
"""All codes, by name."""

_BY_KIND = {
    "uninitialized-read": "memory.uninitialized", "out-of-buffer": "memory.outside", "data-race": "race.data",
    "lock-overflow": "lock.overflow", "lock-underflow": "lock.underflow", "unconsumed-stream-data": "stream.left-over",
    "channel-misuse": "words.misuse", "sync-without-end": "hang.token", "host-out-of-bounds": "memory.host",
    "bad-instruction": "words.bad", "deadlock": "hang.stream", "limit": "limit.cycles",
    "overlapping-results": "result.overlap", "unwritten-results": "result.unwritten", "wrong-result": "result.wrong",
    "core-code": "code.core",
}  # fmt: skip
"""The codes of findings of the simulator's engine, by kind."""

_BY_CAUSE = {
    "queue-full": "queue.overflow", "no-flow": "stream.no-flow", "core-stream-in": "stream.no-flow",
    "core-stream-out": "stream.no-flow", "packet-id": "packet.id", "bd-busy": "queue.bd-reused", "bd-invalid": "bd.field",
    "bd-missing": "bd.field", "bd-parity": "bd.field", "bd-length": "bd.field", "padding": "bd.field",
    "neighbour": "bd.field", "lock-missing": "bd.field", "after-end": "queue.after-end",
    "not-simulated": "code.not-simulated", "core-cascade": "hang.cascade",
}  # fmt: skip
"""The codes of findings of the engine with a cause."""

_BY_WAIT = {
    "lock": "hang.lock", "stream-empty": "hang.stream", "stream-full": "hang.stream", "arbiter": "hang.arbiter",
    "token": "hang.token", "cascade-empty": "hang.cascade", "cascade-full": "hang.cascade",
}  # fmt: skip
"""The codes of hangs, by the kind of the last wait of the chain."""


def code_of(kind: str, cause: str = "") -> str:
    """The code of an engine's finding; `cause` is more specific than `kind`."""
    return _BY_CAUSE.get(cause) or _BY_KIND.get(kind, "words.misuse")


def of_wait(kind: str, *, cycle: bool = False) -> str:
    """The code of a hang whose last wait is of this `kind`; with `cycle`, agents wait for each other's locks."""
    return "hang.lock-cycle" if cycle and kind == "lock" else _BY_WAIT.get(kind, "hang.stream")


def find(name: str) -> Code:
    """The code called `name`; raises AlloAirError, with similar names, if there is none."""
    if name not in CODES:
        raise AlloAirError(f"there is no finding '{name}'{suggestion(nearest(name, CODES))}; docs/findings.md lists all")
    return CODES[name]


def matching(pattern: str) -> list[Code]:
    """The codes that match `pattern`, such as `hang.*` or `race.data`; raises AlloAirError if there are none."""
    codes = [code for name, code in CODES.items() if fnmatchcase(name, pattern)]
    return codes or [find(pattern)]
