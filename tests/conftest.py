"""Settings of all tests."""

import os

import numpy as np
import pytest
from hypothesis import settings

# Numba's cache is not safe for several processes that fill it at once: one for each worker.
if "PYTEST_XDIST_WORKER" in os.environ and "NUMBA_CACHE_DIR" in os.environ:
    os.environ["NUMBA_CACHE_DIR"] += "-" + os.environ["PYTEST_XDIST_WORKER"]

# The first example may compile a kernel, so that no deadline is fair.
settings.register_profile("default", deadline=None, max_examples=100, print_blob=True)
settings.load_profile("default")


@pytest.fixture(autouse=True)
def _seeded(request):
    """Let the random numbers of a test not depend on which tests ran before."""
    if hasattr(request.module, "RNG"):
        request.module.RNG = np.random.default_rng(0)
