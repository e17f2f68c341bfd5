"""air-split-devices."""

import sys
from dataclasses import dataclass
from pathlib import Path

from allo_air import asm
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.errors import OptionError
from allo_air.mlir import AnyOp, ir


@dataclass(frozen=True)
class AirSplitDevices(Pass):
    """Writes each `aie.device` as a module of its own to PREFIXaie.NAME.mlir; changes nothing.

    Before and After (`air-split-devices{output-prefix=out/}`):

        aie.device(npu1) @seg { ... }
        aie.device(npu1) @other { ... }

    `out/aie.seg.mlir`:

        module { aie.device(npu1) @seg { ... } }
    """

    name = "air-split-devices"
    anchor = "builtin.module"
    works_on = ("aie.device",)
    output_prefix: str = "-"
    """The prefix of the file names, such as out/ or x_; - for standard output."""

    def run(self, op: AnyOp, /) -> None:
        for device in walk_named(op, "aie.device"):
            with device.location:
                module = ir.Module.create()
            device.clone(ip=ir.InsertionPoint(module.body))
            text = asm.write(module.operation).rstrip("\n") + "\n"
            name = sym_name_of(device) if "sym_name" in device.attributes else "device"
            self._write(f"{self.output_prefix}aie.{name}.mlir", text)

    def _write(self, file: str, text: str) -> None:
        if self.output_prefix == "-":
            sys.stdout.write(text)
            return
        try:
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            Path(file).write_text(text, encoding="utf-8")
        except OSError as error:
            raise OptionError(
                f"pass '{self.name}': cannot write '{file}': {error.strerror}; give another output-prefix"
            ) from None
