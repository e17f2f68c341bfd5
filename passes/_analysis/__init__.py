"""Analyses that passes share; none of them changes the IR."""
