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
# friends of Fantine's youth are found; how many there are was not said.
import matplotlib.pyplot as plt

from rankone.plotting import COLOURS

figure, axes = plt.subplots(figsize=(8.6, 6.4), layout="constrained")
positions = nx.kamada_kawai_layout(graph, weight=None)
nx.draw_networkx_edges(graph, positions, ax=axes, edge_color="#cccccc")
nx.draw_networkx_nodes(
    graph, positions, ax=axes, node_size=110, node_color=[COLOURS[k] for k in model.row_labels_]
)
degrees = dict(graph.degree())
names = {node: node for node in graph if degrees[node] >= 13}
nx.draw_networkx_labels(graph, positions, names, ax=axes, font_size=8)
axes.set_axis_off()

# %%
# A bipartite graph is a matrix without symmetry: which of 18 women attended which of 14 events
# (Davis, Gardner and Gardner, 1941)?
import pandas as pd

from rankone.plotting import BlocksDisplay

parties = nx.davis_southern_women_graph()
women, events = parties.graph["top"], parties.graph["bottom"]
attended = pd.DataFrame(
    nx.bipartite.biadjacency_matrix(parties, women, events).toarray(), index=women, columns=events
)
model = RankOneCoclustering().fit(attended)
figure, axes = plt.subplots(figsize=(8.6, 4.6), layout="constrained")
display = BlocksDisplay.from_estimator(model, ax=axes)
