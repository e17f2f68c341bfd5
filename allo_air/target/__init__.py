"""What leaves the compiler: NPU instruction words."""
