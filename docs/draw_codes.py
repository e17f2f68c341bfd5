"""Writes the table of codes into findings.md, from `allo_air.codes` and the examples below.

python docs/draw_codes.py
"""

from __future__ import annotations

from pathlib import Path

from allo_air import codes

PAGE = Path(__file__).with_name("findings.md")
OPEN, CLOSE = "<!-- codes -->\n", "<!-- end of codes -->\n"

EXAMPLES = {
    "hang.lock-cycle": "an objectFifo of depth 1 brings two operands in turn; the core needs four of one before the other",
    "hang.lock": "a core acquires `full`, and no BD releases it",
    "hang.stream": "a BD receives 256 words, but its sender has 128",
    "hang.arbiter": "a packet to a core that is not ready shares its arbiter with the packet that would make it ready",
    "hang.cascade": "a core puts four vectors on its cascade, and the next core gets three",
    "hang.token": "`dma_wait` on a task without `issue_token`",
    "hang.wait-order": "`dma_wait {symbol = @a}` stands before the transfer to `@out` through which `@a` drains",
    "hang.second-run": "lock `free` has initial value 2, is acquired twice and released once",
    "hang.may": "two channels write parts of one buffer with a single pair of locks",
    "hang.starved": "a core acquires a lock twice that the DMA releases once",
    "queue.overflow": "13 `dma_memcpy_nd` on `@a` without a wait; the queue is full at the ninth",
    "queue.may-overflow": "ten small transfers without a wait, which ended in time in this run",
    "queue.bd-reused": "`dma_memcpy_nd` with `id = 0` twice, with no wait between",
    "queue.after-end": "the sequence ends without `dma_wait` for its result",
    "race.data": "a DMA writes the buffer that the core reads",
    "race.order": "packets of two cores go to one S2MM channel",
    "race.overwritten": "a BD without locks overwrites a buffer before the core has read it",
    "race.lock-order": "one BD chain acquires `x`, then `y`; another one `y`, then `x`",
    "race.slot": "a loop with five iterations over a ring of two buffers",
    "lock.overflow": "a loop that releases a lock once too often",
    "lock.underflow": "`set_lock` to -1",
    "lock.range": "`use_lock(%l, Release, 64)`",
    "memory.uninitialized": "a core adds to an accumulator that was never set to zero",
    "memory.outside": "a BD of 64 words at offset 8 of a buffer of 64",
    "memory.host": "a transfer of 4,096 words of an array of 1,024",
    "memory.stack": "`memref.alloca` of 1,216 bytes, and `stack_size = 1024`",
    "memory.overlap": "a buffer at address 512, in the stack",
    "memory.moved": "all buffers of a tile have addresses, and the tile has no `allocation_scheme`",
    "memory.program": "a loop with 700 vector sums that is unrolled completely",
    "align.vector": "64 bytes of a buffer at address 1060",
    "align.dma": "a BD of three i8 elements",
    "object.part": "transfers of 1,024 words into objects of 300 words",
    "stream.left-over": "a core sends 128 words to a result of 64 words",
    "stream.no-flow": "a transfer on a shim channel from which no flow leads",
    "packet.id": "a BD with `pkt_id = 3`, where flows have 1 and 2",
    "switch.arbiter": "packets of two flows wait for each other, and both pass one memtile",
    "cascade.place": "`aie.cascade_flow` from (0, 2) to (0, 3)",
    "route.none": "five streams into a column with four wires",
    "channel.balance": "three puts of a whole buffer, and three gets of a third of it",
    "locality.race": "all cores of a herd write row 0",
    "locality.space": "a linalg operation in a herd on a buffer in L2",
    "resource.limit": "17 locks on a core tile",
    "bd.field": "a stride of 2^20 words on a memtile",
    "attribute.ignored": "`pad_value = 7` on a BD without padding",
    "pingpong.odd-trips": "a loop with five iterations that fills a buffer by `air.dma_memcpy_nd`",
    "code.core": "`arith.extsi` of 16 lanes of i8",
    "code.not-simulated": "compression of a DMA",
    "result.wrong": "`--expect` differs",
    "result.overlap": "two rows of a result have the same offset",
    "result.unwritten": "a result of 256 words, of which 128 come",
    "margin.fifo": "a block of 32 words waits in the switches on its way",
    "margin.depth": "depth 3 runs, depth 2 hangs",
    "state.one-shot": "a lock that begins at 1 and ends at 0",
    "words.bad": "a write to an address that is no register",
    "words.misuse": "a task whose repeat count is too large",
    "limit.cycles": "a run of more than 10^10 cycles",
    "design.refused": "an operation that nothing lowers",
    "check.undecided": "a core that waits for a value of its data",
}


def table() -> str:
    """The codes as a table of Markdown."""
    lines = ["| code | severity | verdict | means | such as | cure |", "|---|---|---|---|---|---|"]
    for c in codes.CODES.values():
        sentence, example, cure = (t.replace("|", "\\|") for t in (c.sentence, EXAMPLES[c.name], c.cure))
        lines.append(f"| `{c.name}` | {c.severity} | {c.verdict} | {sentence} | {example} | {cure} |")
    return OPEN + "\n".join(lines) + "\n" + CLOSE


def main() -> None:
    text = PAGE.read_text()
    start, end = text.index(OPEN), text.index(CLOSE) + len(CLOSE)
    PAGE.write_text(text[:start] + table() + text[end:])


if __name__ == "__main__":
    main()
