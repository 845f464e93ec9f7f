"""Saving: fitted learners in files, without pickle, and checked when they are loaded."""

from rankone.saving.models import load, save

__all__ = ["load", "save"]
