"""What stands between a compiled design and its run: on the simulator, in the middle of a pipeline, on an NPU."""
