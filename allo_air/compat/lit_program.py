"""Runs `lit` under `allo-env`: test suites of MLIR-AIR and mlir-aie from a checkout, without a build, with our replacements of
tools.
"""

from __future__ import annotations

import os
import sys
from inspect import signature
from pathlib import Path
from typing import Any

from allo_air.compat import lit_site

_NAMES = (
    "PYTHONPATH", "PEANO_INSTALL_DIR", "MLIR_AIE_INSTALL_DIR", "MLIR_AIR_INSTALL_DIR", "XILINX_XRT", "CPLUS_INCLUDE_PATH",
    "LIBRARY_PATH", "AIE_TARGET", "AIR_TARGET_DEVICE", "NPU2",
)  # fmt: skip


def main() -> None:
    """Runs lit. lit builds a new environment for its tests, so the variables for our replacements are added to it."""
    import lit.llvm
    import lit.main
    from lit.formats import ShTest
    from lit.TestingConfig import TestingConfig

    start, parameters = ShTest.__init__, signature(ShTest).parameters
    fresh, load = TestingConfig.fromdefaults, TestingConfig.load_from_path

    def with_stand_ins(settings: object) -> object:
        config = fresh(settings)
        config.environment.update({n: v for n, v in os.environ.items() if n.startswith("ALLO_") or n in _NAMES})
        return config

    def with_settings(config: Any, path: str, settings: object) -> None:
        if not hasattr(config, "python_executable"):
            for name, value in lit_site.values(Path(path).absolute()).items():
                if name not in vars(config):
                    setattr(config, name, value)
            lit.llvm.initialize(settings, config)
        load(config, path, settings)

    def missing(_config: object, name: str) -> str:
        if lit_site.is_of_a_site(name) and name not in ("python_executable",):
            return ""
        raise AttributeError(f"TestingConfig object has no attribute {name!r}")

    def with_a_shell(test: Any, execute_external: bool = True, *arguments: Any, **keywords: Any) -> None:
        if execute_external and "force_execute_external" in parameters:  # lit 23 asks whether it is meant
            keywords["force_execute_external"] = True
        start(test, execute_external, *arguments, **keywords)

    if "ALLO_ENV_ROOT" in os.environ:
        ShTest.__init__ = with_a_shell
        sys.executable = str(Path(os.environ["ALLO_ENV_ROOT"]) / "python" / "python3")  # %python of tests
        TestingConfig.load_from_path = with_settings
        TestingConfig.__getattr__ = missing
    TestingConfig.fromdefaults = staticmethod(with_stand_ins)
    sys.argv[0] = "lit"
    lit.main.main()


if __name__ == "__main__":
    main()
