"""Verifies a module by MLIR's rules and those of the dialects; between passes, only the changed parts."""

from __future__ import annotations

from io import BytesIO

from allo_air import dialects
from allo_air.core.diagnostics import translate
from allo_air.errors import Diagnostic, DiagnosticError
from allo_air.mlir import AnyOp, ir


def verify(op: ir.Operation) -> None:
    """Checks MLIR's rules and those of the dialects on `op` and its regions; raises DiagnosticError."""
    _verify(op)
    raise_errors(dialects.check(op.operation))


class Verifier:
    """Verifies one module repeatedly; the dialects' rules only check changed parts.

    Changes are found in the bytecode, which takes a tenth of the time of the rules. No rule in an `aie.device` depends on
    operations outside of devices, so if the devices are unchanged, only the operations around them are checked. If each call
    verifies another module, `remember` can be False.
    """

    def __init__(self, *, remember: bool = True) -> None:
        self._remember = remember
        self._module = b""
        self._devices: list[bytes] = []

    def lightly(self, op: ir.Operation) -> None:
        """Checks MLIR's rules alone."""
        _verify(op)

    def around(self, op: ir.Operation) -> None:
        """Like `verify`, without the contents of devices."""
        for part in dialects.outside_devices(op.operation):
            _verify(part)
        raise_errors(dialects.check(op.operation, devices=False))

    def __call__(self, op: ir.Operation) -> None:
        """Like `verify`."""
        _verify(op)
        if not self._remember:
            raise_errors(dialects.check(op.operation))
            return
        module = _bytecode(op)
        if module == self._module:
            return
        self._module = b""
        devices = [_bytecode(o) for region in op.operation.regions for block in region for o in block if _is_device(o)]
        raise_errors(dialects.check(op.operation, devices=devices != self._devices))
        self._module, self._devices = module, devices


def raise_errors(diagnostics: list[Diagnostic]) -> None:
    """Raises DiagnosticError with all of `diagnostics` if one is an error."""
    if any(d.severity == "error" for d in diagnostics):
        raise DiagnosticError(diagnostics)


def _verify(op: ir.Operation) -> None:
    try:
        op.operation.verify()
    except ir.MLIRError as error:
        raise translate(error) from None


def _bytecode(op: AnyOp) -> bytes:
    written = BytesIO()
    op.operation.write_bytecode(written)
    return written.getvalue()


def _is_device(op: ir.OpView) -> bool:
    return bool(op.operation.name == "aie.device")
