"""How many programs are drawn: few, or many with `--hypothesis-profile=fuzz`."""

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, settings

LONG = settings.get_current_profile_name() == "fuzz"


def bounded(examples: int) -> Callable[[Any], Any]:
    """The same few programs each time, found ones not made smaller; or, with the profile fuzz, as many new ones as it says."""
    few = settings(max_examples=examples, derandomize=True, database=None, deadline=None, phases=[Phase.generate])
    return settings(settings.get_profile("fuzz") if LONG else few, suppress_health_check=list(HealthCheck))
