"""The time of a core's code: units that operations occupy, latencies, schedules of loops. Simulator and planners use it."""
