"""The files that leave the compiler, byte by byte: each format's writer with its reader beside it."""
