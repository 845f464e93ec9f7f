"""Views: what margins say of a matrix, and the rank-one steps on what they leave."""

from __future__ import annotations

from rankone.views.edge import noise_edge
from rankone.views.margins import Margins
from rankone.views.viewing import Views, view

__all__ = ["Margins", "Views", "noise_edge", "view"]
