"""The host's control program beside an `aie.device`, executed as it stands: its transfers feed the simulator directly."""
