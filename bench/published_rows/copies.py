"""Copies from host memory to host memory through memtiles, by any number of columns and channels."""

from __future__ import annotations

from .chain import ring
from .transfers import transfer, wait

CHUNK = 1024
"""Words of a memtile buffer; two of them take turns."""


def copy(device: str, columns: int, channels: int, words: int, run: int | None = None) -> str:
    """Each of `channels` channels of `columns` columns copies `words` words.

    With `run`, each reads runs of `run` words that are 16 runs apart, in turns, so that the order of words changes.
    """
    total = words * columns * channels
    kind, host = f"memref<{CHUNK}xi32>", f"memref<{total}xi32>"
    parts, ops = [], []
    for c in range(columns):
        parts += [f"%s{c} = aie.tile({c}, 0)", f"%m{c} = aie.tile({c}, 1)"]
        blocks = []
        for k in range(channels):
            p = f"t{c}_{k}_"
            parts += [f"%{p}{i} = aie.buffer(%m{c}) : {kind}" for i in range(2)]
            parts += [
                f"%{p}p = aie.lock(%m{c}, {2 * k}) {{init = 2 : i32}}",
                f"%{p}c = aie.lock(%m{c}, {2 * k + 1})",
                f"aie.flow(%s{c}, DMA : {k}, %m{c}, DMA : {k})",
                f"aie.flow(%m{c}, DMA : {k}, %s{c}, DMA : {k})",
                f"aie.shim_dma_allocation @i{c}_{k} (%s{c}, MM2S, {k})",
                f"aie.shim_dma_allocation @o{c}_{k} (%s{c}, S2MM, {k})",
            ]
            fill, drain = (
                ring(f"{d}{k}_", p, kind, CHUNK, f"{p}{x}", f"{p}{y}") for d, x, y in (("a", "p", "c"), ("b", "c", "p"))
            )
            blocks.append(
                f"%{2 * k} = aie.dma_start(S2MM, {k}, ^a{k}_0, ^x{k})\n{fill}\n^x{k}:\n"
                f"%{2 * k + 1} = aie.dma_start(MM2S, {k}, ^b{k}_0, ^y{k})\n{drain}\n^y{k}:"
            )
            offset = (c * channels + k) * words
            ops.append(transfer("%b", host, words, f"o{c}_{k}", 2 * k, offset=offset, token=True))
            ops.append(_read(host, words, f"i{c}_{k}", 2 * k + 1, offset, run))
        parts.append(f"aie.memtile_dma(%m{c}) {{\n" + "\n".join(blocks) + "\naie.end\n}")
    ops += [wait(f"o{c}_{k}") for c in range(columns) for k in range(channels)]
    body = "\n".join([*parts, f"aie.runtime_sequence(%a : {host}, %b : {host}) {{", *ops, "}"])
    return f"module {{ aie.device({device}) {{\n{body}\n}} }}"


def _read(host: str, words: int, symbol: str, bd: int, offset: int, run: int | None) -> str:
    if run is None:
        return transfer("%a", host, words, symbol, bd, offset=offset)
    apart, rows = 16 * run, words // (16 * run)
    return (
        f"aiex.npu.dma_memcpy_nd(%a[0, 0, 0, {offset}][1, 16, {rows}, {run}][0, {run}, {apart}, 1]) "
        f"{{id = {bd} : i64, metadata = @{symbol}}} : {host}"
    )
