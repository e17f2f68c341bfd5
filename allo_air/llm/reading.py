"""Reads the weights of a PyTorch causal language model, by the parameter names of Llama-like models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from allo_air.errors import ArgumentError
from allo_air.llm.checkpoints import Checkpoint
from allo_air.llm.form import Form, form_of
from allo_air.llm.inputs import angles_of, embedding
from allo_air.llm.quantized import packed


@dataclass(frozen=True)
class Expert:
    """The matrices of one expert's feed-forward."""

    gate_up: tuple[Any, ...]
    down: tuple[Any, ...]


@dataclass(frozen=True)
class Layer:
    """The tensors of a layer; matrices are packed, and absent tensors are an empty tuple."""

    before: Any
    qkv: tuple[Any, ...]
    """The matrices of queries, keys and values, concatenated along rows."""
    bias: tuple[Any, ...]
    norms: tuple[Any, ...]
    o: tuple[Any, ...]
    o_bias: tuple[Any, ...]
    after: tuple[Any, ...]
    between: Any
    gate_up: tuple[Any, ...]
    """The matrices of the gate and of the factor that it multiplies (`up`), concatenated along rows."""
    down: tuple[Any, ...]
    last: tuple[Any, ...]
    router: Any = None
    """The matrix that computes a score for each expert."""
    experts: tuple[Expert, ...] = ()
    shared: Any = ()
    """The matrix that computes the weight of the expert that all tokens use."""
    orders: dict[str, Any] = field(default_factory=dict)
    """For matrices with permuted columns: the order of the columns, by the matrix's name."""

    def arranged(self, name: str, rows: Any) -> Any:
        """`rows` with their columns permuted to the order of a matrix."""
        return rows[:, self.orders[name]] if name in self.orders else rows


@dataclass(frozen=True)
class Weights:
    """A model's tensors, and its functions on the host: `embed` of tokens, `angles` of positions in a layer."""

    form: Form
    layers: tuple[Layer, ...]
    norm: Any
    head: tuple[Any, ...]
    embed: Callable[[Any], Any]
    angles: Callable[[Any, int], tuple[Any, Any]]

    def packed(self, kind: str, group: int, checkpoint: Checkpoint | None = None) -> Weights:
        """The same with its dense matrices packed as `kind`. With int4, a checkpoint's 4-bit matrices are used unchanged."""
        if kind == "dense":
            return self

        def layer(number: int, layer: Layer) -> Layer:
            matrices, orders = dict[str, Any](), dict[str, Any]()
            for name in (n for n in self.form.linears if getattr(layer, n)):
                text = f"layer {number}, {name}"
                groups = checkpoint.joined(number, name) if checkpoint is not None and kind == "int4" else None
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


def decoder_of(model: torch.nn.Module) -> Any:
    """The module of `model` that holds its layers."""
    for item in (getattr(model, "model", None), model):
        layers = getattr(item, "layers", None)
        if isinstance(layers, torch.nn.ModuleList) and len(layers):
            return item
    raise ArgumentError(
        f"{type(model).__name__} has no list of layers: neither '.model.layers' nor '.layers' is a torch.nn.ModuleList"
    )


