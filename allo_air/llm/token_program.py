"""The program of a whole token: a dispatch for each call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from allo_air.dtypes import numpy_dtype
from allo_air.importers.torch_arrays import array_of, tensor_of
from allo_air.llm.pieces import logits
from allo_air.llm.steps import SCALARS, Steps
from allo_air.program.run.design import Design
from allo_air.sim.simulate import load
from allo_air.target.npu_sequence import sequence_words

if TYPE_CHECKING:
    from allo_air.llm.examples import Example
    from allo_air.llm.reading import Weights

_MATRICES = {"project": "qkv", "output": "o", "gated": "gate_up", "down": "down"}


@dataclass(eq=False)
class TokenProgram:
    """Computes a token in one dispatch. Weights are reordered at the first call."""

    steps: Steps
    weights: Weights
    text: str
    buffers: dict[str, tuple[str, int]]
    constants: np.ndarray
    kernels: Mapping[str, Any]
    report: Any = None
    """The simulator's report of the last token."""

    @cached_property
    def arrays(self) -> dict[str, Any]:
        """The arguments in order; those that a token changes are filled by `__call__`."""
        layers = self.weights.layers
        arrays = {
            bank: np.concatenate([self._chunks(getattr(layers[n], matrix)) for n in within])
            for name, matrix in _MATRICES.items()
            for bank, within in self.steps.banks(name)
        }
        arrays |= {"head": self._chunks(self.weights.head), "constants": self.constants}
        return {n: arrays[n] if n in arrays else np.zeros(size, numpy_dtype(e)) for n, (e, size) in self.buffers.items()}

    def _chunks(self, matrix: Any) -> np.ndarray:
        """A matrix of weights in chunks, padded with zeros to the size of chunks of the cache."""
        size = self.steps.order.bytes
        chunks = array_of(self.steps.order.weights(matrix)).reshape(-1, size)
        return np.pad(chunks, ((0, 0), (0, self.steps.attend.bytes - size))).reshape(-1)

    @cached_property
    def _source(self) -> Any:
        return load(self.text)

    @cached_property
    def _design(self) -> Design:
        return self._at(0)

    def _at(self, position: int) -> Design:
        values = dict(zip(SCALARS, self.steps.scalars(position), strict=True))
        with self._source.context:
            return Design(self._source.clone(ip=False), values=values)

    def __call__(self, cache: Any, x: Any, position: int) -> Any:
        """The logits in f32 after a token with embedding `x`. Its keys and values are added to the cache at `position`."""
        steps, form, arrays = self.steps, self.steps.form, self.arrays
        flat, size = array_of(cache).reshape(-1), steps.cache_elements
        arrays |= {bank: flat[size * r.start : size * r.stop] for bank, r in steps.banks("cache")}
        arrays["token"][:] = 0
        token = self._token(x, position)
        arrays["token"][: len(token)] = token
        with self._source.context:
            instructions = sequence_words(self._at(position).module)
        self.report = self._design.run(list(arrays.values()), kernels=self.kernels, words=instructions)
        sums = tensor_of(arrays["logits"]).double().reshape(steps.parts("head"), -1)
        if not steps.between.is_dense:
            behind = steps.between.row_chunks(steps.parts("head")) * steps.between.bytes
            units = arrays["rows"][behind : behind + 4 * len(sums)].view(np.float32)
            sums = sums * torch.from_numpy(units.astype(np.float64))[:, None]
        product = sums.sum(0)[: form.vocab]
        return logits(form, product + self.weights.head_bias[0] if self.weights.head_bias else product)

    def _token(self, x: Any, position: int) -> np.ndarray:
        """The embedding, and for each size of windows the angles of the position and the ranges of visible keys."""
        steps, between = self.steps, self.steps.between
        chunks = [between.in_chunks(x.float().numpy())]
        for window, is_rotated in steps.kinds:
            cos, sin = self.weights.angles(torch.tensor([position]), (window, is_rotated))
            first = max(0, position + 1 - window) if window else 0
            visible = steps.attend.headers(first, position + 1).numpy().view(np.float32)
            chunks.append(
                between.in_chunks(np.concatenate([cos[0].float().numpy(), sin[0].float().numpy(), visible.reshape(-1)]))
            )
        return np.concatenate(chunks)


@dataclass(eq=False)
class HeadProgram:
    """The logits after the last row of a prompt, computed with the weights of `token`."""

    token: TokenProgram
    example: Example
    text: str
    buffers: dict[str, tuple[str, int]]

    @cached_property
    def _design(self) -> Design:
        return Design(load(self.text), values=dict.fromkeys(SCALARS, 0))

    def __call__(self, y: Any, weight: Any, bias: Any = ()) -> Any:
        """The logits for a row `y`."""
        order = self.token.steps.order
        arrays = {n: np.zeros(size, numpy_dtype(e)) for n, (e, size) in self.buffers.items()}
        row = array_of(order.row(y)).reshape(-1)
        arrays["head"], arrays["rows"][: len(row)] = self.token.arrays["head"], row
        self._design.run(list(arrays.values()), kernels=self.token.kernels)
        sums = order.sums(tensor_of(arrays["logits"]), y, weight).to(y.dtype)[None]
        return self.example.module.finish(sums, bias)
