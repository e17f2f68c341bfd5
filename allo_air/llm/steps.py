"""The steps of a token in one dispatch, in order, and the buffers that they use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from allo_air.llm.between import Between
from allo_air.llm.cached_attention import CachedAttention
from allo_air.llm.form import Form
from allo_air.llm.reading import Layer
from allo_air.llm.streaming import Arrangement
from allo_air.llm.token_cores import ATTEND, Phase, TokenCores

SCALARS = ("keys", "values")
LAYER = ("project", ATTEND, "output", "gated", "down")
"""The pieces of a layer, in order."""
PRODUCTS = ("project", "output", "gated", "down", "head")
_ROOM = 62 * 1024
"""Bytes of a core's memory without its stack."""
_MOST_BLOCKS = 1023
"""Largest size of a dimension of a buffer descriptor."""
MOST_BYTES = 2**31
"""Bytes below which an argument stays. A patch holds 32 bits, of which the words for an xclbin need one themselves."""


def products_of(form: Form) -> dict[str, tuple[int, int]]:
    """Rows and columns of the weights of each piece of a token that is a product."""
    sizes = form.linears
    return {
        "project": sizes["qkv"],
        "output": sizes["o"],
        "gated": sizes["gate_up"],
        "down": sizes["down"],
        "head": (form.vocab, form.hidden),
    }