def read(model: torch.nn.Module) -> Weights:
    """The weights of `model`; ArgumentError names the module whose parameters are missing, unknown or of another shape."""
    if not isinstance(model, torch.nn.Module):
        raise ArgumentError(f"the model is {type(model).__name__}, expected a torch.nn.Module with its configuration")
    config = getattr(model, "config", None)
    if config is None:
        raise ArgumentError(f"{type(model).__name__} has no configuration: give it an attribute 'config' with hidden_size, ...")
    decoder = decoder_of(model)
    embed = _child(decoder, "embed_tokens", model)
    kinds = {p.dtype for p in model.parameters()}
    if len(kinds) != 1 or next(iter(kinds)) not in (torch.bfloat16, torch.float32):
        result = ", ".join(sorted(str(k).removeprefix("torch.") for k in kinds))
        raise ArgumentError(
            f"{type(model).__name__} has weights of {result}; expected bfloat16 or float32 for all: call model.bfloat16()"
        )
    form = form_of(config, str(next(iter(kinds))).removeprefix("torch."))
    if len(decoder.layers) != form.layers:
        raise ArgumentError(f"{type(model).__name__} has {len(decoder.layers)} layers, its configuration {form.layers}")
    states = [_State(f"layers[{n}] ({type(layer).__name__})", layer, form) for n, layer in enumerate(decoder.layers)]
    form = replace(
        form,
        qkv_bias=states[0].has("self_attn.q_proj.bias", "self_attn.qkv_proj.bias"),
        out_bias=states[0].has("self_attn.o_proj.bias"),
        head_norms=states[0].has("self_attn.q_norm.weight"),
        after_norms=states[0].has("post_feedforward_layernorm.weight"),
        before_norms=states[0].has("input_layernorm.weight"),
        whole_norms=states[0].size("self_attn.q_norm.weight") == form.heads * form.head != form.head,
    )
    layers = tuple(_layer(replace_form(s, form)) for s in states)
    rest = _State(type(model).__name__, decoder, form)
    head = getattr(model, "lm_head", None)
    if head is not None and getattr(head, "bias", None) is not None:
        raise ArgumentError(f"lm_head ({type(head).__name__}) has a bias, which is not compiled")
    weight = (embed if head is None else head).weight.detach()
    if tuple(weight.shape) != (form.vocab, form.hidden):
        raise ArgumentError(f"lm_head: its weight is {list(weight.shape)}, expected [{form.vocab}, {form.hidden}]")
    form = replace(form, tied=weight.data_ptr() == embed.weight.data_ptr())
    return Weights(
        form, layers, rest.norm("norm.weight"), (weight,), embedding(decoder, embed), angles_of(decoder, config, form)
    )


