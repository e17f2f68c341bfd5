"""The stable codes of findings: how bad each is, what it says of the design, what it means and what to do.

A code is a name that scripts, baselines and configurations may hold on to. Whoever finds something names a code of this table;
docs/findings.md lists the table with an example each, and a test holds the two together.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from allo_air.errors import AlloAirError, Severity, nearest, suggestion

Verdict = Literal["wrong", "hangs", "may hang", "may be wrong", "undecided", "right"]
"""What a finding says of the design; `right` for what does not change it."""

WORST: tuple[Verdict, ...] = ("wrong", "hangs", "may hang", "may be wrong", "undecided", "right")
"""Verdicts, the worst first. Of a run that stops because nothing goes on, the verdict is `hangs` whatever else is found."""


@dataclass(frozen=True)
class Code:
    """A stable code: `sentence` is what it means, `cure` what to do where nothing better was found."""

    name: str
    severity: Severity
    verdict: Verdict
    sentence: str
    cure: str


_TABLE: tuple[tuple[str, Severity, Verdict, str, str], ...] = (
    # nothing goes on
    ("hang.lock-cycle", "error", "hangs", "Each agent of a cycle holds a lock, or data, that the next one waits for.",
     "give the buffers between them one more object (depth), or take the locks in one order"),
    ("hang.lock", "error", "hangs", "An agent waits for a lock that is never released.",
     "add the release, correct the initial value, or let both sides count alike"),
    ("hang.stream", "error", "hangs",
     "An agent waits for stream data, or for room in a stream, and the other end is done or never starts.",
     "make lengths and counts of sender and receiver agree, and start both"),
    ("hang.arbiter", "error", "hangs", "A packet holds an arbiter or a wire that other packets need before it can end.",
     "give the packets that wait for each other arbiters of their own, or drop the lock that orders them"),
    ("hang.cascade", "error", "hangs", "A core waits at its cascade for a transfer that never comes.",
     "let both cores do as many transfers, and link them"),
    ("hang.token", "error", "hangs", "The runtime sequence waits for a token that no task issues.",
     "let a task of that channel issue a token (issue_token = true), or drop the wait"),
    ("hang.wait-order", "error", "hangs",
     "The runtime sequence waits for a transfer before it starts the one that this transfer needs.",
     "start both before the sequence waits"),
    ("hang.second-run", "error", "hangs",
     "The first run is right, and leaves locks or BDs in a state from which the second run hangs.",
     "release what is acquired, so that locks end where they began"),
    ("hang.may", "warning", "may hang", "This run ends, but the design allows another order, in which it hangs.",
     "take the locks in one order, or give each writer a lock pair of its own"),
    ("hang.starved", "error", "hangs", "The sequence ends while an agent still waits for something that never comes.",
     "give what it waits for, or let it end"),
    # queues and tasks
    ("queue.overflow", "error", "wrong",
     "More tasks are started on a channel than its queue of four holds; the hardware drops one.",
     "wait for a task of that channel before the fifth is started"),
    ("queue.may-overflow", "warning", "may be wrong",
     "More than four tasks are started on a channel without a wait; timing decides whether one is dropped.",
     "wait for a task of that channel after every four"),
    ("queue.bd-reused", "error", "wrong", "A BD is written while a task that uses it is still pending.",
     "wait for that task first, or use another BD id"),
    ("queue.after-end", "error", "wrong", "The sequence ends before a task that writes host memory has ended.",
     "end it with a wait for the last task of that channel"),
    # who comes first
    ("race.data", "error", "wrong",
     "Two agents access the same word, at least one of them writes, and nothing orders the accesses.",
     "put a lock between them: whoever writes acquires it, and releases it to who reads"),
    ("race.order", "warning", "may be wrong", "The result depends on which of several senders comes first.",
     "give each sender a channel of its own, or let a lock decide who is next"),
    ("race.overwritten", "warning", "may be wrong", "A block is overwritten before it has been read.",
     "let the writer wait for the lock that the reader releases"),
    ("race.lock-order", "warning", "may hang",
     "Locks are taken in different orders, and each is held while another is waited for.",
     "take the locks in one order everywhere"),
    ("race.slot", "error", "wrong",
     "A core and a ring of buffers get out of step: lock counts balance, but the core uses another buffer than the DMA.",
     "let the number of steps be a multiple of the ring's length"),
    # locks
    ("lock.overflow", "error", "wrong", "A lock's value goes above 63.",
     "release only what was acquired, and no more often"),
    ("lock.underflow", "error", "wrong", "A lock's value goes below its range.",
     "release only what was acquired before"),
    ("lock.range", "error", "wrong",
     "A lock's initial value, or the amount of an acquire or a release, does not fit in six bits.",
     "use values from 0 to 63, and more than one lock where that is not enough"),
    # memory
    ("memory.uninitialized", "error", "wrong", "Memory is read before anything has written to it.",
     "give the buffer an initial value, or let its reader wait (on a lock) for whoever writes it first"),
    ("memory.outside", "error", "wrong", "An access is outside of its buffer, or of the tile's memory.",
     "correct the offset, the length or the dimensions, or make the buffer larger"),
    ("memory.host", "error", "wrong", "A transfer is outside of the host's buffer.",
     "correct offset, sizes and strides of the transfer, or pass a larger array"),
    ("memory.stack", "error", "wrong", "A core's stack frames need more than its stack_size, and reach into buffers.",
     "make stack_size as large as the frames, or move the arrays into aie.buffer"),
    ("memory.overlap", "error", "wrong", "Two buffers, or a buffer and the stack, overlap in memory.",
     "give each its own address, or none and let aie-assign-buffer-addresses do it"),
    ("memory.moved", "remark", "right",
     "mlir-aie before 2026-04-16 moves buffers with given addresses on top of one another.",
     'put {allocation_scheme = "basic-sequential"} on the aie.tile'),
    # alignment
    ("align.vector", "error", "wrong", "A vector access begins at an address that the core's load unit rounds down.",
     "begin at a multiple of the vector's size (at most 32 bytes on npu1, 64 on npu2), or load unaligned in two halves"),
    ("align.dma", "error", "wrong", "A transfer is no whole number of 4-byte words.",
     "move whole words: a multiple of 4 bytes at a multiple of 4"),
    # objects
    ("object.part", "warning", "may be wrong",
     "A transfer ends inside an object of the receiver, which is filled up with the next data.",
     "let the transfers be whole objects"),
    # streams and packets
    ("stream.left-over", "error", "wrong", "Data is sent that nothing receives.",
     "make the lengths of sender and receiver agree, or receive the rest"),
    ("stream.no-flow", "error", "wrong", "A channel or port is used that no flow connects.",
     "add an aie.flow or aie.packet_flow"),
    ("packet.id", "error", "wrong", "A packet has an id that no flow from its source has.",
     "give it the id of a flow, or add a flow"),
    ("switch.arbiter", "warning", "undecided",
     "Packet flows have no routes yet; if they are routed through one arbiter, the design hangs.",
     "route these flows over arbiters of their own"),
    ("cascade.place", "error", "wrong", "A cascade connects tiles that have no cascade wire between them.",
     "cascades lead to the tile to the south or to the east"),
    ("route.none", "error", "wrong", "More streams cross the border between two tiles than there are wires.",
     "use packet flows, a broadcast, or place tiles nearer to each other"),
    # channels of AIR
    ("channel.balance", "error", "hangs", "Puts and gets of a channel do not move the same number of bytes.",
     "make counts, sizes and the loops around both ends agree"),
    ("locality.race", "error", "wrong",
     "Cores, iterations or instances access the same element, and nothing orders the accesses.",
     "give each a part of its own, or order them by tokens"),
    ("locality.space", "error", "wrong", "A core uses memory that it cannot access.",
     "move the data to L1 first"),
    # what a device has
    ("resource.limit", "error", "wrong", "The design needs more than a tile, or a field of its registers, has.",
     "use less of it, or another tile"),
    ("bd.field", "error", "wrong",
     "A BD has a value that does not fit its fields, or a mode that its channel does not support.",
     "correct the BD"),
    ("attribute.ignored", "warning", "may be wrong", "An attribute is given that has no effect here.",
     "drop it, or put it where it has one"),
    ("pingpong.odd-trips", "remark", "right",
     "mlir-air's tools unroll this loop by two although its trip count is odd; ring and core then get out of step.",
     "let the loop have an even number of trips, or three, or compile it with our pipelines"),
    # cores' code
    ("code.core", "warning", "may be wrong", "mlir-aie's tool chain compiles this code to something else than the IR says.",
     "write what the message names in its place"),
    ("code.not-simulated", "error", "undecided", "The simulator does not run this mode.",
     "leave it out to run it here"),
    # results
    ("result.wrong", "error", "wrong", "A result differs from what is expected.",
     "see who wrote its first wrong element"),
    ("result.overlap", "error", "wrong", "Some words of a result are written several times, and others never.",
     "correct offsets, sizes and strides of the transfers into it"),
    ("result.unwritten", "warning", "right", "Some words of a result are never written.",
     "let a transfer write the rest, if the caller is to see all of it"),
    # margins
    ("margin.fifo", "remark", "right", "The design runs only because some words fit into the FIFOs of streams or DMAs.",
     "give the buffer on the way one more object"),
    ("margin.depth", "remark", "right", "With one object less in a FIFO or ring the design hangs.",
     "keep the depth"),
    ("state.one-shot", "remark", "right",
     "The design runs only once: the first run leaves it in a state in which a second does not start.",
     "release what is acquired, if it is to run again"),
    # the instruction words
    ("words.bad", "error", "wrong", "The words are no instruction, or address no register.",
     "see the register map of the device"),
    ("words.misuse", "error", "wrong", "A channel is given a task or setting that it cannot carry out.",
     "see the finding's text"),
    ("limit.cycles", "error", "undecided", "The run was ended after max_cycles.",
     "give a larger max_cycles"),
    ("design.refused", "error", "undecided", "The design is not run: it cannot be read, verified, lowered or placed.",
     "see what the message wants"),
    ("check.undecided", "remark", "undecided", "A rule cannot decide.",
     "see why in its text"),
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
"""The code of a finding that names none, by its kind."""

_BY_CAUSE = {
    "queue-full": "queue.overflow", "no-flow": "stream.no-flow", "core-stream-in": "stream.no-flow",
    "core-stream-out": "stream.no-flow", "packet-id": "packet.id", "bd-busy": "queue.bd-reused", "bd-invalid": "bd.field",
    "bd-missing": "bd.field", "bd-parity": "bd.field", "bd-length": "bd.field", "padding": "bd.field",
    "neighbour": "bd.field", "lock-missing": "bd.field", "after-end": "queue.after-end",
    "not-simulated": "code.not-simulated", "core-cascade": "hang.cascade",
}  # fmt: skip
"""The code of a misuse, by the engine's cause."""

