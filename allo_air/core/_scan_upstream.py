"""Writes `upstream_passes.txt` again after a change of the MLIR wheel: `python -m allo_air.core._scan_upstream`."""

import re
from pathlib import Path

from allo_air.core.upstream import exists, run_upstream
from allo_air.errors import AlloAirError
from allo_air.mlir import ir, library_path, new_context


def scan() -> list[str]:
    """Names of all upstream passes: the words among the library's strings that the pipeline parser takes.

    The linker may store a name as the end of a longer one, so the ends after a dash are tried too.
    """
    words = {w.decode() for w in re.findall(rb"[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?=\0)", Path(library_path()).read_bytes())}
    ends = {w[i + 1 :] for w in words for i, c in enumerate(w) if c == "-"}
    with new_context():
        return sorted(w for w in words | ends if 3 <= len(w) < 60 and exists(w))


def needs_function(name: str) -> bool:
    """Whether pass `name` takes functions only, though the pipeline parser accepts it on a module: tried on an empty one."""
    with new_context():
        try:
            run_upstream(ir.Module.parse("module {}"), name)
        except AlloAirError as error:
            return "unable to schedule pass" in str(error)
        except ValueError:
            return False
    return False


if __name__ == "__main__":
    rows = [f"{name} func.func" if needs_function(name) else name for name in scan()]
    (Path(__file__).parent / "upstream_passes.txt").write_text("".join(f"{row}\n" for row in rows))
