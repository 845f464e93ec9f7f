"""What is done to entries before a fit, as flags say."""

from __future__ import annotations

from argparse import Namespace

from rankone import Prepare


def preparation(arguments: Namespace) -> Prepare | None:
    """Return the preparation that was asked for, if any."""
    if not (arguments.normalise or arguments.log or arguments.standardise):
        return None
    return Prepare(
        normalise=arguments.normalise, log=arguments.log, standardise=arguments.standardise
    )
