"""Prints predicted times of language models of full size, piece by piece: nothing is computed.

python bench/llm.py [--model 1b] [--model qwen2-7b] [--context 1024] [--weights dense] [--device npu2]
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
    "qwen2-7b": {
        "model_type": "qwen2", "hidden_size": 3584, "num_attention_heads": 28, "num_key_value_heads": 4,
        "intermediate_size": 18944, "num_hidden_layers": 28, "vocab_size": 152064,
    },
    "gemma-7b": {
        "model_type": "gemma", "hidden_size": 3072, "num_attention_heads": 16, "num_key_value_heads": 16, "head_dim": 256,
        "intermediate_size": 24576, "num_hidden_layers": 28, "vocab_size": 256000, "tie_word_embeddings": True,
        "hidden_act": "gelu_pytorch_tanh",
    },
    "phi-3-mini": {
        "model_type": "phi3", "hidden_size": 3072, "num_attention_heads": 32, "num_key_value_heads": 32,
        "intermediate_size": 8192, "num_hidden_layers": 32, "vocab_size": 32064,
    },
    "mistral-7b": {
        "model_type": "mistral", "hidden_size": 4096, "num_attention_heads": 32, "num_key_value_heads": 8,
        "intermediate_size": 14336, "num_hidden_layers": 32, "vocab_size": 32000,
    },
}  # fmt: skip
"""Configurations; 1b and 8b are Llama 3.2 and 3.1."""


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
        begin, processor = time.perf_counter(), time.process_time()
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
        spent = f"{time.perf_counter() - begin:.0f} s, {time.process_time() - processor:.0f} s of the processor"
        print(f"{name}: {found}\n(estimated in {spent})\n")


if __name__ == "__main__":
    main()
