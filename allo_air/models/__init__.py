"""Imported models: divided into parts for the array and for the host, compiled, and run as one."""