@dataclass(frozen=True)
class Steps:
    """The steps of a token for `layers` layers, with the head if `has_head`."""

    form: Form
    order: Arrangement
    attend: CachedAttention
    layers: int
    has_head: bool = True
    only: tuple[str, ...] = ()
    """The pieces to run instead of whole layers, to predict their time."""

    @property
    def cores(self) -> TokenCores:
        """The cores of products and attention."""
        if self.only:
            return TokenCores(self.order, self.attend, 1, tuple(map(self.phase, self.only)), ())
        last = (self.phase("head"),) if self.has_head else ()
        return TokenCores(self.order, self.attend, self.layers, tuple(map(self.phase, LAYER)), last)

    def phase(self, name: str) -> Phase:
        """The phase of the cores that computes a piece."""
        rows, columns = (0, 0) if name == ATTEND else products_of(self.form)[name]
        return Phase(self.order.parts(columns), self.order.blocks(rows))

    @property
    def between(self) -> Between:
        """The core between the products."""
        return Between(self.form, self.order, self.attend)

    @property
    def kinds(self) -> list[tuple[int, bool]]:
        """The windows and rotations of layers, each of which has a chunk of the token."""
        return sorted({self.form.positions(n) for n in range(self.form.layers)})

    def weight_bytes(self, name: str) -> int:
        """Bytes of the weights of a product of one layer."""
        rows, columns = products_of(self.form)[name]
        return self.order.parts(columns) * self.order.blocks(rows) * self.order.grid[0] * self.order.grid[1] * self.attend.bytes

    @property
    def fits(self) -> bool:
        """Whether a token can be one sequence."""
        most = max(2 * self.cache_elements, *map(self.weight_bytes, PRODUCTS))
        blocks = max(self.phase(name).blocks for name in PRODUCTS)
        return self.between.fits and most < MOST_BYTES and self.held <= _ROOM and blocks <= _MOST_BLOCKS

    @property
    def held(self) -> int:
        """Bytes that a core holds: two chunks of weights or keys, a part of the row, results, and the state of attention."""
        return 2 * self.attend.bytes + self.order.row_bytes + 4 * (self.order.results + self.attend.state[1])

    def banks(self, name: str) -> list[tuple[str, range]]:
        """The arguments with the layers' weights of a product, or with the `cache`, and the layers of each."""
        layer = 2 * self.cache_elements if name == "cache" else self.weight_bytes(name)
        step = (MOST_BYTES - 1) // layer
        starts = range(0, self.layers, step)
        return [(f"{name}{i or ''}", range(first, min(first + step, self.layers))) for i, first in enumerate(starts)]

    def place(self, name: str, layer: int) -> tuple[str, int]:
        """The argument with a layer's weights of a product, or with its `cache`, and the first element in it."""
        elements = self.cache_elements if name == "cache" else self.weight_bytes(name)
        return next((bank, (layer - layers[0]) * elements) for bank, layers in self.banks(name) if layer in layers)

    def padded(self, name: str) -> int:
        """Number of sums of a part of a product."""
        return self.order.blocks(products_of(self.form)[name][0]) * self.order.block_rows

    def parts(self, name: str) -> int:
        """Number of parts of a product's row."""
        return self.order.parts(products_of(self.form)[name][1])

    @property
    def cache_elements(self) -> int:
        """Elements of a layer's cache."""
        return self.attend.groups * self.attend.group_elements

    def scalars(self, position: int) -> tuple[int, int]:
        """The values of the sequence's scalars: where in a layer's cache the first new key and value are."""
        attend = self.attend
        part, chunk, lane = (
            position // (attend.chunks * attend.keys),
            position // attend.keys % attend.chunks,
            position % attend.keys,
        )
        begin = attend.offset(attend.core(0, part)) + (chunk + 1) * attend.high * attend.elements
        return begin + 2 * lane, begin + attend.head * attend.keys + lane * attend.head

    def buffers(self, constants: int) -> dict[str, tuple[str, int]]:
        """The elements and sizes of the arguments of the sequence."""
        between, order, attend = self.between, self.order, self.attend
        weights = {bank: ("i8", len(r) * self.weight_bytes(n)) for n in PRODUCTS if n != "head" for bank, r in self.banks(n)}
        if self.has_head or "head" in self.only:
            weights["head"] = ("i8", self.weight_bytes("head"))
        sums = max(self.parts(n) * self.padded(n) for n in PRODUCTS if n != "head")
        states = attend.groups * attend.high * attend.state[0]
        most = max(self.parts(n) for n in PRODUCTS)
        rows = (between.row_chunks(most) + 2) * between.bytes
        result = {
            **weights,
            **{bank: ("bf16", len(r) * self.cache_elements) for bank, r in self.banks("cache")},
            "constants": ("f32", constants + self.slack),
            "token": (
                "f32",
                between.chunks(self.form.hidden) * between.floats + len(self.kinds) * between.floats + self.slack,
            ),
            "rows": ("i8", rows + order.row_bytes),
            "sums": ("f32", max(sums, states) + 4 * between.chunks(between.gated_parts * order.columns) * between.floats),
        }
        if "head" in weights:
            result["logits"] = ("f32", self.parts("head") * self.padded("head"))
        return result

    @property
    def slack(self) -> int:
        """Floats that are read while the core sends."""
        between = self.between
        return (max(between.row_chunks(max(self.parts(n) for n in PRODUCTS)), between.cache_chunks) + 1) * between.floats


def vectors_of(layer: Layer) -> dict[str, np.ndarray]:
    """The vectors of a layer that the core between the products reads."""

    def floats(tensors: Sequence[Any]) -> Any:
        return torch.cat([t.float().reshape(-1) for t in tensors]).numpy() if len(tensors) else np.zeros(0, np.float32)

    return {
        "before": floats(layer.before), "bias": floats(layer.bias), "head_norms": floats(sum(layer.norms, ())),
        "o_bias": floats(layer.o_bias),
        "after": floats(layer.after), "between": floats(layer.between), "last": floats(layer.last), "none": floats(()),
    }  # fmt: skip


def zero_vectors(form: Form) -> dict[str, np.ndarray]:
    """Vectors of the sizes of a model's layers."""
    sizes = {
        "before": form.hidden, "bias": form.linears["qkv"][0] * form.qkv_bias, "head_norms": 2 * form.head * form.head_norms,
        "o_bias": form.hidden * form.out_bias, "after": form.hidden * form.after_norms, "between": form.hidden,
        "last": form.hidden * form.after_norms, "none": 0,
    }  # fmt: skip
    return {name: np.zeros(size, np.float32) for name, size in sizes.items()}
