"""The file formats of compiled designs: a writer and a reader for each."""
