"""The parameters of a layer by the names of Llama, whatever the model calls them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import torch

from allo_air.errors import ArgumentError
from allo_air.llm.form import Form

_ROOMS = {"attn": "self_attn", "attention": "self_attn", "self_attention": "self_attn", "ffn": "mlp"}
_NAMES = {
    "self_attn.dense": "self_attn.o_proj", "self_attn.out_proj": "self_attn.o_proj", "self_attn.c_proj": "self_attn.o_proj",
    "self_attn.c_attn": "self_attn.qkv_proj", "self_attn.Wqkv": "self_attn.qkv_proj",
    "self_attn.q_layernorm": "self_attn.q_norm", "self_attn.k_layernorm": "self_attn.k_norm",
    "fc1": "mlp.up_proj", "fc2": "mlp.down_proj", "mlp.fc1": "mlp.up_proj", "mlp.fc2": "mlp.down_proj",
    "mlp.fc_in": "mlp.up_proj", "mlp.fc_out": "mlp.down_proj", "mlp.c_fc": "mlp.up_proj", "mlp.c_proj": "mlp.down_proj",
    "mlp.dense_h_to_4h": "mlp.up_proj", "mlp.dense_4h_to_h": "mlp.down_proj",
    "ln_1": "input_layernorm", "norm_1": "input_layernorm", "self_attn_layer_norm": "input_layernorm",
    "ln_attn": "input_layernorm", "ln_2": "post_attention_layernorm", "norm_2": "post_attention_layernorm",
    "final_layer_norm": "post_attention_layernorm", "ln_mlp": "post_attention_layernorm",
}  # fmt: skip


def parameter_name(name: str) -> str:
    """The name in Llama of a module or parameter of a layer."""
    room, _, rest = name.partition(".")
    text = f"{_ROOMS.get(room, room)}.{rest}" if rest else _ROOMS.get(room, room)
    for other, own in _NAMES.items():
        if text == other or text.startswith(f"{other}."):
            return own + text[len(other) :]
    return text


@dataclass(frozen=True)
class Source:
    """Rows of a matrix in the model: the module's name, and the order of its rows if it is another."""

    module: str
    rows: Any = None

    def of(self, tensor: torch.Tensor) -> Any:
        """The rows of a tensor in their order."""
        return tensor if self.rows is None else tensor[self.rows]


@dataclass
class Parameters:
    """The parameters of a module by name, with a record of those that were read. `prefix` is the module's name in the model."""

    name: str
    module: Any
    form: Form
    prefix: str = ""
    taken: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.tensors = {parameter_name(n): p.detach() for n, p in self.module.named_parameters()}
        self.modules = {parameter_name(n): m for n, m in self.module.named_modules() if n}
        self.names = {parameter_name(n): n for n, _ in (*self.module.named_modules(), *self.module.named_parameters()) if n}

    def has(self, *names: str) -> bool:
        """Whether there is a parameter or a module of one of these names."""
        return any(n in self.tensors or n in self.modules for n in names)

    def size(self, name: str) -> int:
        """Number of elements of a parameter; 0 if there is none."""
        return self.tensors[name].numel() if name in self.tensors else 0

    def dimensions(self, name: str) -> int:
        """Number of dimensions of a parameter; 0 if there is none."""
        return self.tensors[name].ndim if name in self.tensors else 0

    def get(self, name: str, *shape: int) -> Any:
        """The parameter of this name, which must have this shape."""
        if name not in self.tensors:
            raise ArgumentError(
                f"{self.name} has no parameter '{name}'; it has {', '.join(map(self._model_name, self.tensors))}"
            )
        tensor = self.tensors[name]
        if hasattr(self.modules.get(name.rpartition(".")[0]), "nf") and tensor.ndim == 2:
            tensor = tensor.T  # of Conv1D
        if tuple(tensor.shape) != shape:
            raise ArgumentError(f"{self.name}: '{self._model_name(name)}' is {list(tensor.shape)}, expected {list(shape)}")
        self.taken.add(name)
        return tensor.contiguous()

    def _model_name(self, name: str) -> str:
        """The model's name of a parameter."""
        return self.names.get(name, name)

    def source(self, name: str, rows: torch.Tensor | None = None) -> Source:
        """Where a matrix is from."""
        return Source(f"{self.prefix}{self._model_name(name)}", rows)

    def norm(self, name: str, *shape: int) -> tuple[Any, ...]:
        """The tensors of a norm: its weight, and its bias if it subtracts the mean; nothing if there is no such norm."""
        if not self.has(name):
            return ()
        size = shape or (self.form.hidden,)
        like = next(iter(self.tensors.values()))
        weight = self.get(f"{name}.weight", *size) if self.has(f"{name}.weight") else like.new_ones(size)
        weight = weight + 1 if self.form.unit_offset else weight
        if not self.form.centered:
            return (weight,)
        return weight, self.get(f"{name}.bias", *size) if self.has(f"{name}.bias") else like.new_zeros(size)

    def norm_of_heads(self, name: str, heads: int, order: torch.Tensor | None) -> tuple[Any, ...]:
        """The tensors of a norm of heads, with the elements of a head in the order `order`."""
        form = self.form
        if form.whole_norms:
            return self.norm(name, heads * form.head)
        if not form.norm_of_each_head:
            tensors = self.norm(name, form.head)
        elif self.has(f"{name}.norms.0"):
            parts = [self.norm(f"{name}.norms.{n}", form.head) for n in range(heads)]
            tensors = tuple(map(torch.stack, zip(*parts, strict=True)))
        else:
            tensors = self.norm(name, heads, form.head)
        return tensors if order is None else tuple(t[..., order] for t in tensors)

    def bias(self, name: str, size: int) -> tuple[Any, ...]:
        """The bias of a product, or nothing."""
        return (self.get(f"{name}.bias", size),) if self.has(f"{name}.bias") else ()

    def is_centered(self, name: str) -> bool:
        """Whether a norm subtracts the mean: of equal elements it is 0 then, or its bias."""
        if name not in self.modules:
            return False
        size = self.size(f"{name}.weight") or self.form.hidden
        bias = self.tensors.get(f"{name}.bias")
        with torch.no_grad():
            row = self.modules[name](next(iter(self.tensors.values())).new_ones(1, size))[0]
        return bool((row - (0 if bias is None else bias)).abs().max() < 1e-2)

    def check_all_taken(self) -> None:
        """Raises ArgumentError if there are parameters that nothing has read."""
        if rest := [n for n in self.tensors if n not in self.taken]:
            name = self._model_name(rest[0])
            module = self.module.get_submodule(name.rpartition(".")[0])
            raise ArgumentError(
                f"{self.name} has parameter '{name}' of {type(module).__name__}, which this form of models has not"
            )


def joined(tensors: Iterable[torch.Tensor]) -> Any:
    """Matrices one below another."""
    parts = list(tensors)
    return parts[0] if len(parts) == 1 else torch.cat(parts)
