"""Settings of the whole suite."""

from hypothesis import settings

# The same examples in every run, and no complaint about the time that a first compilation takes.
settings.register_profile("agari", derandomize=True, deadline=None)
settings.load_profile("agari")
