"""Trees of rank-one splits: nested clusters of rows, through an answer that replicates."""

from __future__ import annotations

from rankone.tree.growing import grow
from rankone.tree.replication import Replication
from rankone.tree.tree import Split, Tree

__all__ = ["Replication", "Split", "Tree", "grow"]
