"""`aie.compiler.aiecc.main`: the driver as functions, `run(module, arguments)` and `main()`."""

import sys

from allo_air.air.compiler.aircc.main import main, run

__all__ = ["main", "run"]

if __name__ == "__main__":
    sys.exit(main())
