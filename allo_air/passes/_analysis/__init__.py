"""Analyses that several rooms use; none of them changes the IR."""
