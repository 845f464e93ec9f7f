"""
Communities of a graph
======================

A graph is a symmetric matrix, whose rows and columns are the same nodes: ``symmetric=True`` gives
them one partition. Here are the characters of *Les Misérables*, connected by the number of chapters
in which they meet.
"""

import networkx as nx

from rankone import RankOneCoclustering

graph = nx.les_miserables_graph()
meetings = nx.to_pandas_adjacency(graph)
model = RankOneCoclustering(symmetric=True).fit(meetings)
for cluster in model.explain(n=4).rows.clusters:
    members = meetings.index[model.row_labels_ == cluster.label]
    print(f"{cluster.label}: {', '.join(members[:6])}, ... ({cluster.size})")

# %%
# The students of the barricade, the court, the gang of Thénardier, the bishop's household and the
# friends of Fantine's youth are found; how many there are was not said. The character with the most
# acquaintances names each community:
import matplotlib.pyplot as plt
from matplotlib.patheffects import withStroke

from rankone.plotting import COLOURS

figure, axes = plt.subplots(figsize=(8.6, 6.4), layout="constrained")
positions = nx.kamada_kawai_layout(graph, weight=None)
nx.draw_networkx_edges(graph, positions, ax=axes, edge_color="#cccccc")
nx.draw_networkx_nodes(
    graph, positions, ax=axes, node_size=110, node_color=[COLOURS[k] for k in model.row_labels_]
)
halo = [withStroke(linewidth=3, foreground="white")]
degrees = meetings.astype(bool).sum()
for k in range(model.n_row_clusters_):
    central = degrees[model.row_labels_ == k].idxmax()
    style = {"textcoords": "offset points", "ha": "center", "path_effects": halo}
    axes.annotate(f"{k}: {central}", positions[central], (0, 8), color=COLOURS[k], **style)
axes.set_axis_off()

# %%
# A bipartite graph is a matrix without symmetry: which of 18 women attended which of 14 events
# (Davis, Gardner and Gardner, 1941)? Two circles are found, with events 1 to 6 and 10 to 14 of
# their own; events 7 to 9 were attended by both.
import pandas as pd

from rankone.plotting import BlocksDisplay

parties = nx.davis_southern_women_graph()
women, events = parties.graph["top"], parties.graph["bottom"]
attended = pd.DataFrame(
    nx.bipartite.biadjacency_matrix(parties, women, events).toarray(), index=women, columns=events
)
model = RankOneCoclustering().fit(attended)
figure, axes = plt.subplots(figsize=(8.6, 4.6), layout="constrained")
display = BlocksDisplay.from_estimator(model, ax=axes, relative=False, colorbar=False)
