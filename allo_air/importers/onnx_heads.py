"""Rewrites attention operators of com.microsoft with ONNX's operators: rotary positions, groups of heads, KV caches."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from allo_air.importers.onnx_contrib import Call


def _ints(*values: int) -> Any:
    return np.asarray(values, np.int64)


def _split(call: Call, x: str, sizes: list[int], axis: int = -1) -> list[str]:
    ends = np.cumsum([0, *sizes])
    return [str(call("Slice", x, _ints(a), _ints(b), _ints(axis))) for a, b in itertools.pairwise(ends)]


def _by_heads(call: Call, x: str, sizes: tuple[int, ...], heads: int) -> str:
    """`x` of shape (batch, tokens, width), reshaped and transposed to (batch, heads, tokens, size of a head)."""
    batch, tokens, width = sizes
    return str(call("Transpose", call("Reshape", x, _ints(batch, tokens, heads, width // heads)), perm=[0, 2, 1, 3]))


def _merge_heads(call: Call, x: str, batch: int, tokens: int) -> str:
    return str(call("Reshape", call("Transpose", x, perm=[0, 2, 1, 3]), _ints(batch, tokens, -1)))


def _rotated(call: Call, x: str, positions: str, tables: tuple[int, int], size: int, interleaved: bool) -> str:
    """`x` of shape (batch, heads, tokens, size) with its first numbers rotated by the angles of the tokens' positions."""
    half = call.shape(tables[0])[-1]
    cosine, sine = (call("Unsqueeze", call("Gather", call.input(t), positions, axis=0), _ints(1)) for t in tables)
    turned, rest = _split(call, x, [2 * half, size - 2 * half]) if 2 * half < size else (x, "")
    if interleaved:
        turned = call("Reshape", turned, _ints(0, 0, 0, half, 2))
        first, second = (call("Squeeze", part, _ints(-1)) for part in _split(call, turned, [1, 1]))
    else:
        first, second = _split(call, turned, [half, half])
    left = call("Sub", call("Mul", first, cosine), call("Mul", second, sine))
    right = call("Add", call("Mul", second, cosine), call("Mul", first, sine))
    if interleaved:
        sides = [call("Unsqueeze", side, _ints(-1)) for side in (left, right)]
        turned = call("Reshape", call("Concat", *sides, axis=-1), _ints(0, 0, 0, 2 * half))
    else:
        turned = call("Concat", left, right, axis=-1)
    return str(call("Concat", turned, rest, axis=-1) if rest else turned)


def rotary_embedding(call: Call) -> None:
    """RotaryEmbedding, for an input of three or four dimensions, and positions of each token or of the first one."""
    call.only(scale=1.0, is_packed_batching=0)
    sizes, half = call.shape(0), call.shape(2)[-1]
    if len(sizes) == 3:
        heads = call.attributes.get("num_heads", 0) or sizes[2] // (2 * half)
        x, (batch, tokens), size = _by_heads(call, call.input(0), sizes, heads), sizes[:2], sizes[2] // heads
    else:
        x, batch, tokens, size = call.input(0), sizes[0], sizes[2], sizes[3]
    positions = call.input(1)
    if len(call.shape(1)) == 1:
        positions = call("Unsqueeze", call("Add", positions, np.arange(tokens)), _ints(0))
    result = _rotated(call, x, positions, (2, 3), size, bool(call.attributes.get("interleaved", 0)))
    call.returns(0, _merge_heads(call, result, batch, tokens) if len(sizes) == 3 else result)


def _attention(call: Call, query: str, key: str, value: str, seen: str, bias: str, size: int) -> str:
    """softmax(query key^T scale + bias) value, where `seen` is true. `seen` and `bias` are "" if absent."""
    scale = call.attributes.get("scale", 0.0) or 1 / math.sqrt(size)
    scores = call("Mul", call("MatMul", query, call("Transpose", key, perm=[0, 1, 3, 2])), call.number(scale))
    if cap := call.attributes.get("softcap", 0.0):
        scores = call("Mul", call("Tanh", call("Div", scores, call.number(cap))), call.number(cap))
    if bias:
        scores = call("Add", scores, bias)
    if seen:
        scores = call("Where", seen, scores, call.number(-math.inf))
    return str(call("MatMul", call("Softmax", scores, axis=-1), value))


def _repeated(call: Call, x: str, sizes: tuple[int, ...], times: int) -> str:
    """`x` with each head repeated `times` times."""
    if times == 1:
        return x
    batch, heads, tokens, size = sizes
    wide = call("Expand", call("Unsqueeze", x, _ints(2)), _ints(batch, heads, times, tokens, size))
    return str(call("Reshape", wide, _ints(batch, heads * times, tokens, size)))


