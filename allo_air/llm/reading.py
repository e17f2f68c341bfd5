"""Reads the weights of a PyTorch causal language model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch

from allo_air.errors import ArgumentError, counted
from allo_air.llm.checkpoints import Checkpoint
from allo_air.llm.configs import form_of
from allo_air.llm.form import Form
from allo_air.llm.inputs import angles_of, embedding, rotates_pairs, slopes_of
from allo_air.llm.layers import Expert, Layer, layer_of
from allo_air.llm.parameters import Parameters, parameter_name
from allo_air.llm.quantized import packed

_LAYERS = ("layers", "h", "blocks")
_LAST_NORMS = ("norm", "ln_f", "norm_f", "final_layer_norm", "final_layernorm")


@dataclass(frozen=True)
class Weights:
    """A model's tensors, and its functions on the host: `embed` of tokens from a position on, `angles` of positions in
    a layer."""

    form: Form
    layers: tuple[Layer, ...]
    norm: tuple[Any, ...]
    head: tuple[Any, ...]
    embed: Callable[[Any, int], Any]
    angles: Callable[[Any, tuple[int, bool]], tuple[Any, ...]]
    head_bias: tuple[Any, ...] = ()
    slopes: tuple[Any, ...] = ()
    """The growth of the scores of each head from a key to the next one."""

    def packed(self, kind: str, group: int, checkpoint: Checkpoint | None = None) -> Weights:
        """The same with its dense matrices packed as `kind`. A checkpoint's integers of this kind are used unchanged."""
        if kind == "dense":
            return self

        def layer(number: int, layer: Layer) -> Layer:
            matrices, orders = dict[str, Any](), dict[str, Any]()
            for name in (n for n in self.form.linears if getattr(layer, n)):
                text = f"layer {number}, {name}"
                groups = checkpoint.joined(layer.sources[name], kind) if checkpoint is not None else None
                matrices[name] = (
                    packed(getattr(layer, name)[0], kind, group, text) if groups is None else groups.packed(group, text)
                )
                if groups is not None and groups.order is not None:
                    orders[name] = groups.order
            experts = tuple(
                Expert(*(packed(m[0], kind, group, f"layer {number}, an expert's {n}") for n, m in vars(e).items()))
                for e in layer.experts
            )
            return replace(layer, orders=orders, experts=experts, **matrices)

        layers = tuple(layer(n, value) for n, value in enumerate(self.layers))
        return replace(self, layers=layers, head=packed(self.head[0], kind, group, "the head"))


def decoder_of(model: torch.nn.Module) -> tuple[str, Any]:
    """The module of `model` that holds its layers as `layers`, `h` or `blocks`; with the name of its list of layers."""
    for name, module in model.named_modules():
        own, _, last = name.rpartition(".")
        if last in _LAYERS and isinstance(module, torch.nn.ModuleList) and len(module):
            return name, model.get_submodule(own)
    raise ArgumentError(f"{type(model).__name__} has no list of layers: no torch.nn.ModuleList is named {' or '.join(_LAYERS)}")


def layers_of(model: torch.nn.Module) -> list[Any]:
    """The layers of a model."""
    return list(model.get_submodule(decoder_of(model)[0]).children())


