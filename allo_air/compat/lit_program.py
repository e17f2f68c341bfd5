"""`lit` under `allo-env`: its tests get the variables of the stand-ins, too."""

import os
import sys

_NAMES = ("PYTHONPATH", "PEANO_INSTALL_DIR", "XILINX_XRT", "AIE_TARGET")


def main() -> None:
    """lit gives its tests an environment of its own, in which the stand-ins would not be recognized."""
    import lit.main
    from lit.TestingConfig import TestingConfig

    fresh = TestingConfig.fromdefaults

    def with_stand_ins(settings: object) -> object:
        config = fresh(settings)
        config.environment.update({n: v for n, v in os.environ.items() if n.startswith("ALLO_") or n in _NAMES})
        return config

    TestingConfig.fromdefaults = staticmethod(with_stand_ins)
    sys.argv[0] = "lit"
    lit.main.main()


if __name__ == "__main__":
    main()