@dataclass
class _State:
    """The parameters of a module by name, with a record of those that were read."""

    name: str
    module: Any
    form: Form

    def __post_init__(self) -> None:
        self.tensors = {n: p.detach() for n, p in self.module.named_parameters()}
        self.taken = set[str]()

    def has(self, *names: str) -> bool:
        return any(n in self.tensors for n in names)

    def size(self, name: str) -> int:
        return len(self.tensors.get(name, ()))

    def get(self, name: str, *shape: int) -> Any:
        if name not in self.tensors:
            raise ArgumentError(f"{self.name} has no parameter '{name}'; it has {', '.join(self.tensors)}")
        tensor = self.tensors[name]
        if tuple(tensor.shape) != shape:
            raise ArgumentError(f"{self.name}: '{name}' is {list(tensor.shape)}, expected {list(shape)}")
        self.taken.add(name)
        return tensor.contiguous()

    def norm(self, name: str, size: int | None = None) -> Any:
        result = self.get(name, size or self.form.hidden)
        return result + 1 if self.form.unit_offset else result

    def matrix(self, name: str) -> tuple[Any, ...]:
        room = "mlp" if name == "down" else "self_attn"
        return (self.get(f"{room}.{name}_proj.weight", *self.form.linears[name]),)

    def projection(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The matrix of queries, keys and values, and its bias. The model may store them separately."""
        rows, columns = self.form.linears["qkv"]
        wide, narrow = self.form.heads * self.form.head, self.form.kv_heads * self.form.head
        if self.has("self_attn.qkv_proj.weight"):
            whole = self.get("self_attn.qkv_proj.weight", rows, columns)
            return (whole,), (self.get("self_attn.qkv_proj.bias", rows),) if self.form.qkv_bias else ()
        sizes = {"q": wide, "k": narrow, "v": narrow}
        whole = torch.cat([self.get(f"self_attn.{n}_proj.weight", size, columns) for n, size in sizes.items()])
        if not self.form.qkv_bias:
            return (whole,), ()
        return (whole,), (torch.cat([self.get(f"self_attn.{n}_proj.bias", size) for n, size in sizes.items()]),)

    def gated(self) -> tuple[Any, ...]:
        """The matrices of the gate and of `up`. The model may store them as one parameter."""
        rows, columns = self.form.linears["gate_up"]
        if self.has("mlp.gate_up_proj.weight"):
            return (self.get("mlp.gate_up_proj.weight", rows, columns),)
        return (torch.cat([self.get(f"mlp.{n}_proj.weight", rows // 2, columns) for n in ("gate", "up")]),)

    def experts(self) -> tuple[Any, tuple[Expert, ...]]:
        """The router and the experts. The model may store the experts' matrices separately or together."""
        count, hidden, inner = self.form.experts, self.form.hidden, self.form.inner
        room = "block_sparse_moe" if self.has("block_sparse_moe.gate.weight") else "mlp"
        router = self.get(f"{room}.gate.weight", count, hidden)
        if self.has(f"{room}.experts.gate_up_proj"):
            both = self.get(f"{room}.experts.gate_up_proj", count, 2 * inner, hidden)
            down = self.get(f"{room}.experts.down_proj", count, hidden, inner)
            return router, tuple(Expert((b,), (d,)) for b, d in zip(both, down, strict=True))
        names = ("w1", "w3", "w2") if self.has(f"{room}.experts.0.w1.weight") else ("gate_proj", "up_proj", "down_proj")
        sizes = [(inner, hidden), (inner, hidden), (hidden, inner)]
        results = list[Expert]()
        for number in range(count):
            gate, up, down = (
                self.get(f"{room}.experts.{number}.{n}.weight", *size) for n, size in zip(names, sizes, strict=True)
            )
            results.append(Expert((torch.cat((gate, up)),), (down,)))
        return router, tuple(results)

    def shared(self) -> tuple[Any, tuple[Expert, ...]]:
        """The matrix for the weight of the expert that all tokens use, and this expert as several of the others' size."""
        form, room = self.form, "mlp.shared_expert"
        size = len(self.tensors.get(f"{room}.gate_proj.weight", ()))
        gate, up = (self.get(f"{room}.{n}_proj.weight", size, form.hidden) for n in ("gate", "up"))
        down = self.get(f"{room}.down_proj.weight", form.hidden, size)
        more = form.shared * form.inner - size
        gates, ups = (torch.nn.functional.pad(m, (0, 0, 0, more)).split(form.inner) for m in (gate, up))
        downs = torch.nn.functional.pad(down, (0, more)).split(form.inner, 1)
        parts = tuple(Expert((torch.cat((g, u)),), (d.contiguous(),)) for g, u, d in zip(gates, ups, downs, strict=True))
        return self.get("mlp.shared_expert_gate.weight", 1, form.hidden), parts

    def check_all_taken(self) -> None:
        if rest := [n for n in self.tensors if n not in self.taken]:
            module = self.module.get_submodule(rest[0].rpartition(".")[0])
            raise ArgumentError(
                f"{self.name} has parameter '{rest[0]}' of {type(module).__name__}, which this form of models has not"
            )


def replace_form(state: _State, form: Form) -> _State:
    """`state` for `form`."""
    state.form = form
    return state


def _layer(state: _State) -> Layer:
    form = state.form
    qkv, bias = state.projection()
    router, experts = state.experts() if form.experts else (None, ())
    shared, parts = state.shared() if form.shared else ((), ())
    gate_up = () if form.experts else state.gated()
    norms: tuple[Any, ...] = ()
    if form.head_norms:
        sizes = {"q": form.heads, "k": form.kv_heads} if form.whole_norms else {"q": 1, "k": 1}
        norms = tuple(state.norm(f"self_attn.{n}_norm.weight", size * form.head) for n, size in sizes.items())
    second = state.norm("post_attention_layernorm.weight")
    after: tuple[Any, ...] = ()
    last: tuple[Any, ...] = ()
    between = second
    if form.after_norms:
        after, last = (second,), (state.norm("post_feedforward_layernorm.weight"),)
        between = state.norm("pre_feedforward_layernorm.weight") if form.before_norms else ()
    o_bias = (state.get("self_attn.o_proj.bias", form.hidden),) if form.out_bias else ()
    before = state.norm("input_layernorm.weight") if form.before_norms else ()
    o, down = state.matrix("o"), () if form.experts else state.matrix("down")
    state.check_all_taken()
    return Layer(before, qkv, bias, norms, o, o_bias, after, between, gate_up, down, last, router, (*experts, *parts), shared)


def _child(decoder: torch.nn.Module, name: str, model: torch.nn.Module) -> Any:
    result = getattr(decoder, name, None)
    if result is None or getattr(result, "weight", None) is None:
        raise ArgumentError(f"{type(model).__name__}: {type(decoder).__name__} has no module '{name}' with weights")
    return result
