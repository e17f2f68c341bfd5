"""Parses sizes of inputs on the command line, such as `image=1x3x224x224`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from allo_air.errors import OptionError


def sizes_of(texts: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """The sizes of each input, separated by commas; raises OptionError for another form."""
    sizes = {}
    for text in (each for shape in texts for each in shape.split(",")):
        match = re.fullmatch(r"(.+)=((?:[1-9]\d*)(?:x[1-9]\d*)*)", text)
        if match is None:
            raise OptionError(f"--shape is '{text}', expected INPUT=SIZES as in image=1x3x224x224")
        sizes[match.group(1)] = tuple(map(int, match.group(2).split("x")))
    return sizes