def _extended_cache(call: Call, past: int, new: str, sizes: tuple[int, ...], length: int, before: str) -> str:
    """The cache with `new` written after the first `before` tokens of each batch."""
    batch, heads, tokens, size = sizes
    past_length = call.shape(past)[2] if call.input(past) else 0
    if not past_length:
        return new
    cache, places = call.input(past), np.arange(length).reshape(1, 1, length, 1)
    if length > past_length:
        cache = call("Pad", cache, _ints(0, 0, 0, 0, 0, 0, length - past_length, 0))
    offsets = call("Sub", places, call("Reshape", before, _ints(batch, 1, 1, 1)))
    if tokens > 1:
        inside = call("Expand", call("Clip", offsets, np.int64(0), np.int64(tokens - 1)), _ints(batch, heads, length, size))
        new = call("GatherElements", new, inside, axis=2)
    is_new = call("And", call("GreaterOrEqual", offsets, np.int64(0)), call("Less", offsets, np.int64(tokens)))
    return str(call("Where", is_new, new, cache))


def group_query_attention(call: Call) -> None:
    """GroupQueryAttention, causal. The cache grows by the new tokens, or has a fixed size with room for them."""
    call.only(smooth_softmax=0, qk_output=0, k_quant_type=b"NONE", v_quant_type=b"NONE")
    if any(call.input(n) for n in (11, 12, 13)):
        raise call.error("head_sink and scales of a quantized cache are not supported")
    heads, groups = call.attributes["num_heads"], call.attributes["kv_num_heads"]
    batch, tokens, width = call.shape(0)
    size = width // (heads if call.input(1) else heads + 2 * groups)
    query, key, value = call.input(0), call.input(1), call.input(2)
    if not key:
        query, key, value = _split(call, query, [heads * size, groups * size, groups * size])
    query = _by_heads(call, query, (batch, tokens, heads * size), heads)
    key, value = (_by_heads(call, x, (batch, tokens, groups * size), groups) for x in (key, value))
    past_length = call.shape(3)[2] if call.input(3) else 0
    length = call.result_shape(1)[2] if call.result_shape(1) else past_length + tokens
    length = max(length, past_length, tokens)
    lengths = call("Reshape", call("Cast", call.input(5), to=7), _ints(batch, 1))
    before = call("Max", call("Sub", lengths, _ints(tokens - 1)), _ints(0))
    places = call("Add", before, np.arange(tokens).reshape(1, tokens))
    if call.attributes.get("do_rotary", 0):
        argument = call.input(9) or places
        inside = bool(call.attributes.get("rotary_interleaved", 0))
        query, key = (_rotated(call, x, argument, (7, 8), size, inside) for x in (query, key))
    sizes = batch, groups, tokens, size
    key, value = (_extended_cache(call, past, new, sizes, length, before) for past, new in ((3, key), (4, value)))
    length = length if past_length else tokens
    call.returns(1, key)
    call.returns(2, value)
    rows, columns = call("Reshape", places, _ints(batch, 1, tokens, 1)), np.arange(length).reshape(1, 1, 1, length)
    seen = call("LessOrEqual", columns, rows)
    if (window := call.attributes.get("local_window_size", -1)) > 0:
        seen = call("And", seen, call("Greater", columns, call("Sub", rows, np.int64(window))))
    repeated_heads = [_repeated(call, x, (batch, groups, length, size), heads // groups) for x in (key, value)]
    result = _attention(call, query, repeated_heads[0], repeated_heads[1], seen, call.input(10), size)
    call.returns(0, _merge_heads(call, result, batch, tokens))


def multi_head_attention(call: Call) -> None:
    """MultiHeadAttention with separate query, key and value, and with bias, mask and cache."""
    heads = call.attributes["num_heads"]
    if call.input(4):
        raise call.error("key_padding_mask is not supported; give attention_bias")
    if call.input(8) or call.input(9):
        raise call.error(
            "caches of a fixed size (past_sequence_length, cache_indirection) are not supported; give past and new apart"
        )
    if len(call.shape(0)) != 3 or not call.input(2):
        raise call.error("packed inputs are not supported")
    batch, tokens, width = call.shape(0)
    sides = [call.input(n) for n in range(3)]
    if call.input(3):
        parts = _split(call, call.input(3), [width, width, call.shape(3)[0] - 2 * width], 0)
        sides = [
            call("Add", side, part) if len(call.shape(n)) == 3 else side
            for n, (side, part) in enumerate(zip(sides, parts, strict=True))
        ]
    query = _by_heads(call, sides[0], (batch, tokens, width), heads)
    key, value = (
        _by_heads(call, side, call.shape(n), heads) if len(call.shape(n)) == 3 else side
        for n, side in ((1, sides[1]), (2, sides[2]))
    )
    length = call.shape(1)[1] if len(call.shape(1)) == 3 else call.shape(1)[2]
    if call.input(6):
        length += call.shape(6)[2]
        key, value = call("Concat", call.input(6), key, axis=2), call("Concat", call.input(7), value, axis=2)
    call.returns(1, key)
    call.returns(2, value)
    seen = ""
    if call.attributes.get("unidirectional", 0):
        seen = call.weight(np.tril(np.ones((tokens, length), bool), length - tokens))
    result = _attention(call, query, key, value, seen, call.input(5), width // heads)
    call.returns(0, _merge_heads(call, result, batch, tokens))
