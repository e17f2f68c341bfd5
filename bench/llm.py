"""Prints predicted times of language models of full size, piece by piece: nothing is computed.

python bench/llm.py [--model 1b] [--model 8b] [--context 1024] [--weights dense] [--device npu2]
"""

from __future__ import annotations

import argparse
import time

import allo_air.llm

LLAMA = {"model_type": "llama", "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "rms_norm_eps": 1e-5}
MODELS = {
    "1b": {
        **LLAMA,
        "hidden_size": 2048,
        "head_dim": 64,
        "intermediate_size": 8192,
        "num_hidden_layers": 16,
        "tie_word_embeddings": True,
    },
    "8b": {**LLAMA, "hidden_size": 4096, "head_dim": 128, "intermediate_size": 14336, "num_hidden_layers": 32},
}
"""Configurations of Llama 3.2 1B and Llama 3.1 8B."""


def main() -> None:
    """Reads the options and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append", choices=MODELS)
    parser.add_argument("--context", action="append", type=int)
    parser.add_argument("--weights", default="dense", choices=allo_air.llm.WEIGHTS)
    parser.add_argument("--device", default="npu2")
    parser.add_argument("--bfp16", action="store_true", help="a prompt's products of block floating point")
    parser.add_argument("--no-prompts", action="store_true")
    parser.add_argument("--plot", metavar="FILE", help="a picture of where a token's time goes")
    given = parser.parse_args()
    for name in given.model or ["1b"]:
        begin = time.perf_counter()
        found = allo_air.llm.estimate(
            MODELS[name],
            given.context or [1024],
            device=given.device,
            weights=given.weights,
            prompts=not given.no_prompts,
            bfp16=given.bfp16,
        )
        if given.plot:
            found.plot(given.plot)
        print(f"Llama {name}: {found}\n(estimated in {time.perf_counter() - begin:.0f} s)\n")


if __name__ == "__main__":
    main()
