"""Executes the host's control program together with an `aie.device`: its transfers feed the simulator directly."""
