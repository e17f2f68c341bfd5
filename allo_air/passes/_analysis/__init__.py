"""Analyses that the passes of several rooms use. They do not change the IR."""
