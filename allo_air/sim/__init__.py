"""Executes an `aie.device` and the instruction words of its runtime sequence: function, time, races and deadlocks.

The way in is `allo_air.sim.simulate.simulate`; what it returns is in `allo_air.sim.report_types`.
"""
