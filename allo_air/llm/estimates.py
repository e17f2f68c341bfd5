"""`allo_air.llm.estimate`, and the checks of options of language models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from allo_air.arch import core_of
from allo_air.core.calls import COUNT, FLAG, FUNCTION, NAME, checked
from allo_air.device import DEVICES
from allo_air.errors import OptionError, UnknownNameError
from allo_air.importers.torch_modules import torch_package
from allo_air.llm.configs import form_of
from allo_air.llm.form import GROUP, Form
from allo_air.program.compile import npu_name

if TYPE_CHECKING:
    from allo_air.llm.predicted import Estimate

WEIGHTS = ("dense", "int8", "int4")


@checked(device=NAME, weights=NAME, group=COUNT, prompts=FLAG, bfp16=FLAG, code=NAME, cache=FLAG, progress=FUNCTION | None)
def estimate(
    config: Form | dict[str, int | str],
    context: Sequence[int] | int = (1024,),
    *,
    device: str = "npu2",
    weights: str = "dense",
    group: int = GROUP,
    prompts: bool = True,
    bfp16: bool = False,
    code: str = "compiled",
    mhz: float | None = None,
    cache: bool = True,
    progress: Callable[[str], None] | None = None,
) -> Estimate:
    """Predicts times of a model with this configuration (of transformers, a mapping, or a Form), without its weights.

    `context` is a number of tokens, or several. For each, the prediction covers a prompt of that length (unless `prompts` is
    off), and one token after it. `code` is how cores' code is priced, `mhz` the clock. The pieces are compiled at full size and
    estimated by `Program.estimate`.
    """
    torch_package()
    from allo_air.llm.predicted import estimated
    from allo_air.sim.cores.kernels import shared_kernels

    check_weights(weights)
    contexts = [context] if isinstance(context, int) else list(context) if isinstance(context, Iterable) else []
    if not contexts or any(isinstance(c, bool) or not isinstance(c, int) or c < 2 for c in contexts):
        raise OptionError(f"context is {context!r}, expected numbers of tokens from 2")
    form, device = config if isinstance(config, Form) else form_of(config), npu_name(device)
    check_blocks(bfp16, device, form)
    with shared_kernels():
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


def check_blocks(bfp16: bool, device: str, form: Form) -> None:
    """Raises OptionError if `bfp16` is set and the device or the model's type has no products of block floating point."""
    if bfp16 and "bfp16" not in core_of(DEVICES[device].arch).peak_macs:
        raise OptionError(f"bfp16=True: {device} has no products of block floating point; leave it out, or take npu2")
    if bfp16 and form.dtype != "bfloat16":
        raise OptionError(f"bfp16=True: the model is of {form.dtype}; blocks are made of bfloat16: model.bfloat16()")


def check_weights(weights: str) -> None:
    if weights not in WEIGHTS:
        raise UnknownNameError("weights", weights, WEIGHTS)
