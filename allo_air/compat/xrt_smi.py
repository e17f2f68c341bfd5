"""`xrt-smi examine`: prints the NPU for which programs are compiled, like XRT's tool."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

_NAMES = {"npu1": ("NPU Phoenix", "RyzenAI-npu1", "6x5"), "npu2": ("NPU Strix", "RyzenAI-npu4", "6x8")}


def main(arguments: Sequence[str]) -> int:
    """Prints the table, or JSON with `-f JSON`."""
    from allo_air.device import default_npu

    name, short, shape = _NAMES[default_npu()[:4]]
    if any(a.upper() == "JSON" for a in arguments):
        devices = [{"bdf": "0000:c5:00.1", "device_class": "Ryzen", "name": name, "is_ready": "true"}]
        text = json.dumps({"schema_version": {"schema": "JSON"}, "system": {"host": {"devices": devices}}}, indent=2)
        if "-o" in arguments:
            with open(arguments[list(arguments).index("-o") + 1], "w", encoding="utf-8") as file:
                file.write(text)
            return 0
        print(text)
        return 0
    print("System Configuration\n  OS Name              : Linux\n\nXRT\n  Version              : allo_air (simulator)\n")
    print("Device(s) Present\n|BDF             |Name          |\n|----------------|--------------|")
    print(f"|[0000:c5:00.1]  |{name:<14}|")
    if any(a.startswith(("-r", "--report")) for a in arguments):
        print(f"\n  Name                 : {short}\n  Topology             : {shape}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
