"""Rewrites messages of the library for `allo-run`: Python's keywords become options of the command line."""

import re

WORDS = (
    (r"pipeline='([^']*)'", r"--pipeline \1"),
    (r"shape=\(M, N, K\)", "--shape MxNxK"),
    (r"backend='([^']*)'", r"--backend \1"),
    (r"trace=True", "--trace FILE"),
    (r"make the others private, or give each a file", "name it with --entry"),
    (r"by device and sequence", "with --device-name and --entry"),
    (r"simulate\(\.\.\., kernels=\{'([^']*)': f\}\)", r"--kernel \1=FILE"),
    (r"allo_air\.simulate\(\.\.\., values=\{'([^']*)': \.\.\.\}\)", r"--arg \1=NUMBER"),
    (r"run it with allo_air\.simulate", "leave out --at, or use --at aie"),
    (r"kernels=", "--kernel"),
    (r"a larger limit is seconds=", "a larger limit is --kernel-seconds"),
    (r"\bmax_cycles\b", "--max-cycles"),
)
"""Patterns in messages, and their replacements on the command line."""


def of_command_line(message: str) -> str:
    """Returns `message` with options instead of keywords."""
    for pattern, words in WORDS:
        message = re.sub(pattern, words, message)
    return message
