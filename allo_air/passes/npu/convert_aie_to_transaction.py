"""convert-aie-to-transaction."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.mlir import AnyOp
from allo_air.passes._ir.configure import configuring, put_writes


@dataclass(frozen=True)
class ConvertAieToTransaction(Pass):
    """Writes the configuration of a device as a runtime sequence `@configure` of register writes.

    They are the writes of the CDO files, in their order. In a device with an `aiex.configure` they replace it.

    Before:

        %lock = aie.lock(%tile_0_2, 1) {init = 3 : i32}

    After:

        aie.runtime_sequence @configure() {
          aiex.npu.write32 {address = 2224144 : ui32, value = 3 : ui32}
        }
        %lock = aie.lock(%tile_0_2, 1) {init = 3 : i32}
    """

    name = "convert-aie-to-transaction"
    anchor = "aie.device"
    elf_dir: str = ""
    """The folder of the cores' ELF files; by default the current directory."""
    device_name: str = ""
    """The device to convert; by default all."""

    def run(self, op: AnyOp, /) -> None:
        if self.device_name in ("", op.opview.sym_name):
            put_writes(op, configuring(op, self.elf_dir))
