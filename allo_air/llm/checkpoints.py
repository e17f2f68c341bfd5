"""Reads checkpoints with weights of 4 and 8 bits, and makes a model with these weights."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from allo_air.errors import ArgumentError, counted
from allo_air.llm.eight_bits import FLOATS, SCALES, RowsOfBytes, is_of_bytes, matrix_of, rows_below
from allo_air.llm.layouts import Groups, concatenate_rows, groups_of, is_part
from allo_air.llm.parameters import Source

if TYPE_CHECKING:
    from torch import Tensor

_TYPES = {
    "F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64,
    "I32": torch.int32, "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool,
    "F8_E4M3": torch.float8_e4m3fn, "F8_E5M2": torch.float8_e5m2,
}  # fmt: skip


@dataclass(frozen=True)
class Checkpoint:
    """The matrices of integers of a checkpoint, by the names of their modules."""

    matrices: dict[str, Groups | RowsOfBytes] = field(default_factory=dict)

    def joined(self, sources: Sequence[Source], kind: str) -> Groups | RowsOfBytes | None:
        """The matrix of some modules, one below another; None if they have no weights of `kind`, int4 or int8."""
        names, wanted = [s.module for s in sources], {"int4": Groups, "int8": RowsOfBytes}.get(kind, ())
        integers = {s.module: self.matrices[s.module] for s in sources if isinstance(self.matrices.get(s.module), wanted)}
        parts = [integers[s.module].in_rows(s.rows) for s in sources if s.module in integers]
        if parts and len(parts) != len(names):
            lacks = next(n for n in names if n not in integers)
            raise ArgumentError(
                f"{lacks} has no {kind[3:]}-bit weights, but matrices of the same product have; quantize all of them or none"
            )
        groups, rows = [p for p in parts if isinstance(p, Groups)], [p for p in parts if isinstance(p, RowsOfBytes)]
        return concatenate_rows(groups, ", ".join(names)) if groups else rows_below(rows) if rows else None


def read_safetensors(path: str | Path) -> dict[str, Any]:
    """The tensors of a safetensors file, or of all files of a folder."""
    place = Path(path)
    files = sorted(place.glob("*.safetensors")) if place.is_dir() else [place]
    if not files or not all(f.is_file() for f in files):
        raise ArgumentError(f"{place}: there is no safetensors file")
    return {name: tensor for file in files for name, tensor in _tensors(file).items()}


def _tensors(file: Path) -> dict[str, Any]:
    data = bytearray(file.read_bytes())
    size = int.from_bytes(data[:8], "little")
    try:
        header = json.loads(bytes(data[8 : 8 + size]))
        entries = {n: (_TYPES[e["dtype"]], e["shape"], e["data_offsets"]) for n, e in header.items() if n != "__metadata__"}
        return {n: _tensor(data, 8 + size, *entry) for n, entry in entries.items()}
    except KeyError as error:
        raise ArgumentError(f"{file}: its header has {error}, which is not a type or entry that is read") from None
    except (ValueError, TypeError, AttributeError, RuntimeError) as error:
        raise ArgumentError(f"{file} is not a safetensors file, or is not whole: {error}") from None


def _tensor(data: bytearray, begin: int, kind: torch.dtype, shape: list[int], place: list[int]) -> Any:
    first, last = place
    if begin + last > len(data):
        raise ValueError(f"it ends at {len(data)} of {counted(begin + last, 'byte')}")
    if not 0 <= first <= last or min(shape, default=0) < 0 or math.prod(shape) * kind.itemsize != last - first:
        raise ValueError(f"{shape} of {str(kind).removeprefix('torch.')} cannot be bytes {first} to {last}")
    if first == last:
        return torch.empty(shape, dtype=kind)
    return torch.frombuffer(data[begin + first : begin + last], dtype=kind).reshape(shape)


def with_weights(model: torch.nn.Module, tensors: Mapping[str, Tensor], config: object = None) -> tuple[Any, Checkpoint]:
    """A copy of `model` with these weights, and its matrices of integers. The copy has these matrices as floats.

    The names are those of the model's parameters. `config` is the checkpoint's own `quantization_config`.
    """
    result, matrices = copy.deepcopy(model), dict[str, Groups | RowsOfBytes]()
    own_tensors = {**dict(result.named_parameters()), **dict(result.named_buffers())}
    scaled = {f"{n.rpartition('.')[0]}.weight" for n in tensors if n.endswith(SCALES)}
    float_tensors = {n: t for n, t in tensors.items() if not is_part(n) and n not in scaled}
    integers = {n for n, t in float_tensors.items() if n in own_tensors and _is_integer(t) and not _is_integer(own_tensors[n])}
    if lacking_scales := [n for n, t in float_tensors.items() if t.dtype in FLOATS or n in integers]:
        raise ArgumentError(
            f"the checkpoint has '{lacking_scales[0]}' of {str(tensors[lacking_scales[0]].dtype).removeprefix('torch.')}"
            f" without a scale ({' or '.join(SCALES)})"
        )
    unknown = [n for n, t in float_tensors.items() if n not in own_tensors and not _counts_nothing(n, t)]
    if unknown:
        raise ArgumentError(f"the checkpoint has '{unknown[0]}', which {type(model).__name__} has not")
    modules = dict[str, dict[str, Any]]()
    for name in tensors:
        if is_part(name) or name in scaled:
            module, _, part = name.rpartition(".")
            modules.setdefault(module, {})[part] = tensors[name]
    zeros_less_one = _zeros_less_one(config)
    for module, parts in modules.items():
        weight = own_tensors.get(f"{module}.weight")
        if weight is None:
            raise ArgumentError(f"the checkpoint has '{module}', which {type(model).__name__} has not")
        if is_of_bytes(parts):
            matrix = matrix_of(parts, weight, module, _block(config))
        else:
            matrix = groups_of(parts, weight.shape[0], weight.shape[1], module, zeros_less_one=zeros_less_one)
        if isinstance(matrix, Groups | RowsOfBytes):
            matrices[module] = matrix
        float_tensors[f"{module}.weight"] = matrix.dense() if module in matrices else matrix
    if lacking := [n for n, _ in result.named_parameters() if n not in float_tensors]:
        raise ArgumentError(f"the checkpoint has no '{lacking[0]}', which {type(model).__name__} has")
    with torch.no_grad():
        for name, tensor in float_tensors.items():
            if name not in own_tensors:
                continue
            if own_tensors[name].shape != tensor.shape:
                raise ArgumentError(
                    f"the checkpoint's '{name}' is {list(tensor.shape)}, expected {list(own_tensors[name].shape)}"
                )
            own_tensors[name].copy_(tensor)
    return result, Checkpoint(matrices)


def _counts_nothing(name: str, tensor: Tensor) -> bool:
    """Whether a tensor may be ignored if the model lacks it: biases of zeros (which GPTQ's tools write), frequencies, and a
    tied head.
    """
    return name.endswith(("rotary_emb.inv_freq", "lm_head.weight")) or (name.endswith(".bias") and not bool(tensor.any()))


def _is_integer(tensor: Tensor) -> bool:
    return not tensor.is_floating_point()


def _entries(config: Any) -> Mapping[str, Any]:
    """The entries of a `quantization_config`."""
    return config if isinstance(config, Mapping) else getattr(config, "__dict__", None) or {}


def _block(config: object) -> list[int] | None:
    """The size of blocks of floats with a scale; None if `config` has none."""
    block = _entries(config).get("weight_block_size")
    if block is None:
        return None
    if not isinstance(block, list | tuple) or len(block) != 2 or not all(isinstance(n, int) and n > 0 for n in block):
        raise ArgumentError(f"quantization_config: weight_block_size is {block!r}, expected two sizes from 1")
    return list(block)


def _zeros_less_one(config: Any) -> bool:
    """Whether GPTQ's zeros are stored minus one."""
    value = _entries(config)
    bits = value.get("bits", value.get("w_bit", 4))
    if bits != 4:
        raise ArgumentError(f"the checkpoint has weights of {counted(bits, 'bit')} (quantization_config); those of 4 are read")
    if value.get("version") in ("gemv", "gemv_fast", "marlin", "exllama"):
        raise ArgumentError(f"AWQ's version '{value['version']}' is not read; write the checkpoint as 'gemm'")
    return value.get("checkpoint_format") != "gptq_v2"
