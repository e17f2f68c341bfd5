"""The command-line tools: they parse options, read and write files, and print results."""
