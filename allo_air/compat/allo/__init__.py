"""Modules that Allo's programs import, under Allo's names: `allo_air.ir.types` is `allo_air.compat.allo.ir.types`.

`allo_air.core.module_aliases` makes both names one module. The modules only re-export names; the code is in `allo_air.frontend`
and `allo_air.program`.
"""
