"""The design that computes a token in one dispatch, and its predicted time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch

from allo_air.arch import arch_of
from allo_air.device import DEVICES
from allo_air.llm import attention, int4
from allo_air.llm.between import NAME, unsupported_features
from allo_air.llm.cached_attention import ATTEND_BYTES, GIVE_STATE, cached_attention
from allo_air.llm.decoding import arrangements, is_one_design
from allo_air.llm.form import Form
from allo_air.llm.steps import LAYER, PRODUCTS, SCALARS, Steps, products_of, vectors_of, zero_vectors
from allo_air.llm.token_program import HeadProgram, TokenProgram
from allo_air.llm.token_sequence import token_sequence
from allo_air.program.run.design import Design
from allo_air.sim.simulate import load

if TYPE_CHECKING:
    from allo_air.llm.examples import Example
    from allo_air.llm.reading import Weights


def token_steps(form: Form, kind: str, group: int, context: int, device: str) -> Steps | None:
    """The steps of a token in one dispatch, with the number of columns of weights at a time with which a layer takes the least
    time; None if a token needs several dispatches.
    """
    if kind == "int8" or not is_one_design(form, kind, group, device):
        return None
    wide, arch = DEVICES[device].columns - 1, arch_of(DEVICES[device])
    results = []
    for order in arrangements(device, kind, group, products_of(form).values(), wide):
        attend = cached_attention(device, wide, form, context, order.bytes)
        steps = Steps(form, order, attend, form.layers)
        if not steps.fits:
            continue
        weights = sum(steps.weight_bytes(name) for name in PRODUCTS[:-1])
        sums = sum(steps.parts(name) * steps.padded(name) for name in PRODUCTS[:-1])  # the core between takes one in a cycle
        results.append((weights / min(arch.read_bytes, wide * arch.channel_bytes) + sums + attend.time, -order.columns, steps))
    return min(results, key=lambda r: r[:2])[2] if results else None


def several(form: Form, kind: str, group: int, context: int, device: str) -> list[str]:
    """Why a token takes several dispatches, a sentence each; none if it takes one."""
    cases = {
        "weights are int8": kind == "int8",
        f"the model computes in {form.dtype}": form.dtype != "bfloat16",
        "scores have soft caps": form.cap > 0,
        "scores have slopes": form.alibi,
        f"groups of {group} weights are not a multiple of 16 up to 512": kind == "int4" and not int4.is_supported(group),
    }
    reasons = [sentence for sentence, holds in cases.items() if holds] + unsupported_features(form)
    if not reasons and not attention.is_supported(form):
        reasons = [f"heads have {form.head} elements, and {form.group} share a key"]
    if not reasons and token_steps(form, kind, group, context, device) is None:
        reasons = ["a core, a descriptor or an argument has no room for it"]
    return reasons


def kernels_of(steps: Steps) -> dict[str, Any]:
    """The functions of the cores."""
    attend = steps.attend.kernel()
    own = {ATTEND_BYTES: attend, GIVE_STATE: attend}
    return {steps.order.name: steps.order.kernel(), **own, NAME: steps.between.kernel()}


def text_of(steps: Steps, values: Sequence[Any], last: torch.Tensor) -> tuple[str, dict[str, tuple[str, int]], Any]:
    """The design, the arguments of its sequence, and their constants. `values` are the vectors of layers, `last` the weights of
    the last norm.
    """
    sequence, buffers, constants = token_sequence(steps, values, last.float().numpy())
    inside = "\n".join((steps.cores.text(), steps.between.text(steps.order.wide), sequence))
    return f"module {{\naie.device({steps.order.device}) @token_0 {{\n{inside}}}\n}}\n", buffers, constants


def token_program(steps: Steps, weights: Weights) -> TokenProgram:
    """The program of a whole token."""
    text, buffers, constants = text_of(steps, [vectors_of(layer) for layer in weights.layers], weights.norm[0])
    return TokenProgram(steps, weights, text, buffers, constants, kernels_of(steps))


def head_program(token: TokenProgram, example: Example) -> HeadProgram:
    """The program of the logits after a prompt."""
    steps = replace(token.steps, only=("head",))
    text, buffers, _ = text_of(steps, (), torch.zeros(0))
    return HeadProgram(token, example, text, buffers)


def report(steps: Steps, code: str, mhz: float | None) -> Any:
    """The simulator's prediction for `steps`."""
    text, _, constants = text_of(steps, [zero_vectors(steps.form)] * steps.layers, torch.zeros(steps.form.hidden))
    kernels, each = kernels_of(steps), steps.between.cycles(constants)
    kernels[NAME] = replace(kernels[NAME], cycles=lambda *_: each)
    module = load(text)
    with module.context:
        design = Design(module, values=dict.fromkeys(SCALARS, 0))
    return design.estimate(kernels=kernels, code=code, mhz=mhz)


def microseconds(steps: Steps, code: str, mhz: float | None) -> dict[str, float]:
    """The predicted time of each piece of a layer, of a `layer`, of the `head`, and of the parts that a token runs once
    (`once`). A piece's time is the additional time of one more run, whose weights are queued before its row is available.
    """

    form = steps.form
    longer = replace(form, layers=2, windows=form.windows * 2, rotated=form.rotated * 2) if form.layers == 1 else form

    def time(**changes: Any) -> float:
        result = report(replace(steps, form=longer, **changes), code, mhz)
        return float(result.cycles / result.clock_mhz)

    pieces = {name: time(only=(name, name)) - time(only=(name,)) for name in LAYER}
    one, two = (time(layers=n, has_head=False) for n in (1, 2))
    head = time(layers=1) - one
    return {**pieces, "layer": two - one, "head": head, "once": 2 * one - two}
