"""Command-line tools: argument parsing and nothing else."""
