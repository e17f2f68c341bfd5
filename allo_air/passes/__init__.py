"""The passes, one file each; the file's name is the pass's name with underscores."""
