"""Facts and formats of the target: NPU instruction words, buffer descriptors, memory banks."""
