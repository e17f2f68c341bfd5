"""`--hypothesis-profile=fuzz` (make fuzz) draws many more programs, new ones each time."""

from hypothesis import settings

settings.register_profile("fuzz", max_examples=400, deadline=None, print_blob=True)
