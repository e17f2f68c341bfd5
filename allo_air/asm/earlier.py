"""Text of 2024 and 2025 that today's dialects would refuse: former names of operations, and what is blanked out before reading.

Blanks keep every offset, so that places in the text stay the user's.
"""

from __future__ import annotations

import re

_GLOBAL = re.compile(r'\bmemref\.global\s+"public"\s+@([\w$.]+)\s*:\s*memref<[^<>\n]*>[ \t]*(?=\r?$|//)', re.MULTILINE)

_FORMER_NAMES = {
    "aiex.runtime_sequence": "aie.runtime_sequence",
    "aiex.npu.write_rtp": "aiex.npu.rtp_write",
    "aie.packet_rule": "aie.rule",
    "aie.packetrules": "aie.packet_rules",
    "aie.objectfifo.createObjectFifo": "aie.objectfifo",
}


def current_name(name: str) -> str:
    """The name of an operation as it is today, for one that text of 2024 or 2025 may use."""
    return _FORMER_NAMES.get(name, name.replace("aiex.ipu.", "aiex.npu.", 1))


def without_shadowed_globals(text: str) -> str:
    """`text` without `memref.global "public" @x` where a shim DMA allocation is called @x too.

    Until 2025 an allocation was no symbol and borrowed its name from such a global, which holds nothing.
    """
    if "memref.global" not in text or "aie.shim_dma_allocation" not in text:
        return text

    def blank(match: re.Match[str]) -> str:
        name = re.escape(match[1])
        if not re.search(rf"aie\.shim_dma_allocation\s+@{name}\s*\(", text) or re.search(rf"get_global\s+@{name}\b", text):
            return match[0]
        return re.sub(r"\S", " ", match[0])

    return _GLOBAL.sub(blank, text)
