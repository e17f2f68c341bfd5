"""The tensors of a layer, from the parameters of a module."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import torch

from allo_air.llm.parameters import Parameters, Source, joined


@dataclass(frozen=True)
class Expert:
    """The matrices of one expert's feed-forward."""

    gate_up: tuple[Any, ...]
    down: tuple[Any, ...]


@dataclass(frozen=True)
class Layer:
    """The tensors of a layer; matrices are packed. Norms are a weight, and a bias if they subtract the mean. What is absent is
    an empty tuple.
    """

    before: tuple[Any, ...]
    qkv: tuple[Any, ...]
    """The matrices of queries, keys and values, concatenated along rows."""
    bias: tuple[Any, ...]
    norms: tuple[tuple[Any, ...], ...]
    """The norms of queries and of keys."""
    o: tuple[Any, ...]
    o_bias: tuple[Any, ...]
    after: tuple[Any, ...]
    between: tuple[Any, ...]
    gate_up: tuple[Any, ...]
    """The matrices of the gate and of the factor that it multiplies (`up`), concatenated along rows."""
    down: tuple[Any, ...]
    last: tuple[Any, ...]
    inner_bias: tuple[Any, ...] = ()
    down_bias: tuple[Any, ...] = ()
    router: Any = None
    """The matrix that computes a score for each expert."""
    experts: tuple[Expert, ...] = ()
    shared: Any = ()
    """The matrix that computes the weight of the expert that all tokens use."""
    sources: dict[str, tuple[Source, ...]] = field(default_factory=dict)
    """The modules from which each matrix is joined."""
    orders: dict[str, Any] = field(default_factory=dict)
    """For matrices with permuted columns: the order of the columns, by the matrix's name."""

    def arranged(self, name: str, rows: Any) -> Any:
        """`rows` with their columns permuted to the order of a matrix."""
        return rows[:, self.orders[name]] if name in self.orders else rows


def layer_of(state: Parameters, in_pairs: bool) -> Layer:
    """The tensors of the layer whose parameters are in `state`. If `in_pairs`, the model rotates pairs of neighbours: they are
    moved to the halves of a head.
    """
    form, sources = state.form, dict[str, tuple[Source, ...]]()
    elements = _halves(form.rotary, form.head) if in_pairs else None
    qkv, bias, sources["qkv"] = _projection(state, elements)
    router, experts = _experts(state) if form.experts else (None, ())
    shared, parts = _shared(state) if form.shared else ((), ())
    gate_up, inner_bias = ((), ()) if form.experts else _first_half(state, sources)
    norms: tuple[Any, ...] = ()
    if form.head_norms:
        counts = {"q": form.heads, "k": form.kv_heads}
        norms = tuple(state.norm_of_heads(f"self_attn.{n}_norm", count, elements) for n, count in counts.items())
    after, between, last = (state.norm(n) for n in _norm_names(state))
    o_bias = state.bias("self_attn.o_proj", form.hidden)
    before = state.norm("input_layernorm")
    o = _matrix(state, "o", "self_attn.o_proj", sources)
    down = () if form.experts else _matrix(state, "down", "mlp.down_proj", sources)
    down_bias = () if form.experts else state.bias("mlp.down_proj", form.hidden)
    state.check_all_taken()
    return Layer(
        before, qkv, bias, norms, o, o_bias, after, between, gate_up, down, last, inner_bias, down_bias,
        router, (*experts, *parts), shared, sources,
    )  # fmt: skip


def _norm_names(state: Parameters) -> tuple[str, str, str]:
    """The names of the norms after attention, before the feed-forward, and after it."""
    second = "post_attention_layernorm"
    if state.has("post_feedforward_layernorm"):
        return second, "pre_feedforward_layernorm", "post_feedforward_layernorm"
    return "post_self_attn_layernorm", second, "post_mlp_layernorm"


def _halves(rotary: int, head: int) -> Any:
    """The elements of a head: of the pairs that are rotated, first all left ones, then all right ones."""
    return torch.cat((torch.arange(0, rotary, 2), torch.arange(1, rotary, 2), torch.arange(rotary, head)))


def _matrix(state: Parameters, name: str, place: str, sources: dict[str, tuple[Source, ...]]) -> tuple[Any, ...]:
    sources[name] = (state.source(place),)
    return (state.get(f"{place}.weight", *state.form.linears[name]),)


