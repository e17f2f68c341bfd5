"""Passes, pipelines, schedules, rewriting and the driver that runs them; knows nothing of AIR."""
