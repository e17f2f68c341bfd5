"""Compiling a device's cores: equal ones once, findings with each core's own place, and what is refused."""

import ctypes

import pytest

from allo_air import asm
from allo_air.core.walking import walk_named
from allo_air.errors import DiagnosticError
from allo_air.sim.cores import compile_cores

CORE = """
  %t{c}{r} = aie.tile({c}, {r})
  %a{c}{r} = aie.buffer(%t{c}{r}) : memref<8xi32, 2>
  %l{c}{r} = aie.lock(%t{c}{r}, 3)
  %core{c}{r} = aie.core(%t{c}{r}) {{
    %c0 = arith.constant 0 : index
    %x = arith.constant {value} : i32
    aie.use_lock(%l{c}{r}, AcquireGreaterEqual, 1)
    memref.store %x, %a{c}{r}[%c0] : memref<8xi32, 2>
    aie.end
  }}"""


class Layout:
    def __init__(self, module):
        self.module, self.memory = module, {}

    def address(self, buffer):
        tile = buffer.owner.opview.tile.owner.opview
        return ctypes.addressof(self.memory.setdefault((tile.col, tile.row), (ctypes.c_int32 * 8)()))

    def place(self, buffer: object) -> None:
        return None

    def lock_handle(self, lock):
        tile = lock.owner.opview.tile.owner.opview
        return tile.col << 16 | tile.row << 8 | lock.owner.opview.lockID


def compiled(text, symbols):
    module = asm.read(text, "cores.mlir")
    device = walk_named(module, "aie.device")[0].opview
    layout = Layout(module)
    return compile_cores(device, layout, None, symbols), layout


def device(*cores: str) -> str:
    return "module { aie.device(npu1) {" + "".join(cores) + "\n} }"


def test_equal_cores_compile_once_and_differ_in_memory_locks_and_sites(context):
    handles, sites = [], []

    @ctypes.CFUNCTYPE(None, *[ctypes.c_int32] * 4)
    def use_lock(handle, action, value, site):
        handles.append(handle)
        sites.append(site)

    noop = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int32)(lambda *_: None)
    work = ctypes.CFUNCTYPE(None, ctypes.c_int32, ctypes.c_int64, ctypes.c_int64)(lambda *_: None)
    found = {"use_lock": use_lock, "write": noop, "work": work}
    symbols = {f"allo_sim_{n}": ctypes.cast(f, ctypes.c_void_p).value for n, f in found.items()}
    places = [(c, r) for c in range(4) for r in range(2, 6)]
    cores, layout = compiled(device(*(CORE.format(c=c, r=r, value=7) for c, r in places)), symbols)
    assert cores.programs == 1
    attached = cores.on(layout)
    assert set(attached.cores) == set(places)
    for core in attached.cores.values():
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(core.entry)(core.args)
    assert all(layout.memory[p][0] == 7 for p in places)
    assert handles == [c << 16 | r << 8 | 3 for c, r in places]
    assert [cores.sites[s].tile for s in sites] == places
    assert [cores.sites[s].line for s in sites] == [8 + 10 * i for i in range(len(places))]
    assert {r.tile for r in cores.regions} == set(places)


def test_cores_that_differ_compile_apart(context):
    text = device(CORE.format(c=0, r=2, value=1), CORE.format(c=0, r=3, value=2))
    cores, _ = compiled(text, {"allo_sim_use_lock": 1, "allo_sim_write": 1, "allo_sim_work": 1})
    assert cores.programs == 2


REFUSED = [
    ('%c = aie.core(%t) { aie.end } {elf_file = "core.elf"}', "is already compiled to 'core.elf'", 3),
    (
        "%c = aie.core(%t) {\n%x = arith.constant 0 : i32\n%y = arith.constant 0 : i16\n"
        "aie.put_stream(%x : i32, %y : i16)\naie.end\n}",
        "moves 16 bits; a core's stream moves whole 32-bit words",
        6,
    ),
    (
        "%b = aie.buffer(%t) : memref<8xi4>\n%c = aie.core(%t) {\n%c0 = arith.constant 0 : index\n"
        "%x = memref.load %b[%c0] : memref<8xi4>\naie.end\n}",
        "holds i4, which is narrower than a byte",
        3,
    ),
    (
        'memref.global "private" @g : memref<8xi32> = dense<1>\n%c = aie.core(%t) {\n'
        "%g = memref.get_global @g : memref<8xi32>\n"
        "aie.end\n}",
        "uses 'g', a global that can be written",
        5,
    ),
    (
        '%c = aie.core(%t) {\n%x = arith.constant true\ncf.assert %x, "never"\naie.end\n}',
        "cannot be simulated: a core has no way to stop",
        5,
    ),
]


@pytest.mark.parametrize(("body", "message", "line"), REFUSED, ids=["elf", "stream", "i4", "global", "assert"])
def test_what_cannot_run_is_refused_at_its_line(context, body, message, line):
    with pytest.raises(DiagnosticError) as error:
        compiled("module { aie.device(npu1) {\n%t = aie.tile(0, 2)\n" + body + "\n} }", {})
    found = error.value.diagnostics[0]
    assert message in found.message
    assert (found.file, found.line) == ("cores.mlir", line)
