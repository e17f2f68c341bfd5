"""Inputs of the layers of a model: embedded tokens, and the angles of positions, both computed by the model's own modules."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import torch

from allo_air.llm.form import Form


class _Reached(Exception):
    """The first layer gets its input."""


def embedding(decoder: Any, module: torch.nn.Module) -> Callable[[Any], Any]:
    """What the first layer gets for tokens: the embedding, and what the decoder does with it, as Gemma's factor."""

    def embed(tokens: torch.Tensor) -> Any:
        rows = list[Any]()

        def stop(_layer: object, args: tuple[Any, ...], named: dict[str, Any]) -> None:
            rows.append(args[0] if args else named["hidden_states"])
            raise _Reached

        hook = decoder.layers[0].register_forward_pre_hook(stop, with_kwargs=True)
        try:
            with torch.no_grad():
                decoder(tokens[None])
        except _Reached:
            return rows[0][0]
        finally:
            hook.remove()
        with torch.no_grad():
            return module(tokens)

    return embed


def angles_of(decoder: torch.nn.Module, config: object, form: Form) -> Callable[[Any, int], tuple[Any, Any]]:
    """Cosines and sines [rows, rotary], computed by the model's modules, which may be others for layers with windows."""
    module, kind = getattr(decoder, "rotary_emb", None), getattr(torch, form.dtype)
    local: Any = getattr(decoder, "rotary_emb_local", module)
    by_layer = module is not None and "layer_type" in inspect.signature(module.forward).parameters

    def angles(positions: torch.Tensor, window: int) -> tuple[Any, Any]:
        example = torch.empty(1, dtype=kind)
        with torch.no_grad():
            if module is None:
                theta = float(getattr(config, "rope_theta", None) or 10000.0)
                frequencies = theta ** -(torch.arange(0, form.rotary, 2) / form.rotary)
                both = (positions[:, None].float() * frequencies).repeat(1, 2)
                return both.cos().to(kind), both.sin().to(kind)
            more = ("sliding_attention" if window else "full_attention",) if by_layer else ()
            cos, sin = (local if window else module)(example, positions[None], *more)
        return cos[0].contiguous(), sin[0].contiguous()

    return angles
