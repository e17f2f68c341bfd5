"""The host's control program: its transfers, folded into shim buffer descriptors and in an order that cannot deadlock."""
