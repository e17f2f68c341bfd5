"""Code is made on threads: several at once, in a process forked afterwards, and none of what cannot be linked."""

import ctypes
import os
import signal

from allo_air.mlir import ir, new_context
from allo_air.sim.cores.jit import Jitted


def jitted(number: int, callee: str = "", times: int = 1) -> Jitted:
    """`void core(void **arguments)`, which stores `number` at its first argument, `times` times as written."""
    store = "llvm.store volatile %n, %at : i32, !llvm.ptr\n" * times
    call = f"llvm.call @{callee}() : () -> ()" if callee else ""
    text = f"""
      {f"llvm.func @{callee}()" if callee else ""}
      llvm.func @core(%at: !llvm.ptr) {{
        %n = llvm.mlir.constant({number} : i32) : i32
        {store}
        {call}
        llvm.return
      }}"""
    with new_context(for_kernel=True), ir.Location.unknown():
        return Jitted(ir.Module.parse(text), "core", ())


def called(entry: int) -> int:
    """What the function at `entry` stores."""
    found = ctypes.c_int32(0)
    argument = ctypes.c_void_p(ctypes.addressof(found))
    table = ctypes.c_void_p(ctypes.addressof(argument))
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(entry)(ctypes.addressof(table))
    return found.value


def test_several_at_once():
    made = [jitted(n) for n in range(6)]
    assert [called(each.entry) for each in made] == list(range(6))
    assert made[0].entry == made[0].entry


def test_process_forked_afterwards():
    made = [jitted(n) for n in range(3)]
    assert [called(each.entry) for each in made] == [0, 1, 2]
    child = os.fork()
    if child == 0:
        os._exit(0 if [called(each.entry) for each in (*made, jitted(3))] == [0, 1, 2, 3] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_process_forked_while_code_is_made():
    made = [jitted(n, times=2000) for n in range(3)]
    assert made[-1]._thread.is_alive(), "there is nothing to be forked in the middle of"
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # ends the child where it waits for a lock that nobody holds
        os._exit(0 if [called(each.entry) for each in (*made, jitted(3))] == [0, 1, 2, 3] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert [called(each.entry) for each in made] == [0, 1, 2]


def test_function_that_is_nowhere(capfd):
    assert jitted(1, "function_that_is_nowhere").entry == 0
    assert "function_that_is_nowhere" in capfd.readouterr().err
