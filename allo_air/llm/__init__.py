"""Causal language models on the array: `compile` a model of PyTorch, `generate`; `estimate` models of full size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from allo_air.arch import core_of
from allo_air.core.calls import COUNT, FLAG, FUNCTION, NAME, checked
from allo_air.device import DEVICES
from allo_air.errors import OptionError, UnknownNameError
from allo_air.importers.torch_modules import torch_package
from allo_air.llm.form import Form, form_of
from allo_air.program.compile import npu_name

if TYPE_CHECKING:
    from allo_air.llm.model import LanguageModel
    from allo_air.llm.predicted import Estimate

__all__ = ["Form", "compile", "estimate", "form_of"]

WEIGHTS = ("dense", "int8", "int4")


@checked(
    device=NAME,
    context=COUNT,
    prompt=COUNT | None,
    weights=NAME,
    group=COUNT,
    bfp16=FLAG,
    cache=FLAG,
    check=FLAG,
    progress=FUNCTION | None,
)
def compile(
    model: Any,
    *,
    device: str = "npu2",
    context: int = 64,
    prompt: int | None = None,
    weights: str = "dense",
    group: int = 64,
    bfp16: bool = False,
    cache: bool = True,
    check: bool = True,
    progress: Callable[[str], None] | None = None,
) -> LanguageModel:
    """A causal language model of PyTorch (Llama, Qwen, Mistral, Gemma, Phi-3 of transformers, or one of that form).

    The cache holds `context` tokens, prompts have up to `prompt` (by default as many). `weights` are "dense", as the model has
    them, or rounded to "int8" or to "int4" with a scale and a zero for each `group`. Layers of one shape are compiled once.
    With `bfp16` (npu2) products of a prompt's rows are of block floating point, which is faster and rounds more.
    Raises ArgumentError that names the module with other parameters than this form has, and AlloAirError that names the one
    whose results are others, unless `check` is off.
    """
    torch_package()
    from allo_air.llm.checked import check_form
    from allo_air.llm.compiled import compiled
    from allo_air.llm.model import LanguageModel, pieces
    from allo_air.llm.reading import read

    _check_weights(weights)
    device, rows = npu_name(device), context if prompt is None else prompt
    if not 2 <= rows <= context:
        raise OptionError(f"prompt={rows} and context={context}: a prompt has from 2 to as many tokens as the context")
    found = read(model)
    _check_blocks(bfp16, device, found.form)
    if check:
        made = {key: e.module for key, e in pieces(found.form, "dense", group, rows, context).items()}
        check_form(model, found, LanguageModel(found, "cpu", context, rows, "dense", group, made).behind_layers, rows)
    programs: dict[tuple[str, bool], Callable[..., Any]] = {}
    for key, example in pieces(found.form, weights, group, rows, context).items():
        if progress is not None:
            progress(example.name)
        programs[key] = compiled(example, device, cache, bfp16)
    return LanguageModel(found.packed(weights, group), device, context, rows, weights, group, programs, bfp16)


@checked(device=NAME, weights=NAME, group=COUNT, prompts=FLAG, bfp16=FLAG, code=NAME, cache=FLAG, progress=FUNCTION | None)
def estimate(
    config: Any,
    context: Sequence[int] | int = (1024,),
    *,
    device: str = "npu2",
    weights: str = "dense",
    group: int = 64,
    prompts: bool = True,
    bfp16: bool = False,
    code: str = "compiled",
    mhz: float | None = None,
    cache: bool = True,
    progress: Callable[[str], None] | None = None,
) -> Estimate:
    """Predicted times of a model of this configuration (of transformers, a mapping, or a Form), without its weights.

    For each number of tokens in `context`, which may be a single one: a prompt of that length (unless `prompts` is off) and a
    token behind it. `code` is how cores' code is priced, `mhz` the clock. The pieces are compiled at full size and estimated as
    `Program.estimate` does.
    """
    torch_package()
    from allo_air.llm.predicted import estimated

    _check_weights(weights)
    contexts = [context] if isinstance(context, int) else list(context) if isinstance(context, Iterable) else []
    if not contexts or any(isinstance(c, bool) or not isinstance(c, int) or c < 2 for c in contexts):
        raise OptionError(f"context is {context!r}, wanted numbers of tokens from 2")
    form, device = config if isinstance(config, Form) else form_of(config), npu_name(device)
    _check_blocks(bfp16, device, form)
    return estimated(
        form,
        contexts,
        device=device,
        weights=weights,
        group=group,
        prompts=prompts,
        bfp16=bfp16,
        code=code,
        mhz=mhz,
        cache=cache,
        progress=progress,
    )


def _check_blocks(bfp16: bool, device: str, form: Form) -> None:
    """OptionError where products of block floating point are asked for and there are none."""
    if bfp16 and "bfp16" not in core_of(DEVICES[device].arch).peak_macs:
        raise OptionError(f"bfp16=True: {device} has no products of block floating point; leave it out, or take npu2")
    if bfp16 and form.dtype != "bfloat16":
        raise OptionError(f"bfp16=True: the model is of {form.dtype}; blocks are made of bfloat16: model.bfloat16()")


def _check_weights(weights: str) -> None:
    if weights not in WEIGHTS:
        raise UnknownNameError("weights", weights, WEIGHTS)
