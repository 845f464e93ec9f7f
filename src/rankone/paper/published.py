"""The values published in the paper."""

from __future__ import annotations

from typing import NamedTuple


class Published(NamedTuple):
    """A mean over 100 data sets, and its standard deviation."""

    mean: float
    deviation: float

    def __str__(self) -> str:
        """Write both as the paper does."""
        return f"{self.mean:.3f} ± {self.deviation:.3f}"


#: Table 1, NMI of the rows, by method and data set. The level of the white noise is not published.
TABLE_1: dict[str, dict[str, dict[str, Published]]] = {
    "clean": {
        "CCOT-GW": {
            "D1": Published(0.999, 0.002),
            "D2": Published(1.000, 0.000),
            "D3": Published(0.819, 0.068),
            "D4": Published(0.925, 0.063),
        },
        "NMF": {
            "D1": Published(0.990, 0.047),
            "D2": Published(0.915, 0.110),
            "D3": Published(1.000, 0.000),
            "D4": Published(1.000, 0.000),
        },
        "Fiedler": {
            "D1": Published(0.999, 0.000),
            "D2": Published(0.950, 0.093),
            "D3": Published(1.000, 0.000),
            "D4": Published(1.000, 0.000),
        },
        "Fiedler DS": {
            "D1": Published(1.000, 0.000),
            "D2": Published(1.000, 0.000),
            "D3": Published(1.000, 0.000),
            "D4": Published(1.000, 0.000),
        },
        "Marginal": {
            "D1": Published(0.990, 0.047),
            "D2": Published(0.959, 0.084),
            "D3": Published(1.000, 0.000),
            "D4": Published(1.000, 0.000),
        },
    },
    "noisy": {
        "CCOT-GW": {
            "D1": Published(0.639, 0.049),
            "D2": Published(0.659, 0.066),
            "D3": Published(0.212, 0.178),
            "D4": Published(0.324, 0.032),
        },
        "NMF": {
            "D1": Published(0.955, 0.077),
            "D2": Published(0.708, 0.125),
            "D3": Published(0.962, 0.075),
            "D4": Published(0.937, 0.027),
        },
        "Fiedler": {
            "D1": Published(1.000, 0.000),
            "D2": Published(0.991, 0.043),
            "D3": Published(1.000, 0.000),
            "D4": Published(0.694, 0.263),
        },
        "Fiedler DS": {
            "D1": Published(1.000, 0.000),
            "D2": Published(1.000, 0.000),
            "D3": Published(1.000, 0.000),
            "D4": Published(0.900, 0.000),
        },
        "Marginal": {
            "D1": Published(0.699, 0.045),
            "D2": Published(0.536, 0.080),
            "D3": Published(0.592, 0.011),
            "D4": Published(0.794, 0.018),
        },
    },
}

#: The degree of overlapping and the proportions of each data set, as the paper describes them.
DATA_TABLE = {
    "D1": ("[+]", "equal"),
    "D2": ("[+]", "unequal"),
    "D3": ("[++]", "equal"),
    "D4": ("[++]", "unequal"),
}

#: The bars of the co-clustering errors, in percent.
ERRORS: dict[str, dict[str, dict[str, float]]] = {
    "clean": {
        "CCOT-GW": {"D1": 0.4, "D2": 1.1, "D3": 0.8, "D4": 7.9},
        "NMF": {"D1": 0.1, "D2": 1.16, "D3": 0.2, "D4": 4.5},
    },
    "noisy": {
        "CCOT-GW": {"D1": 23.2, "D2": 29.1, "D3": 21.6, "D4": 24.3},
        "NMF": {"D1": 2.3, "D2": 7.9, "D3": 5.4, "D4": 8.5},
    },
}

#: The range of the row scores of NMF on D4 in the paper's figure.
D4_SCORES = (2.4, 2.9)
