"""A tree of real documents: what scikit-learn's estimators say about themselves.

Each document is the docstring of an estimator; a row counts its words. The tree finds as many
clusters as replicate in halves of the words, and names the words that drive each split.
"""

from __future__ import annotations

import inspect
import re

import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils.discovery import all_estimators

from rankone import RankOneTree


def main() -> None:
    """Count words, grow the tree, and print it."""
    documents = {name: inspect.getdoc(cls) or "" for name, cls in all_estimators()}
    text = [re.sub(r"[^a-z]+", " ", document.lower()) for document in documents.values()]
    words = CountVectorizer(stop_words="english", min_df=5)
    counts = words.fit_transform(text)
    frame = pd.DataFrame.sparse.from_spmatrix(
        counts, index=list(documents), columns=words.get_feature_names_out()
    )
    model = RankOneTree().fit(frame)
    print(f"{counts.shape[0]} documents, {counts.shape[1]} words")
    print(model.explain())
    for label in range(model.n_clusters_):
        members = frame.index[model.labels_ == label]
        print(f"cluster {label}: {', '.join(members[:5])}, ...")


if __name__ == "__main__":
    main()
