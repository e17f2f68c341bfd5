"""Checks a design in every order in which its agents may run: cores, DMA channels, switches and the runtime sequence.

The entry point is `allo_air.sim.orders.order_findings.findings_of_orders`; the search is in `allo_air/sim/engine/orders.h`.
"""
