"""Causal language models on the array: `compile` a model of PyTorch, `generate`; `estimate` models of full size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.core.calls import CHECKPOINT, COUNT, FLAG, FUNCTION, NAME, checked
from allo_air.errors import OptionError
from allo_air.importers.torch_modules import torch_package
from allo_air.llm.configs import form_of
from allo_air.llm.estimates import WEIGHTS, check_blocks, check_weights, estimate
from allo_air.llm.form import GROUP, Form
from allo_air.program.compile import npu_name

if TYPE_CHECKING:
    import torch

    from allo_air.llm.model import LanguageModel

__all__ = ["WEIGHTS", "Form", "compile", "estimate", "form_of"]


@checked(
    device=NAME,
    context=COUNT,
    prompt=COUNT | None,
    weights=NAME,
    group=COUNT,
    bfp16=FLAG,
    checkpoint=CHECKPOINT | None,
    cache=FLAG,
    check=FLAG,
    progress=FUNCTION | None,
)
def compile(
    model: torch.nn.Module,
    *,
    device: str = "npu2",
    context: int = 64,
    prompt: int | None = None,
    weights: str = "dense",
    group: int = GROUP,
    bfp16: bool = False,
    checkpoint: str | Path | Mapping[str, torch.Tensor] | None = None,
    cache: bool = True,
    check: bool = True,
    progress: Callable[[str], None] | None = None,
) -> LanguageModel:
    """Compiles a causal language model of PyTorch: Llama, Qwen, Mistral, Gemma or Phi-3 of transformers, or one with the same
    structure.

    The cache holds `context` tokens; prompts have up to `prompt` tokens (by default `context`). `weights` are "dense"
    (unchanged), or rounded to "int8" or "int4" with a scale and a zero point for each `group`. Layers of equal shape are
    compiled once. With `bfp16` (npu2), a prompt's products are computed in block floating point, which is faster and less
    exact. `checkpoint` is a safetensors file or folder, or its tensors; the model gets these weights. If `weights` is "int4",
    matrices of AWQ, GPTQ and compressed-tensors are used unchanged.

    Raises an ArgumentError that names the module if the model has unsupported parameters. Unless `check` is off, raises an
    AlloAirError that names the first module whose results differ.
    """
    torch_package()
    from allo_air.llm.checked import check_form, check_positions
    from allo_air.llm.checkpoints import Checkpoint, read_safetensors, with_weights
    from allo_air.llm.compiled import compiled
    from allo_air.llm.decoding import is_one_design, token_design
    from allo_air.llm.model import LanguageModel, pieces
    from allo_air.llm.one_dispatch import head_program, token_program, token_steps
    from allo_air.llm.reading import read

    check_weights(weights)
    device, rows = npu_name(device), context if prompt is None else prompt
    if not 2 <= rows <= context:
        raise OptionError(f"prompt={rows} and context={context}: a prompt has from 2 to as many tokens as the context")
    groups: Checkpoint | None = None
    if checkpoint is not None:
        tensors = checkpoint if isinstance(checkpoint, Mapping) else read_safetensors(checkpoint)
        config = getattr(getattr(model, "config", None), "quantization_config", None)
        model, groups = with_weights(model, tensors, config)
    result = read(model)
    check_blocks(bfp16, device, result.form)
    check_positions(result, context)
    if check:
        on_host = {key: e.module for key, e in pieces(result.form, "dense", group, rows, context).items()}
        check_form(model, result, LanguageModel(result, "cpu", context, rows, "dense", group, on_host).layer_outputs, rows)
    programs: dict[tuple[str, bool], Callable[..., Any]] = {}
    packed = result.packed(weights, group, groups)
    one_design, module = is_one_design(result.form, weights, group, device), ""
    examples = pieces(result.form, weights, group, rows, context, streams=one_design)
    is_ordered = any(layer.orders for layer in packed.layers)
    steps = None if is_ordered else token_steps(result.form, weights, group, context, device)
    if one_design and progress is not None:
        progress("a token")
    if steps is not None:
        program = token_program(steps, packed)
        module = program.text
        programs = {("token", True): program, ("head", True): head_program(program, examples["head", True])}
    elif one_design:
        design = token_design(result.form, weights, group, context, device, cache)
        module = design.text
        programs = {(e.name, True): design.piece(e) for (_, is_token), e in examples.items() if is_token}
    for key, example in examples.items():
        if key not in programs and (not key[1] or steps is None):
            if progress is not None:
                progress(example.name)
            programs[key] = compiled(example, device, cache, bfp16)
    return LanguageModel(packed, device, context, rows, weights, group, programs, bfp16, module)
