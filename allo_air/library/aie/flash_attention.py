# mypy: ignore-errors
# ruff: noqa: F821
"""Attention by online softmax, whose scores never exist as a whole: a region for any sequence length that the chunks divide."""

from math import sqrt
from typing import Any

import allo_air as allo
import allo_air.dataflow as df
from allo_air.errors import AlloAirError
from allo_air.frontend.memory import Layout
from allo_air.frontend.types import Stream, bfloat16, float32

S, R = Layout.Shard, Layout.Replicate
_PAIRS = 4
_CORE_BYTES = 62 * 1024
"""Bytes of a core's memory without the stack and a few rows."""


def FA(
    SEQ_LEN: int, HEAD_DIM: int, Q_tile: int, q_chunk: int, kv_chunk: int, Ty: Any = bfloat16
) -> tuple[Any, list[tuple[str, list[Any]]]]:
    """Out = softmax(Q K^T / sqrt(HEAD_DIM)) V, each SEQ_LEN x HEAD_DIM of Ty: returns a region, and the primitives to build it
    with.

    One kernel computes the scores of `q_chunk` rows with `kv_chunk` keys at a time. Another kernel consumes them, and keeps the
    maxima, sums and results so far in f32 (online softmax: Milakov and Gimelshein, arXiv:1805.02867). All of K and of V stay on
    a core, which limits SEQ_LEN x HEAD_DIM. `Q_tile` rows are in flight at once, on at most four pairs of cores, since each
    pair's parts of Q and Out use DMA channels of memtiles. Raises AlloAirError for chunks that do not divide, and for sizes
    that do not fit.
    """
    for name, chunk in (("Q_tile", Q_tile), ("q_chunk", q_chunk), ("kv_chunk", kv_chunk)):
        if chunk < 1 or SEQ_LEN % chunk:
            raise AlloAirError(f"SEQ_LEN = {SEQ_LEN} is not divided by {name} = {chunk}")
    bytes_held = (SEQ_LEN + q_chunk) * HEAD_DIM * Ty.bits // 8
    if bytes_held > _CORE_BYTES:
        raise AlloAirError(
            f"{SEQ_LEN} rows of K or V and {q_chunk} of Q or Out, of {HEAD_DIM} each, are {bytes_held:,} bytes, and a core has "
            f"{_CORE_BYTES:,}; allo_air.jit plans a whole function with attention of any size"
        )
    P, chunks, D = SEQ_LEN // q_chunk, SEQ_LEN // kv_chunk, HEAD_DIM
    scale = 1.0 / sqrt(HEAD_DIM)

    @df.region()
    def top(Q: Ty[SEQ_LEN, D], K: Ty[SEQ_LEN, D], V: Ty[SEQ_LEN, D], Out: Ty[SEQ_LEN, D]):
        pipe: Stream[float32[kv_chunk], 2][P]

        @df.kernel(mapping=[P], args=[Q, K])
        def score(q: Ty[SEQ_LEN, D] @ [S(0), R], k: Ty[SEQ_LEN, D]):
            p = df.get_pid()
            result: float32[kv_chunk] = 0
            for r in range(q_chunk):
                for j in range(chunks):
                    for c in range(kv_chunk):
                        total: float32 = 0
                        for d in range(D):
                            a: float32 = q[r, d]
                            b: float32 = k[j * kv_chunk + c, d]
                            total += a * b
                        result[c] = total * scale
                    pipe[p].put(result)

        @df.kernel(mapping=[P], args=[V, Out])
        def attend(v: Ty[SEQ_LEN, D], out: Ty[SEQ_LEN, D] @ [S(0), R]):
            p = df.get_pid()
            sums: float32[D] = 0
            scores: float32[kv_chunk] = 0
            for r in range(q_chunk):
                sums[:] = 0
                high: float32 = -3.0e38
                total: float32 = 0
                for j in range(chunks):
                    scores[:] = pipe[p].get()
                    now: float32 = high
                    for c in range(kv_chunk):
                        if scores[c] > now:
                            now = scores[c]
                    fade: float32 = allo.exp(high - now)
                    high = now
                    total = total * fade
                    for d in range(D):
                        sums[d] = sums[d] * fade
                    for c in range(kv_chunk):
                        weight: float32 = allo.exp(scores[c] - now)
                        total += weight
                        for d in range(D):
                            x: float32 = v[j * kv_chunk + c, d]
                            sums[d] += weight * x
                for d in range(D):
                    out[r, d] = sums[d] / total

    return top, _rounds(P, max(1, Q_tile // q_chunk))


def _rounds(count: int, limit: int) -> list[tuple[str, list[Any]]]:
    """Primitives that put `count` pairs of kernels on at most `limit` and at most four pairs of cores, equally many on each."""
    pairs = max(n for n in range(1, min(limit, _PAIRS) + 1) if count % n == 0)
    if pairs == count:
        return []
    return [("bundle", [(f"score_{n}", f"attend_{n}") for n in range(first, count, pairs)]) for first in range(pairs)]
