"""Exports the modules of modules.py through torch-mlir to NAME.mlir, and what they compute in float64 to expected.npz.

Needs torch and the torch-mlir of pyproject.toml in an environment of its own; tests need neither of these files:

    python make.py [NAME...]

A file begins with a comment of JSON: seeds of inputs and weights, and how results react to rounding (test/torch_modules.py).
Weights are numbers of a RandomState, whose stream numpy keeps for ever; constants that are none stay in the text.
"""

import json
import re
import sys
import zlib
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

import numpy as np
import torch
from modules import MODULES
from sensitivity import sensitivity
from torch_mlir import fx

from torch_modules import draw


def seed_of(*names):
    return zlib.crc32("/".join(names).encode()) % 2**31


def tensor(array, dtype):
    return torch.from_numpy(array.astype(np.float64 if dtype.is_floating_point else array.dtype)).to(dtype)


def set_weights(name, network):
    """Every parameter and buffer of floats gets numbers that its seed gives again; their descriptions."""
    found = []
    named = [*network.named_parameters(), *network.named_buffers()]
    for key, value in named:
        if not value.dtype.is_floating_point or key.endswith(("cos", "sin")):
            continue
        kind = "variance" if "var" in key else "near_one" if value.dim() == 1 and "weight" in key else "weight"
        scale = 2.0 ** -round(np.log2(max(1, value[0].numel())) / 2) if value.dim() > 1 else 0.25
        spec = {
            "seed": seed_of(name, key),
            "shape": list(value.shape),
            "dtype": str(value.dtype).removeprefix("torch."),
            "kind": kind,
            "scale": scale,
        }
        with torch.no_grad():
            value.copy_(tensor(draw(spec), value.dtype))
        found.append(spec)
    return found


def network_of(made):
    if getattr(made, "makes", False):
        return made()
    if isinstance(made, type):
        return made()

    class function(torch.nn.Module):
        def forward(self, *inputs):
            return made(*inputs)

    return function()


def text_of(network, inputs, weights):
    """The module's text without the data of its weights, and which resource is which weight."""
    exported = fx.export_and_import(network, *inputs, output_type="linalg-on-tensors", func_name="main")
    text = exported.operation.get_asm(large_elements_limit=None, large_resource_limit=None)
    text, _, resources = text.partition("{-#")
    data = {draw(w).tobytes(): w for w in weights}
    used, rest = {}, {}
    for key, value in re.findall(r'([\w.]+): "0x([0-9A-F]*)"', resources):
        short = f"w{len(used) + len(rest)}"
        text = text.replace(f"dense_resource<{key}>", f"dense_resource<{short}>")
        found = data.get(bytes.fromhex(value[8:]))
        if found:
            used[short] = found
        else:
            rest[short] = value
    return text, used, rest


def sums_of(text):
    """The type that the module sums in: bf16 where a reduction of one adds, which are not the contractions."""
    return "bfloat16" if re.search(r"arith.addf %in, %out : bf16", text) else "float32"


def make(name):
    made, specs = MODULES[name]
    specs = [{"seed": seed_of(name, str(n)), **s} for n, s in enumerate(specs)]
    network = network_of(made).eval()
    weights = set_weights(name, network)
    inputs = [tensor(draw(s), getattr(torch, s["dtype"])) for s in specs]
    text, used, rest = text_of(network, inputs, weights)
    wide = [i.double() if i.dtype.is_floating_point else i for i in inputs]
    torch.manual_seed(0)
    results, reactions = sensitivity(network.double(), wide)
    head = {"inputs": specs, "weights": used, "data": rest, "sums": sums_of(text), "reactions": reactions}
    (HERE / f"{name}.mlir").write_text(f"// {json.dumps(head)}\n{text}")
    return {f"{name}.{n}": (r.double() if r.is_floating_point() else r).numpy() for n, r in enumerate(results)}


def stored(array):
    """float64 answers are kept as float32, and the tolerance knows of it."""
    return array.astype(np.float32) if array.dtype == np.float64 else array


if __name__ == "__main__":
    store = HERE / "expected.npz"
    expected = dict(np.load(store)) if store.exists() else {}
    for name in sys.argv[1:] or MODULES:
        try:
            made = make(name)
        except Exception as error:  # what the importer cannot do is not a module of ours
            print(f"{name}: {type(error).__name__}: {str(error)[:300]}")
            continue
        expected = {k: v for k, v in expected.items() if k.rpartition(".")[0] != name}
        expected |= {k: stored(v) for k, v in made.items()}
    np.savez_compressed(store, **dict(sorted(expected.items())))
