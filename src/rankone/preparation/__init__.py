"""Preparation: what is done to the entries of a matrix before it is clustered, and undone."""

from rankone.preparation.prepare import Prepare

__all__ = ["Prepare"]
