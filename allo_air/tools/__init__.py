"""Command-line tools: flags and arguments, files in and out, and what is printed."""
