"""`TxnBuilder` is not supported; this module raises an error that says what to use instead."""

from __future__ import annotations

from allo_air.errors import AlloAirError

__all__ = ["TxnBuilder"]


class TxnBuilder:
    """In mlir-air: compiles the C++ function of `emit_txn_cpp`, which returns the words for given scalars."""

    def __init__(self, header: object, *_: object, **__: object):
        raise AlloAirError(
            f"TxnBuilder compiles '{header}', a function in C++ for instruction words, which emit_txn_cpp does not make here:"
            " pass the scalars as arguments where the program is called (XRTRunner, XRTBackend compile it for each set),"
            " or write the function with allo-translate --aie-npu-to-cpp"
        )
