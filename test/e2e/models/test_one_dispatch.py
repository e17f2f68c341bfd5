"""A layer of a language model as one dispatch: results against float64, predicted time, size of its code."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from allo_air.device import DEVICES  # noqa: E402
from allo_air.llm.one_dispatch import report, token_program, token_steps  # noqa: E402
from allo_air.llm.quantized import dense  # noqa: E402
from allo_air.llm.reading import read  # noqa: E402
from allo_air.llm.steps import Steps  # noqa: E402
from test.e2e.models import decoders  # noqa: E402

CONTEXT, TOKENS = 256, 200
SMALL = decoders.Config(256, 1, 8, 2, 64, 512, 256)
LLAMA_1B = decoders.Config(2048, 1, 32, 8, 64, 8192, 256)


@dataclass
class Token:
    """A token that was computed: its steps, the run's report, its error, and how far it is from one without a cache."""

    steps: Steps
    report: Any
    error: float
    alone: float


def computed(config: decoders.Config, device: str) -> Token:
    """A token behind others whose keys and values are in the cache, with weights of four bits."""
    model = decoders.made(config).bfloat16()
    weights = read(model).packed("int4", 64)
    steps = token_steps(weights.form, "int4", 64, CONTEXT, device)
    assert steps is not None
    exact, [layer] = copy.deepcopy(model), weights.layers
    [own], kv = exact.layers, config.num_key_value_heads * config.head_dim
    own.mlp.down_proj.weight.data, own.self_attn.o_proj.weight.data = dense(layer.down), dense(layer.o)
    own.mlp.gate_proj.weight.data, own.mlp.up_proj.weight.data = dense(layer.gate_up).chunk(2)
    for name, part in zip("qkv", dense(layer.qkv).split([config.num_attention_heads * config.head_dim, kv, kv]), strict=True):
        getattr(own.self_attn, f"{name}_proj").weight.data = part
    exact.lm_head.weight.data = dense(weights.head)
    tokens, cache, attend = torch.randint(0, config.vocab_size, (1, TOKENS)), steps.attend.cache(1), exact.double().layers[0]
    with torch.no_grad():
        y = attend.input_layernorm(exact.embed_tokens(tokens))
        keys, values = (p(y).view(1, TOKENS, -1, config.head_dim) for p in (own.self_attn.k_proj, own.self_attn.v_proj))
        keys = own.self_attn.turned(keys)
        steps.attend.add(cache[0], 0, *(t[0, :-1].transpose(0, 1) for t in (keys, values)))
        wanted, alone = (exact(t)[0, -1].numpy() for t in (tokens, tokens[:, -1:]))
        program = token_program(steps, weights)
        found = program(cache, model.embed_tokens(tokens[0, -1:])[0], TOKENS - 1).double().numpy()
    far = [float(np.abs(other - wanted).max() / np.abs(wanted).max()) for other in (found, alone)]
    return Token(steps, program.report, *far)


def check(config: decoders.Config, device: str) -> None:
    token = computed(config, device)
    assert token.error < 1e-3 < 0.1 < token.alone
    estimate = report(token.steps, "compiled", None)
    assert 0.95 < estimate.cycles / token.report.cycles < 1.03
    sizes, between = token.report.code_bytes, (DEVICES[device].columns - 1, DEVICES[device].core_rows[0])
    assert max(sizes.values()) < 12 * 1024 and sizes[between] > 2048


@pytest.mark.slow
@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_a_layer_of_llama_1b(device: str) -> None:
    check(LLAMA_1B, device)


@pytest.mark.slow
def test_a_small_layer() -> None:
    check(SMALL, "npu2")
