"""Errors in kernels, with their Python line."""

import linecache

from allo_air.errors import AlloAirError, Diagnostic, render


class KernelError(AlloAirError, SystemExit):
    """The code of a kernel at `file`:`line`:`column` cannot be compiled.

    If nothing catches it, the program prints its diagnostic, which quotes the line, and exits with status 1 and without a
    traceback, as in Allo.
    """

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0):
        self.message, self.file, self.line, self.column = message, file, line, column
        super().__init__(f"{file}:{line}:{column}: {message}" if line else message)
        [diagnostic] = self.diagnostics
        self.code = render(diagnostic, lambda name, number: linecache.getline(name, number) or None)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return (Diagnostic("error", self.file, self.line, self.column, self.message),)


class PaddingError(KernelError):
    """A tensor cannot be divided evenly by the mapping, and padding it could change results."""
