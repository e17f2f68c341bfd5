"""Inputs of the layers of a model: embedded tokens, and tensors that depend on positions, computed by the model's own
modules."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

import torch

from allo_air.errors import OptionError
from allo_air.llm.form import Form

_ROTATIONS = ("rotate_half", "rotate_every_two")


class _Reached(Exception):
    """The first layer gets its input."""


def _first_inputs(
    decoder: torch.nn.Module, layer: torch.nn.Module, tokens: torch.Tensor, begin: int
) -> tuple[Any, dict[str, Any]] | None:
    """The rows that the first layer gets for tokens at positions from `begin` on, and its other arguments by name."""
    results = list[tuple[Any, dict[str, Any]]]()
    positions = {"position_ids": torch.arange(begin, begin + len(tokens))[None]}
    options = positions if "position_ids" in inspect.signature(decoder.forward).parameters else {}

    def stop(_layer: object, args: tuple[Any, ...], named: dict[str, Any]) -> None:
        results.append((args[0] if args else named["hidden_states"], named))
        raise _Reached

    hook = layer.register_forward_pre_hook(stop, with_kwargs=True)
    try:
        with torch.no_grad():
            decoder(tokens[None], **options)
    except _Reached:
        return results[0]
    finally:
        hook.remove()
    return None


def embedding(decoder: torch.nn.Module, layer: torch.nn.Module, module: torch.nn.Module) -> Callable[[Any, int], Any]:
    """A function for the rows that the first layer gets: embedded tokens, changed by the decoder, as by Gemma's factor."""

    def embed(tokens: torch.Tensor, begin: int) -> Any:
        try:
            rows = _first_inputs(decoder, layer, tokens, begin)
        except IndexError:
            end = begin + len(tokens)
            raise OptionError(
                f"{type(decoder).__name__} has no embedding of position {end - 1}; use a smaller context="
            ) from None
        if rows is not None:
            return rows[0][0]
        with torch.no_grad():
            return module(tokens)

    return embed


def slopes_of(decoder: torch.nn.Module, layer: torch.nn.Module) -> tuple[Any, ...]:
    """For each head, the difference between the additions to the scores of consecutive keys, in f32; empty if there is none.

    Models pass it to their layers: in the mask, or as a tensor for each head and key.
    """
    _, named = _first_inputs(decoder, layer, torch.tensor([0, 0]), 0) or (None, {})
    mask = named.get("attention_mask")
    if isinstance(mask, torch.Tensor) and mask.ndim == 4 and mask.shape[1] > 1:
        return ((mask[0, :, -1, 1] - mask[0, :, -1, 0]).float(),)
    for bias in (named.get("alibi"), named.get("position_bias")):
        if isinstance(bias, torch.Tensor) and bias.ndim == 3:
            return ((bias[:, -1, -1] - bias[:, -1, -2]).float(),)
    return ()


def rotates_pairs(layer: torch.nn.Module) -> bool:
    """Whether a layer rotates adjacent elements of a head instead of elements of its halves, as the model's function does."""
    for module in layer.modules():
        space = vars(sys.modules.get(type(module).__module__, object))
        for name in _ROTATIONS:
            if name in space:
                return space[name](torch.arange(4.0).reshape(1, 1, 1, 4)).flatten().tolist() == [-1.0, 0.0, -3.0, 2.0]
    return False


def angles_of(
    decoder: torch.nn.Module, config: object, form: Form, in_pairs: bool
) -> Callable[[Any, tuple[int, bool]], tuple[Any, ...]]:
    """Cosines and sines [rows, rotary], computed by the model's modules, which may be others for layers with windows.

    They are 1 and 0 for layers that do not rotate.
    """
    module, kind = getattr(decoder, "rotary_emb", None), getattr(torch, form.dtype)
    local: Any = getattr(decoder, "rotary_emb_local", module)
    by_layer = module is not None and "layer_type" in inspect.signature(module.forward).parameters

    def halves(values: torch.Tensor) -> Any:
        own = values[0]
        if 2 * own.shape[1] == form.rotary:  # an angle for both elements that are rotated together, as in GPT-J
            return own.repeat(1, 2)
        if not in_pairs:
            return own.contiguous()
        left, right = own[:, ::2], own[:, 1::2]
        return (left if torch.equal(left, right) else own[:, : own.shape[1] // 2]).repeat(1, 2)

    def angles(positions: torch.Tensor, which: tuple[int, bool]) -> tuple[Any, ...]:
        window, is_rotated = which
        example = torch.empty(1, dtype=kind)
        if not form.rotary:
            return ()
        if not is_rotated:
            ones = torch.ones(len(positions), form.rotary, dtype=kind)
            return ones, ones * 0
        with torch.no_grad():
            if module is None:
                theta = float(getattr(config, "rope_theta", None) or 10000.0)
                frequencies = theta ** -(torch.arange(0, form.rotary, 2) / form.rotary)
                both = (positions[:, None].float() * frequencies).repeat(1, 2)
                return both.cos().to(kind), both.sin().to(kind)
            more = ("sliding_attention" if window else "full_attention",) if by_layer else ()
            both = (local if window else module)(example, positions[None], *more)
            begin = (local if window else module)(example, positions[None, :1] * 0, *more)
        cos, sin = both if bool(begin[0].any()) else both[::-1]  # GPT-J returns sines first
        return halves(cos), halves(sin)

    return angles
