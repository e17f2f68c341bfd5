"""Modules that Allo's programs import, by Allo's names: `allo_air.ir.types` is `allo_air.compat.allo.ir.types`.

`allo_air.core.module_aliases` makes both names one module. They hold names only; the code is in `allo_air.frontend` and
`allo_air.program`.
"""
