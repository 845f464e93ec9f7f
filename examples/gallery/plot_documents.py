"""
Documents and their words
=========================

What scikit-learn's estimators say about themselves: each document is a docstring, each row counts
its words. A tree finds as many clusters of documents as replicate in halves of the words, and names
the words that drive each split.
"""

import inspect
import re

import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils.discovery import all_estimators

from rankone import RankOneTree

documents = {name: inspect.getdoc(cls) or "" for name, cls in all_estimators()}
text = [re.sub(r"[^a-z]+", " ", document.lower()) for document in documents.values()]
words = CountVectorizer(stop_words="english", min_df=5)
counts = words.fit_transform(text)
frame = pd.DataFrame.sparse.from_spmatrix(
    counts, index=list(documents), columns=words.get_feature_names_out()
)
model = RankOneTree().fit(frame)
print(f"{counts.shape[0]} documents, {counts.shape[1]} words")
print(model.explain(n=3))

# %%
# Counts stay sparse, and are compared relative to their margins: a long docstring and a short one
# of the same kind are alike. Some members of each cluster:
for label in range(model.n_clusters_):
    members = frame.index[model.labels_ == label]
    print(f"cluster {label}: {', '.join(members[:5])}, ...")

# %%
# The tree as a picture. Dashed branches are sections of a gradient: a useful division of something
# that has no gap. The orange line is the answer.
import matplotlib.pyplot as plt

from rankone.plotting import dendrogram

figure, axes = plt.subplots(figsize=(8.6, 6.5), layout="constrained")
display = dendrogram(model, ax=axes)
