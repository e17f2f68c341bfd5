"""A causal language model whose layers run on the array: prompts, tokens, and a cache of keys and values."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch

from allo_air.errors import ArgumentError, OptionError, counted
from allo_air.importers.torch_arrays import array_of
from allo_air.llm.decoding import AttentionProgram
from allo_air.llm.estimates import estimate
from allo_air.llm.examples import Example, attention_name, examples
from allo_air.llm.form import Form
from allo_air.llm.pieces import (
    HIDDEN,
    MASK_CHANNELS,
    expert_weights,
    gated,
    heads_of_product,
    norm,
    residual_and_norm,
    with_mask,
)
from allo_air.llm.predicted import Estimate
from allo_air.llm.reading import Layer, Weights
from allo_air.llm.token_program import TokenProgram

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(eq=False)
class LanguageModel:
    """A compiled language model, the result of `allo_air.llm.compile`. It holds one sequence: `prefill` begins it, `step` adds
    a token.
    """

    weights: Weights = field(repr=False)
    device: str
    context: int
    prompt: int
    kind: str
    group: int
    programs: dict[tuple[str, bool], Callable[..., Any]] = field(repr=False)
    """The pieces by name, and by whether they are for a token (or for a prompt)."""
    bfp16: bool = False
    """Whether a prompt's products are computed in block floating point."""
    token_module: str = field(default="", repr=False)
    """The MLIR of the design for a token, with a sequence for each piece, if all pieces share one design."""

    def __post_init__(self) -> None:
        form, attend, token = self.form, self.programs.get(("attend", True)), self.programs.get(("token", True))
        self.length = 0
        self.order = attend.order if isinstance(attend, AttentionProgram) else None
        if isinstance(token, TokenProgram):
            self.order = token.steps.attend
        self.cache: Any = None if self.order is None else self.order.cache(form.layers)
        if self.cache is not None:
            return
        shape, more = (form.layers, form.kv_heads, self.context), 0 if form.has_mask else MASK_CHANNELS
        self.keys, self.values = (torch.zeros(*shape, form.head + n, dtype=getattr(torch, form.dtype)) for n in (more, 0))

    @property
    def form(self) -> Form:
        """Sizes and variants of the model."""
        return self.weights.form

    def prefill(self, tokens: Sequence[int]) -> Any:
        """Begins a sequence with a prompt; returns the logits of the next token, in f32."""
        numbers = self._checked(tokens)
        if not 1 <= len(numbers) <= self.prompt:
            raise ArgumentError(
                f"the prompt has {counted(len(numbers), 'token')}; this model is compiled for 1 to {self.prompt} (prompt=)"
            )
        count, self.length = len(numbers), 0
        padded = torch.tensor(numbers + [0] * (self.prompt - count))
        _, y = self._through(self.weights.embed(padded, 0), torch.arange(self.prompt), count)[-1]
        return self._logits(y[count - 1 : count])

    def step(self, token: int) -> Any:
        """Adds `token` to the sequence and returns the logits of the next token."""
        [number] = self._checked([token])
        if not self.length:
            raise ArgumentError("there is no sequence to add a token to: call prefill first")
        if self.length == self.context:
            raise ArgumentError(f"the sequence has {counted(self.context, 'token')}, for which the cache is made (context=)")
        x = self.weights.embed(torch.tensor([number]), self.length)
        if ("token", True) in self.programs:
            self.length += 1
            return array_of(self._run("token", True, self.cache, x[0], self.length - 1))
        _, y = self._through(x, torch.tensor([self.length]), 1)[-1]
        return self._logits(y)

    def generate(
        self,
        tokens: Sequence[int],
        new_tokens: int = 16,
        *,
        stop: int | None = None,
        pick: Callable[[Tensor], int] | None = None,
    ) -> list[int]:
        """Up to `new_tokens` tokens after the prompt, until token `stop`. `pick` selects a token by its logits (by default the
        largest).
        """
        value, count = self._checked(tokens), _integer("new_tokens", new_tokens)
        if stop is not None:
            _integer("stop", stop)
        if pick is not None and not callable(pick):
            raise ArgumentError(f"pick is {pick!r}, expected a function of logits")
        if count < 0 or len(value) + count - 1 > self.context:
            raise OptionError(
                f"{counted(len(value), 'token')} and {count} new ones do not fit into a cache of {self.context} (context=)"
            )
        choose = pick or (lambda logits: logits.argmax())
        results: list[int] = []
        for n in range(count):
            results.append(_integer("what pick returned", choose(self.step(results[-1]) if n else self.prefill(value))))
            if results[-1] == stop:
                break
        return results

    def estimate(self, context: Sequence[int] | int | None = None, **options: Any) -> Estimate:
        """Predicted times of this model, by default for its compiled context; see `allo_air.llm.estimate`."""
        values = {"device": self.device, "weights": self.kind, "group": self.group, "bfp16": self.bfp16, **options}
        return estimate(self.form, self.context if context is None else context, **values)

    def layer_outputs(self, tokens: torch.Tensor) -> list[Any]:
        """The outputs of each layer for a prompt of `prompt` tokens, and the logits of its last token."""
        self.length = 0
        result = self._through(self.weights.embed(tokens, 0), torch.arange(len(tokens)), len(tokens))
        return [*(x for x, _ in result), self._run("head", True, result[-1][1][-1:], self.weights.head, self.weights.head_bias)]

    def _checked(self, tokens: Sequence[int]) -> list[int]:
        if isinstance(tokens, str | bytes) or getattr(tokens, "ndim", 1) != 1 or not isinstance(tokens, Iterable):
            shape = f" of {counted(tokens.ndim, 'dimension')}" if hasattr(tokens, "ndim") else ""
            raise ArgumentError(f"the tokens are {type(tokens).__name__}{shape}, expected a list of their numbers")
        numbers = [_integer("a token", t) for t in tokens]
        for number in numbers:
            if not 0 <= number < self.form.vocab:
                raise ArgumentError(f"token {number} is none of the {self.form.vocab} of the model's vocabulary")
        return numbers

    def _run(self, name: str, token: bool, *args: object) -> Any:
        return self.programs[name, token](*args)

    def _through(self, x: torch.Tensor, positions: torch.Tensor, count: int) -> list[tuple[Any, Any]]:
        """The rows `x` after each layer, also normalized for the next step. The first `count` rows are added to the cache."""
        token, begin = x.shape[0] == 1 and self.length > 0, self.length
        self.length += count
        layers = self.weights.layers
        y = self._normed(x, layers[0].before, token)
        result = list[tuple[Any, Any]]()
        for number, layer in enumerate(layers):
            following = layers[number + 1].before if number + 1 < len(layers) else self.weights.norm if layer.before else ()
            x, y = self._layer(x, y, layer, number, following, positions, token, begin)
            result.append((x, y))
        if not self.form.before_norms:
            result[-1] = x, norm(x, self.weights.norm, self.form.eps)
        return result

    def _layer(
        self,
        x: Tensor,
        y: object,
        layer: Layer,
        number: int,
        following: tuple[Any, ...],
        positions: object,
        token: bool,
        begin: int,
    ) -> Any:
        form, window = self.form, self.form.windows[number]
        angles = self.weights.angles(positions, form.positions(number))
        if token:
            row = self._run("project", True, layer.arranged("qkv", y), layer.qkv, layer.bias)
            q, k, v = heads_of_product(form, row, layer.norms, angles)
        else:
            q, k, v = self._run("project", False, layer.arranged("qkv", y), layer.qkv, layer.bias, layer.norms, angles)
        self._keep(number, begin, k, v)
        beside = y if not form.own_norm else self._normed(x, layer.between, token) if form.parallel else None
        between = () if form.parallel else layer.between
        if not token:
            result = layer.arranged("o", self._run(attention_name(window), False, q, k, v, self.weights.slopes))
            x, y = self._added("output", x, result, layer.o, layer.o_bias, layer.after, between)
        else:
            result = layer.arranged("o", self._attend(q, number, window))
            row = self._run("output", True, result, layer.o, layer.o_bias)
            x, y = residual_and_norm(form, x, row, layer.after, between)
        y = beside if form.parallel else y
        if form.experts:
            return residual_and_norm(form, x, self._mixture(y, layer, token), layer.last, following)
        z = self._run("gated", token, layer.arranged("gate_up", y), layer.gate_up, layer.inner_bias)
        if not token:
            return self._added("down", x, layer.arranged("down", z), layer.down, layer.down_bias, layer.last, following)
        row = self._run("down", True, layer.arranged("down", gated(form, z)), layer.down, layer.down_bias)
        return residual_and_norm(form, x, row, layer.last, following)

    def _normed(self, x: Tensor, weight: tuple[Tensor, ...], token: bool) -> Any:
        """Rows, normalized; a token's row on the host."""
        return norm(x, weight, self.form.eps) if token or not weight else self._run("norm", False, x, weight)

    def _added(self, name: str, *args: object) -> Any:
        """The rows after a block of a prompt, and these rows normalized for the next one."""
        result = self._run(name, False, *args)
        return result if isinstance(result, tuple) else (result, result)

    def _mixture(self, y: Tensor, layer: Layer, token: bool) -> Any:
        """The weighted sum of the outputs of the experts that rows `y` use."""
        shares, total = expert_weights(self.form, y, layer.router, layer.shared), torch.zeros_like(y, dtype=torch.float32)
        for share, expert in zip(shares.T, layer.experts, strict=True):
            if not bool(share.any()):
                continue
            z = self._run("gated", token, y, expert.gate_up, ())
            row = self._run("down", token, gated(self.form, z) if token else z, expert.down, ())
            total += share[:, None] * row.float()
        return total.to(y.dtype)

    def _keep(self, number: int, begin: int, keys: Tensor, values: Tensor) -> None:
        """Writes keys and values of tokens from `begin` on into a layer's cache."""
        new = keys[:, : self.length - begin], values[:, : self.length - begin]
        if self.order is not None:
            self.order.add(self.cache[number], begin, *new)
            return
        for cache, value in zip((self.keys, self.values), new, strict=True):
            cache[number, :, begin : self.length, : self.form.head] = value

    def _attend(self, q: object, number: int, window: int) -> Any:
        """Attention of one token. Without a cache in the cores' order, hidden keys are marked in an additional channel of the
        keys; with soft caps or slopes, in a separate mask.
        """
        if self.cache is not None:
            first = max(0, self.length - window) if window else 0
            return self._run("attend", True, self.cache[number], q, first, self.length)
        place = torch.arange(self.context)
        hidden = (place >= self.length) | ((place < self.length - window) if window else False)
        keys, values = self.keys[number], self.values[number]
        if self.form.has_mask:
            mask = torch.where(hidden, float("-inf"), 0.0)
            if self.form.alibi:
                mask = mask + self.weights.slopes[0].reshape(self.form.kv_heads, -1, 1) * place
            return self._run("attend", True, q, keys, values, (mask,))
        keys[:, :, self.form.head] = torch.where(hidden, HIDDEN, 0.0)
        return self._run("attend", True, with_mask(q), keys, values, ())

    def _logits(self, y: object) -> Any:
        return array_of(self._run("head", True, y, self.weights.head, self.weights.head_bias))


def _integer(name: str, value: int) -> int:
    """`value` as an integer; otherwise an ArgumentError about `name`."""
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)
    except TypeError:
        raise ArgumentError(f"{name} is {value!r}, expected a whole number") from None


def pieces(
    form: Form, kind: str, group: int, prompt: int, context: int, *, streams: bool = False
) -> dict[tuple[str, bool], Example]:
    """All pieces that a model needs, by name and by whether they are for a token."""
    prompts = examples(form, kind, group, prompt, context) if prompt > 1 else []
    tokens = examples(form, kind, group, 1, context, streams=streams)
    return {(e.name, False): e for e in prompts if e.name != "head"} | {(e.name, True): e for e in tokens}
