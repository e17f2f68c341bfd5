"""A causal language model whose layers run on the array: prompts, tokens and a cache of keys and values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from allo_air.errors import ArgumentError, OptionError
from allo_air.importers.torch_arrays import array_of
from allo_air.llm.examples import Example, attention_name, examples
from allo_air.llm.form import Form
from allo_air.llm.predicted import Estimate, estimated
from allo_air.llm.reading import Layer, Weights


@dataclass(eq=False)
class LanguageModel:
    """What `allo_air.llm.compile` returns. It holds one sequence: `prefill` begins it, `step` adds a token."""

    weights: Weights = field(repr=False)
    device: str
    context: int
    prompt: int
    kind: str
    group: int
    programs: dict[tuple[str, bool], Callable[..., Any]] = field(repr=False)
    """Pieces by their names, and whether they are a token's."""

    def __post_init__(self) -> None:
        form = self.form
        shape = (form.layers, form.kv_heads, self.context, form.head)
        self.keys, self.values = (torch.zeros(shape, dtype=getattr(torch, form.dtype)) for _ in range(2))
        self.length = 0

    @property
    def form(self) -> Form:
        """Sizes and variants of the model."""
        return self.weights.form

    def prefill(self, tokens: Sequence[int]) -> Any:
        """Begins a sequence; the logits of the token that follows, as an array of f32."""
        numbers = self._checked(tokens)
        if not 1 <= len(numbers) <= self.prompt:
            raise ArgumentError(
                f"the prompt has {len(numbers)} tokens; this model is compiled for 1 to {self.prompt} (prompt=)"
            )
        count, self.length = len(numbers), 0
        padded = torch.tensor(numbers + [0] * (self.prompt - count))
        x = self._through(self.weights.embed(padded), torch.arange(self.prompt), count)[-1]
        return self._logits(x[count - 1 : count])

    def step(self, token: int) -> Any:
        """Adds `token` to the sequence; the logits of the one that follows."""
        [number] = self._checked([token])
        if not self.length:
            raise ArgumentError("there is no sequence to add a token to: call prefill first")
        if self.length == self.context:
            raise ArgumentError(f"the sequence has {self.context} tokens, for which the cache is made (context=)")
        x = self._through(self.weights.embed(torch.tensor([number])), torch.tensor([self.length]), 1)[-1]
        return self._logits(x)

    def generate(self, tokens: Sequence[int], new_tokens: int = 16, *, stop: int | None = None, pick: Any = None) -> list[int]:
        """Up to `new_tokens` tokens behind the prompt, until `stop` is one; `pick` gives a token for logits (the greatest)."""
        if new_tokens < 0 or len(tokens) + new_tokens - 1 > self.context:
            raise OptionError(
                f"{len(tokens)} tokens and {new_tokens} new ones do not fit into a cache of {self.context} (context=)"
            )
        choose = pick or (lambda logits: int(logits.argmax()))
        found: list[int] = []
        for n in range(new_tokens):
            found.append(int(choose(self.step(found[-1]) if n else self.prefill(tokens))))
            if found[-1] == stop:
                break
        return found

    def estimate(self, context: Sequence[int] = (), **options: Any) -> Estimate:
        """Predicted times of this model, by default for the context it is compiled for; see `allo_air.llm.estimate`."""
        given = {"device": self.device, "weights": self.kind, "group": self.group, **options}
        return estimated(self.form, list(context) or [self.context], **given)

    def behind_layers(self, tokens: Any) -> list[Any]:
        """What each layer gives for the rows of a prompt, which is as long as `prompt`, and the logits of the last one."""
        self.length = 0
        found = self._through(self.weights.embed(tokens), torch.arange(len(tokens)), len(tokens))[1:]
        return [*found, self._run("head", True, found[-1][-1:], self.weights.norm, self.weights.head)]

    def _checked(self, tokens: Sequence[int]) -> list[int]:
        numbers = [int(t) for t in tokens]
        for number in numbers:
            if not 0 <= number < self.form.vocab:
                raise ArgumentError(f"token {number} is none of the {self.form.vocab} of the model's vocabulary")
        return numbers

    def _run(self, name: str, token: bool, *args: Any) -> Any:
        return self.programs[name, token](*args)

    def _through(self, x: Any, positions: Any, count: int) -> list[Any]:
        """Rows `x` behind each layer; keys and values of the first `count` rows are added to the cache."""
        token, begin = x.shape[0] == 1 and self.length > 0, self.length
        self.length += count
        found = [x]
        for number, layer in enumerate(self.weights.layers):
            found.append(self._layer(found[-1], layer, number, positions, token, begin))
        return found

    def _layer(self, x: Any, layer: Layer, number: int, positions: Any, token: bool, begin: int) -> Any:
        window = self.form.windows[number]
        cos, sin = self.weights.angles(positions, window)
        given = (layer.before, layer.q, layer.k, layer.v, layer.biases, layer.norms)
        q, k, v = self._run("project", token, x, *given, cos, sin)
        for cache, new in ((self.keys, k), (self.values, v)):
            cache[number, :, begin : self.length] = new[:, : self.length - begin]
        if token:
            found = self._run("attend", True, q, self.keys[number], self.values[number], self._mask(window))
        else:
            found = self._run(attention_name(window), False, q, k, v)
        x = self._run("output", token, x, found, layer.o, layer.o_bias, layer.after)
        y = self._run("gated", token, x, layer.between, layer.gate, layer.up)
        return self._run("down", token, x, y, layer.down, layer.last)

    def _mask(self, window: int) -> Any:
        number = torch.arange(self.context)
        seen = number < self.length
        if window:
            seen &= number >= self.length - window
        return torch.where(seen, 0.0, float("-inf"))

    def _logits(self, x: Any) -> Any:
        return array_of(self._run("head", True, x, self.weights.norm, self.weights.head))


def pieces(form: Form, kind: str, group: int, prompt: int, context: int) -> dict[tuple[str, bool], Example]:
    """All pieces that a model needs, by name and whether they are a token's."""
    prompts = examples(form, kind, group, prompt, context) if prompt > 1 else []
    tokens = examples(form, kind, group, 1, context)
    return {(e.name, False): e for e in prompts if e.name != "head"} | {(e.name, True): e for e in tokens}
