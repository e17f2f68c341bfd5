"""Executes the host's control program beside an `aie.device`: its transfers feed the simulator directly."""
