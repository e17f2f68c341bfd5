"""Allo's backends, by the names that its programs import."""
