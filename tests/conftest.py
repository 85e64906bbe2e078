"""What every test shares: the hypothesis profile. Fixtures live beside the tests that use them."""

from hypothesis import settings

# A small shared machine stalls now and then: a slow example is no failure, and a run must be repeatable.
settings.register_profile("plyhouse", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("plyhouse")
