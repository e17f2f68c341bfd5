"""The host's control program: what it transfers, folded into shim buffer descriptors and put in an order that cannot hang."""
