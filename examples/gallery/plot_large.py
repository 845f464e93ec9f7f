"""
Larger than memory
==================

The same three lines work for matrices on disk and on other machines. Here a matrix is written to a
zarr folder, block by block, and clustered where it is. (It is small, so that this page is built
quickly; :doc:`the guide </large>` tells what large ones cost.)
"""

import tempfile
from pathlib import Path

import numpy as np
import zarr

from rankone import RankOneCoclustering
from rankone.datasets import make_blocks
from rankone.io import read_matrix

means = [[4.0, 0.5, 1.5], [1.8, 4.5, 5.1], [3.5, 1.5, 5.5]]
blocks = make_blocks((20000, 300), means, sigma=2.0, random_state=0)
folder = tempfile.TemporaryDirectory()
path = Path(folder.name) / "big.zarr"
store = zarr.create_array(store=path, shape=blocks.data.shape, chunks=(1000, 300), dtype="f4")
for start in range(0, 20000, 1000):
    store[start : start + 1000] = blocks.data[start : start + 1000]

# %%
# As a Dask array: chunks are swept where they are, by threads here, and by the workers of a cluster
# if there is one.
import dask.array as da

x = da.from_zarr(str(path))
print(x)
model = RankOneCoclustering().fit(x)
print(model.n_row_clusters_, "clusters of rows,", model.n_column_clusters_, "of columns")
print(model.result_.describe()["reading"])

# %%
# As a file: ``read_matrix`` decides by the memory that is free whether to read the matrix at once
# or in blocks. ``rankone fit big.zarr --memory 2GB`` does the same on the command line.
again = RankOneCoclustering().fit(read_matrix(path))
print("same labels:", np.array_equal(again.row_labels_, model.row_labels_))

# %%
# Labels do not depend on how the matrix is stored or chunked, nor on the number of threads.
whole = RankOneCoclustering().fit(np.asarray(blocks.data, np.float32))
print("same as in memory:", np.array_equal(whole.row_labels_, model.row_labels_))

# %%
# A twentieth of the rows, sorted into their blocks:
import matplotlib.pyplot as plt

from rankone.plotting import BlocksDisplay

figure, axes = plt.subplots(figsize=(8.6, 4.6), layout="constrained")
rows = slice(0, None, 20)
display = BlocksDisplay(x[rows].compute(), model.row_labels_[rows], model.column_labels_)
display.plot(axes)
folder.cleanup()
