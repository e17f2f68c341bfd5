"""Allo's types and syntax trees, by the names that its programs import."""
