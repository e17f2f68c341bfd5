"""Compares the compiled form of a model with the model: both run on the host for a few tokens, layer by layer."""

from __future__ import annotations

from typing import Any

import torch

from allo_air.errors import AlloAirError, counted
from allo_air.llm.reading import Weights, layers_of

_TOKENS = 5
"""Number of compared tokens if no layer has a window."""
_LIMITS = {torch.float32: 1e-3, torch.bfloat16: 0.1}


def check_form(model: torch.nn.Module, weights: Weights, run: Any, prompt: int) -> None:
    """Raises an AlloAirError that names the first module whose results in the pieces differ from those in `model`, relative to
    the largest.

    `run` returns the outputs of each layer and of the head for up to `prompt` tokens. If layers have windows, more tokens than
    the largest window are compared if the prompt permits it, so that the windows hide some of them.
    """
    count = min(prompt, max(_TOKENS, *(w + 2 for w in weights.form.windows)))
    tokens = torch.arange(count) * 7 % weights.form.vocab
    seen: dict[int, Any] = {}
    hooks = [
        layer.register_forward_hook(lambda _module, _given, item, n=n: seen.update({n: _first(item)}))
        for n, layer in enumerate(layers_of(model))
    ]
    try:
        with torch.no_grad():
            value = model(tokens[None])
    finally:
        for hook in hooks:
            hook.remove()
    logits = getattr(value, "logits", None)
    expected = [seen[n][0] for n in sorted(seen)] + [(_first(value) if logits is None else logits)[0, -1]]
    result = run(tokens)
    names = [f"layers[{n}] ({type(m).__name__})" for n, m in enumerate(layers_of(model))]
    for name, want, have in zip([*names, f"the logits of {type(model).__name__}"], expected, result, strict=True):
        if want.shape != have.shape:
            raise AlloAirError(f"{name}: results are {list(want.shape)}, those of its form {list(have.shape)}")
        far = float((want.float() - have.float()).abs().max() / want.float().abs().max().clamp_min(1e-30))
        if not far <= _LIMITS.get(want.dtype, 0.1):
            raise AlloAirError(
                f"{name}: results are not those of the form that its parts and configuration describe: {far:.1e} off, relative"
                f" to the largest, for {counted(count, 'token')}; its forward differs; use allo_air.torch for other models"
            )


def check_positions(weights: Weights, context: int) -> None:
    """Raises an OptionError if the model has no embedding of the last of `context` positions."""
    weights.embed(torch.tensor([0]), context - 1)


def _first(tensor: torch.Tensor) -> Any:
    return tensor if isinstance(tensor, torch.Tensor) else tensor[0]
