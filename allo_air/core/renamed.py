"""Old names of passes and pipelines: each works for one more release, with a note that gives the new name.

Renamed options are listed in their class, as `renamed: ClassVar = {"old-name": "new-name"}`.
"""

import warnings
from collections.abc import Mapping
from typing import Literal

MERGED = {
    "air-divide-l2-riders": "air-split-l2-pieces",
    "air-pair-l2-channels": "air-split-l2-pieces",
    "air-split-l2-panels": "air-split-l2-pieces",
    "air-split-multiplexed-transfers": "air-split-l2-pieces",
    "fold-accumulator-init": "vectorize-contractions",
    "hoist-bfp-conversions": "block-contractions",
    "jam-contractions": "block-contractions",
    "keep-blocks": "block-contractions",
    "legalize-vectors": "legalize-arithmetic",
    "merge-devices": "link-kernels",
    "outline-attention": "outline-families",
    "pad-gemm": "pad-families",
    "plain-contractions": "legalize-contractions",
    "scalar-forms": "legalize-arithmetic",
    "start-contractions": "vectorize-contractions",
    "tile-attention": "expand-families",
    "tile-kernel": "expand-families",
    "tile-planned-gemm": "expand-families",
    "unroll-contractions": "block-contractions",
    "unsigned-contractions": "legalize-contractions",
    "vectorize-windows": "vectorize-contractions",
}
"""Old names of passes whose function is now part of another pass, with that pass."""
PASSES: Mapping[str, str] = MERGED | {
    "air-settle-reshapes": "air-expand-static-reshapes",
    "pick-rows": "lower-gather-to-copies",
    "settle-layouts": "assign-layouts",
    "settle-types": "legalize-boundary-types",
    "split-contractions": "emulate-contractions",
    "vectorize-leaves": "vectorize-generics",
}
"""New name of a pass or transform script by its old one."""
PIPELINES: Mapping[str, str] = {}
"""New name of a pipeline by its old one."""


class RenamedWarning(FutureWarning):
    """An old name was used; the tools print it as a note."""


def current(kind: Literal["pass", "pipeline"], name: str) -> str:
    """The current name of the pass or pipeline `name`; warns if it has changed."""
    new = (PASSES if kind == "pass" else PIPELINES).get(name)
    if new is None:
        return name
    warn(kind, name, new)
    return new


def warn(kind: str, old: str, new: str) -> None:
    """Warns that the next release will remove `old`, the former name of a `kind`."""
    is_part = kind == "pass" and old in MERGED
    now = f"is a part of '{new}' now, which does its other parts, too" if is_part else f"is called '{new}' now"
    warnings.warn(f"{kind} '{old}' {now}; the next release will not know '{old}'", RenamedWarning, stacklevel=2)
