"""Reads text of 2023 to 2025 that today's dialects would reject: former names of operations, and replacements in the text
before it is read. The replacements have the same length, so that all offsets stay those of the user's text.
"""

from __future__ import annotations

import re

from allo_air.dialects.states import STATES

LONGEST_SORT = 4096
"""Longest row that is sorted on the array; the host sorts longer ones with fewer comparisons."""

_GLOBAL = re.compile(r'\bmemref\.global\s+"public"\s+@([\w$.]+)\s*:\s*memref<[^<>\n]*>[ \t]*(?=\r?$|//)', re.MULTILINE)

_ALLOCATION = r"\baie\.(?:shim_dma_allocation|shimdmaallocation)\b"
_CAPITALS = re.compile(r"(?<![\w$.%@\"])AIEX?\.[A-Za-z]\w*(?:\.\w+)*")
_ANGLED_BD = re.compile(r"(\b(?:aie\.dmabd|aie\.dma_bd)\s*\(\s*)<(\s*%[\w$.#-]+\s*:\s*memref<[^<>\n]*>[^<>\n]*)(>\s*,\s*\w+)")
_TYPED_COPY = re.compile(r"(:\s*)(\(\s*i32\s*,\s*i32\s*,\s*)(memref<[^<>\n]*>)(\s*(?:,\s*\[[\w\s,]*\]\s*)+\))")

_NARROW_ID = re.compile(r"(\bdma_memcpy_nd\b[^\n]*\bid\s*=\s*\d+)(\s*:\s*i32)\b")

_FORMER_NAMES = {
    "aie.uselock": "aie.use_lock",
    "aie.dmabd": "aie.dma_bd",
    "aie.dmabdpacket": "aie.dma_bd_packet",
    "aie.dmastart": "aie.dma_start",
    "aie.nextbd": "aie.next_bd",
    "aie.memtiledma": "aie.memtile_dma",
    "aie.shimdma": "aie.shim_dma",
    "aie.shimdmaallocation": "aie.shim_dma_allocation",
    "aie.putcascade": "aie.put_cascade",
    "aie.getcascade": "aie.get_cascade",
    "aie.putstream": "aie.put_stream",
    "aie.getstream": "aie.get_stream",
    "aie.objectfifo.createobjectfifo": "aie.objectfifo",
    "aiex.runtime_sequence": "aie.runtime_sequence",
    "aiex.npu.write_rtp": "aiex.npu.rtp_write",
    "aiex.npu.rtpwrite": "aiex.npu.rtp_write",
    "aie.packet_rule": "aie.rule",
    "aie.packetrules": "aie.packet_rules",
    "aie.objectfifo.createObjectFifo": "aie.objectfifo",
}


def current_name(name: str) -> str:
    """The current name of an operation in text of 2024 or 2025."""
    return _FORMER_NAMES.get(name, name.replace("aiex.ipu.", "aiex.npu.", 1))


_UNKNOWN = re.compile(r"(?:custom op '|for custom op ')([\w.]+)'")
_ADVICE = {
    "aiex.npu.writebd_shimtile": "write aiex.npu.writebd and aiex.npu.address_patch instead",
    "aiex.npu.shimtile_push_queue": "write aiex.npu.push_queue instead",
    "tm_tensor.": "torch-mlir writes what has no form in linalg so: attention that is not decomposed; scans (cumsum), sorts of "
    f"at most {LONGEST_SORT} elements (sort, topk), and scatters of static shape to whole elements or rows (index_put) are "
    "read as linalg.generic; compute others on the host",
    "aie.shim_switchbox": "mlir-aie has left it: write aie.switchbox on the shim's tile",
    "aie.memcpy": "mlir-aie has left it: write aie.objectfifo, or an aie.flow and the DMA programs of both tiles",
    "aiex.connection": "mlir-aie has left it with the herds of aiex: write aie.flow",
    "aievec.": "write upstream's vector dialect, or make the kernel an external function (func.func private)",
}
"""Replacements of operations that have no counterpart of the same form."""


def advice(message: str) -> str:
    """The addition to MLIR's message about an unknown operation; empty for other messages."""
    if "`ADF' not found" in message or '`!"ADF"<' in message:
        return "; mlir-aie has left the dialect ADF: write aie.core, and aie.objectfifo or aie.flow between cores"
    result = _UNKNOWN.search(message)
    if result is None or not result[1].startswith(("aie", "air", "tm_tensor")):
        return ""
    name = result[1]
    for old, text in _ADVICE.items():
        if name.startswith(old):
            return f"; {text}"
    from difflib import get_close_matches

    from allo_air import dialects

    close = get_close_matches(name, dialects.operations_of(name.split(".")[0]), 1, 0.8)
    near = f"; did you mean '{close[0]}'?" if close else ""
    return f"{near or ';'} the states of {' and '.join(STATES)} have no such operation"


def needs_change(text: str) -> bool:
    """Whether `text` contains anything that `as_today` may change."""
    return any(mark in text for mark in ("AIE.", "AIEX.", "<%", "ipu.", "memref.global"))


def as_today(text: str) -> str:
    """`text` with the same offsets, in a spelling that the reader knows."""
    if "AIE." in text or "AIEX." in text:
        text = _CAPITALS.sub(lambda m: m[0].lower(), text)
    if "<%" in text:
        text = _ANGLED_BD.sub(lambda m: f"{m[1]} {m[2]}{' ' * len(m[3])}", text)
    if "ipu." in text:
        text = _TYPED_COPY.sub(lambda m: f"{m[1]}{' ' * len(m[2])}{m[3]}{' ' * len(m[4])}", text)
        text = _NARROW_ID.sub(lambda m: m[1] + " " * len(m[2]), text)
    return without_shadowed_globals(text)


def without_shadowed_globals(text: str) -> str:
    """`text` without `memref.global "public" @x` if a shim DMA allocation is also called @x. Until 2025 an allocation was not
    a symbol and had the name of such an empty global.
    """
    if "memref.global" not in text or not re.search(_ALLOCATION, text):
        return text

    def blank(match: re.Match[str]) -> str:
        name = re.escape(match[1])
        if not re.search(rf"{_ALLOCATION}\s+@{name}\s*\(", text) or re.search(rf"get_global\s+@{name}\b", text):
            return match[0]
        return re.sub(r"\S", " ", match[0])

    return _GLOBAL.sub(blank, text)