_BY_WAIT = {
    "lock": "hang.lock", "stream-empty": "hang.stream", "stream-full": "hang.stream", "arbiter": "hang.arbiter",
    "token": "hang.token", "cascade-empty": "hang.cascade", "cascade-full": "hang.cascade",
}  # fmt: skip
"""The code of a hang, by what is waited for in the end."""


def code_of(kind: str, cause: str = "") -> str:
    """The code of what the engine calls `kind`, for `cause`."""
    return _BY_CAUSE.get(cause) or _BY_KIND.get(kind, "words.misuse")


def of_wait(kind: str, *, cycle: bool = False) -> str:
    """The code of a hang in which the last wait is for a `kind`; `cycle` says that locks close a circle."""
    return "hang.lock-cycle" if cycle and kind == "lock" else _BY_WAIT.get(kind, "hang.stream")


def find(name: str) -> Code:
    """The code of that name; AlloAirError with the nearest ones where there is none."""
    if name not in CODES:
        raise AlloAirError(f"there is no finding '{name}'{suggestion(nearest(name, CODES))}; docs/findings.md lists all")
    return CODES[name]


def matching(pattern: str) -> list[Code]:
    """The codes that `pattern` (`hang.*`, `race.data`) means; AlloAirError where it means none."""
    codes = [code for name, code in CODES.items() if fnmatchcase(name, pattern)]
    return codes or [find(pattern)]
