"""Decides a design for every order in which its agents may run: cores, DMA channels, switches and the runtime sequence.

The way in is `allo_air.sim.orders.order_findings.judged`; the search itself is in `allo_air/sim/engine/orders.h`.
"""