def _projection(
    state: Parameters, elements: torch.Tensor | None
) -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[Source, ...]]:
    """The matrix of queries, keys and values, and its bias. The model may store them separately, or those of a key together."""
    form, room = state.form, "self_attn"
    rows, columns = form.linears["qkv"]
    order = torch.arange(rows).reshape(-1, form.head)
    if state.has(f"{room}.query_key_value"):
        own = order.reshape(form.kv_heads, form.group + 2, form.head)
        order = torch.cat((own[:, :-2].reshape(-1, form.head), own[:, -2], own[:, -1]))
    rotated = form.heads + form.kv_heads
    if elements is not None:
        order = torch.cat((order[:rotated, elements], order[rotated:]))
    flat = order.flatten()
    whole = next((n for n in ("qkv_proj", "query_key_value") if state.has(f"{room}.{n}")), None)
    if whole is not None:
        parts = {whole: None if torch.equal(flat, torch.arange(rows)) else flat}
        sizes = {whole: rows}
    else:
        wide, narrow = form.heads * form.head, form.kv_heads * form.head
        sizes = {"q_proj": wide, "k_proj": narrow, "v_proj": narrow}
        starts = dict(zip(sizes, (0, wide, wide + narrow), strict=True))
        parts = {n: None if elements is None else flat[s : s + sizes[n]] - s for n, s in starts.items()}
    sources = tuple(state.source(f"{room}.{n}", moved) for n, moved in parts.items())
    matrix = joined(s.of(state.get(f"{room}.{n}.weight", sizes[n], columns)) for n, s in zip(parts, sources, strict=True))
    if not form.qkv_bias:
        return (matrix,), (), sources
    bias = joined(s.of(state.get(f"{room}.{n}.bias", sizes[n])) for n, s in zip(parts, sources, strict=True))
    return (matrix,), (bias,), sources


def _first_half(state: Parameters, sources: dict[str, tuple[Source, ...]]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The matrices of the gate and of `up`, or of `up` only; and their bias. The model may store them as one parameter."""
    rows, columns = state.form.linears["gate_up"]
    names = ["gate_up"] if state.has("mlp.gate_up_proj") else ["gate", "up"] if state.form.gate else ["up"]
    size = rows // len(names)
    sources["gate_up"] = tuple(state.source(f"mlp.{n}_proj") for n in names)
    matrix = joined(state.get(f"mlp.{n}_proj.weight", size, columns) for n in names)
    bias = (joined(state.get(f"mlp.{n}_proj.bias", size) for n in names),) if state.form.inner_bias else ()
    return (matrix,), bias


def _experts(state: Parameters) -> tuple[Any, tuple[Expert, ...]]:
    """The router and the experts. The model may store the experts' matrices separately or together."""
    count, hidden, inner = state.form.experts, state.form.hidden, state.form.inner
    room = "block_sparse_moe" if state.has("block_sparse_moe.gate.weight") else "mlp"
    router = state.get(f"{room}.gate.weight", count, hidden)
    if state.has(f"{room}.experts.gate_up_proj"):
        both = state.get(f"{room}.experts.gate_up_proj", count, 2 * inner, hidden)
        down = state.get(f"{room}.experts.down_proj", count, hidden, inner)
        return router, tuple(Expert((b,), (d,)) for b, d in zip(both, down, strict=True))
    names = ("w1", "w3", "w2") if state.has(f"{room}.experts.0.w1.weight") else ("gate_proj", "up_proj", "down_proj")
    sizes = [(inner, hidden), (inner, hidden), (hidden, inner)]
    results = list[Expert]()
    for number in range(count):
        gate, up, down = (state.get(f"{room}.experts.{number}.{n}.weight", *size) for n, size in zip(names, sizes, strict=True))
        results.append(Expert((torch.cat((gate, up)),), (down,)))
    return router, tuple(results)


def _shared(state: Parameters) -> tuple[Any, tuple[Expert, ...]]:
    """The matrix for the weight of the expert that all tokens use, and this expert as several of the others' size."""
    form, room = state.form, "mlp.shared_expert"
    size = len(state.tensors.get(f"{room}.gate_proj.weight", ()))
    gate, up = (state.get(f"{room}.{n}_proj.weight", size, form.hidden) for n in ("gate", "up"))
    down = state.get(f"{room}.down_proj.weight", form.hidden, size)
    more = form.shared * form.inner - size
    gates, ups = (torch.nn.functional.pad(m, (0, 0, 0, more)).split(form.inner) for m in (gate, up))
    downs = torch.nn.functional.pad(down, (0, more)).split(form.inner, 1)
    parts = tuple(Expert((torch.cat((g, u)),), (d.contiguous(),)) for g, u, d in zip(gates, ups, downs, strict=True))
    return state.get("mlp.shared_expert_gate.weight", 1, form.hidden), parts
