"""Views: what margins say of a matrix, and the rank-one steps on what they leave."""

from __future__ import annotations

from rankone.views.edge import noise_edge
from rankone.views.margins import Margins
from rankone.views.residual import Residual
from rankone.views.viewing import Viewed, Views, view, view_both, viewed

__all__ = [
    "Margins",
    "Residual",
    "Viewed",
    "Views",
    "noise_edge",
    "view",
    "view_both",
    "viewed",
]
