"""Prepares and runs compiled designs: on the simulator, as part of a pipeline, or on an NPU."""