def read(model: torch.nn.Module) -> Weights:
    """The weights of `model`; ArgumentError names the module whose parameters are missing, unknown or of another shape."""
    if not isinstance(model, torch.nn.Module):
        raise ArgumentError(f"the model is {type(model).__name__}, expected a torch.nn.Module with its configuration")
    config = getattr(model, "config", None)
    if config is None:
        raise ArgumentError(f"{type(model).__name__} has no configuration: give it an attribute 'config' with hidden_size, ...")
    (place, decoder), modules = decoder_of(model), layers_of(model)
    embed = _embedding(decoder)
    kinds = {p.dtype for p in model.parameters()}
    if len(kinds) != 1 or next(iter(kinds)) not in (torch.bfloat16, torch.float32):
        result = ", ".join(sorted(str(k).removeprefix("torch.") for k in kinds))
        raise ArgumentError(
            f"{type(model).__name__} has weights of {result}; expected bfloat16 or float32 for all: call model.bfloat16()"
        )
    form = form_of(config, str(next(iter(kinds))).removeprefix("torch."))
    if len(modules) != form.layers:
        raise ArgumentError(f"{type(model).__name__} has {counted(len(modules), 'layer')}, its configuration {form.layers}")
    states = [
        Parameters(f"layers[{n}] ({type(layer).__name__})", layer, form, f"{place}.{n}.") for n, layer in enumerate(modules)
    ]
    first, slopes = states[0], slopes_of(decoder, modules[0])
    form = _with_parameters(form, first, bool(slopes))
    if not form.alibi and getattr(decoder, "rotary_emb", None) is None and not _has_angles(config):
        form = replace(form, rotary=0)
    in_pairs = bool(form.rotary) and rotates_pairs(modules[0])
    layers = tuple(layer_of(replace_form(s, form), in_pairs) for s in states)
    head = getattr(model, "lm_head", getattr(model, "embed_out", None))
    head_bias = getattr(head, "bias", None)
    weight = (embed if head is None else head).weight.detach()
    if tuple(weight.shape) != (form.vocab, form.hidden):
        raise ArgumentError(f"lm_head: its weight is {list(weight.shape)}, expected [{form.vocab}, {form.hidden}]")
    form = replace(form, tied=weight.data_ptr() == embed.weight.data_ptr(), head_bias=head_bias is not None)
    rest = Parameters(type(model).__name__, decoder, form)
    last = next((n for n in _LAST_NORMS if hasattr(decoder, n)), None)
    if last is None:
        raise ArgumentError(f"{type(model).__name__}: {type(decoder).__name__} has no last norm ({', '.join(_LAST_NORMS)})")
    return Weights(
        form,
        layers,
        rest.norm(parameter_name(last)),
        (weight,),
        embedding(decoder, modules[0], embed),
        angles_of(decoder, config, form, in_pairs),
        () if head_bias is None else (head_bias.detach(),),
        slopes,
    )


def _has_angles(config: object) -> bool:
    """Whether a configuration has rotary positions."""
    return any(getattr(config, n, None) is not None for n in ("rope_theta", "rope_parameters", "rotary_dim"))


def _with_parameters(form: Form, state: Parameters, alibi: bool) -> Form:
    """`form` with the properties that the parameters of a layer show."""
    attention, norm, second = "self_attn", "input_layernorm", "post_attention_layernorm"
    size, after = state.size("self_attn.q_norm.weight"), state.has("post_feedforward_layernorm", "post_mlp_layernorm")
    has_second = state.has(second) or after
    return replace(
        form,
        centered=state.is_centered(norm if state.has(norm) else second),
        parallel=form.parallel or not has_second,
        own_norm=has_second,
        gate=bool(form.experts) or state.has("mlp.gate_proj", "mlp.gate_up_proj"),
        qkv_bias=state.has(*(f"{attention}.{n}.bias" for n in ("q_proj", "qkv_proj", "query_key_value"))),
        out_bias=state.has(f"{attention}.o_proj.bias"),
        inner_bias=state.has("mlp.up_proj.bias", "mlp.gate_up_proj.bias"),
        down_bias=state.has("mlp.down_proj.bias"),
        head_norms=state.has(f"{attention}.q_norm"),
        norm_of_each_head=state.has(f"{attention}.q_norm.norms.0") or state.dimensions(f"{attention}.q_norm.weight") == 2,
        after_norms=after,
        before_norms=state.has(norm),
        whole_norms=state.dimensions(f"{attention}.q_norm.weight") == 1 and size == form.heads * form.head != form.head,
        alibi=alibi,
        rotary=0 if alibi else form.rotary,
    )


def replace_form(state: Parameters, form: Form) -> Parameters:
    """`state` for `form`."""
    state.form = form
    return state


def _embedding(decoder: torch.nn.Module) -> Any:
    """The module that embeds tokens: the first one of its kind in the decoder."""
    result = next((m for m in decoder.children() if isinstance(m, torch.nn.Embedding)), None)
    if result is None:
        raise ArgumentError(f"{type(decoder).__name__} has no torch.nn.Embedding, which embeds its tokens")
    return result
