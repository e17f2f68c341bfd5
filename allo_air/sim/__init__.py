"""Executes an `aie.device` and the instruction words of its runtime sequence: function, time, races and deadlocks.

The entry point is `allo_air.sim.simulate.simulate`; its results are defined in `allo_air.sim.report_types`.
"""
