"""What is fixed by the target: NPU instruction words, buffer descriptors, memory banks."""
