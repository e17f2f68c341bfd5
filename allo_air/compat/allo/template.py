"""Parts of kernels that are decided when these are compiled, under the module name that Allo's programs import.

The module is called as `allo_air.template` is.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from allo_air.frontend.dsl import meta_elif, meta_else, meta_for, meta_if
from allo_air.frontend.templates import template

__all__ = ["meta_elif", "meta_else", "meta_for", "meta_if", "template"]


class _Callable(ModuleType):
    """Importing the module puts it in the place of the function in the package, so it does what the function does."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        return template(*args, **options)


sys.modules[__name__].__class__ = _Callable
