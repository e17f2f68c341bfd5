"""Errors in kernels, with their Python line."""

import linecache

from allo_air.errors import AlloAirError, Diagnostic, render


class KernelError(AlloAirError, SystemExit):
    """The code of a kernel at `file`:`line`:`column` cannot be compiled.

    Where nothing catches it, it ends the program with its diagnostic, which quotes the line, and status 1, without a
    traceback: Allo's front end ends the program, too.
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
    """A tensor that does not divide, where padding could change results."""
