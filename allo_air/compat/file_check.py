"""`FileCheck` by the package filecheck: the flags of LLVM's that say how much is printed are taken, too."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

_ABOUT_OUTPUT = re.compile(r"--?(dump-input(-\w+)*|color|v|vv|allow-unused-prefixes)(=.*)?")
_MISSING = re.compile(r"--?(implicit-check-not|ignore-case)(=.*)?")


def main(arguments: Sequence[str] | None = None) -> int:
    """Compares standard input with the CHECK lines of a file; 0 where they match, 1 where not, 2 for a wrong command line."""
    words = [w for w in (sys.argv[1:] if arguments is None else arguments) if not _ABOUT_OUTPUT.fullmatch(w)]
    if wrong := [w for w in words if _MISSING.fullmatch(w)]:
        print(f"FileCheck: {wrong[0].partition('=')[0]} is not supported by allo_air's stand-in", file=sys.stderr)
        return 2
    try:
        from filecheck.main import main as check
    except ImportError:
        print("FileCheck: the package filecheck is not installed: pip install filecheck", file=sys.stderr)
        return 2
    sys.argv = ["FileCheck", *words]
    try:
        check()
    except (RuntimeError, OSError) as error:
        print(f"FileCheck: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
