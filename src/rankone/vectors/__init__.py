"""Step 1: extract one vector for the rows of a matrix and one for its columns."""

from rankone.vectors.base import Capabilities, VectorMethod, Vectors
from rankone.vectors.fiedler import DisconnectedGraphWarning, Fiedler
from rankone.vectors.gromov import CCOTGW
from rankone.vectors.marginal import Marginal
from rankone.vectors.nmf import NMF, IncomparableScoresWarning
from rankone.vectors.pagerank import PageRank
from rankone.vectors.svd import SVD
from rankone.vectors.transport import CCOT, transport_loss

METHODS: tuple[type[VectorMethod], ...] = (Marginal, NMF, SVD, PageRank, Fiedler, CCOT, CCOTGW)

__all__ = [
    "CCOT",
    "CCOTGW",
    "METHODS",
    "NMF",
    "SVD",
    "Capabilities",
    "DisconnectedGraphWarning",
    "Fiedler",
    "IncomparableScoresWarning",
    "Marginal",
    "PageRank",
    "VectorMethod",
    "Vectors",
    "transport_loss",
]
