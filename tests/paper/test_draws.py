import numpy as np
import pytest
from sklearn.metrics import normalized_mutual_info_score

from rankone import RankOneCoclustering, SortedPotts
from rankone.datasets import PAPER, Blocks, make_paper
from rankone.metrics import coclustering_error
from rankone.paper.draws import ONE_MODE, VECTORS, identifiable, nmi


def test_nmi_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    for k in (1, 2, 5, 30):
        a, b = rng.integers(0, 4, 50), rng.integers(0, k, 50)
        assert nmi(a, b) == pytest.approx(normalized_mutual_info_score(a, b), abs=1e-12)
    assert nmi(np.zeros(5, int), np.zeros(5, int)) == 1.0


@pytest.mark.filterwarnings("ignore:The best number of clusters")
@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("name", ["CCOT-GW", "NMF", "Fiedler DS", "Marginal", "NMF, beta = 2"])
def test_a_cell_is_what_the_learner_finds(figures, name, p):
    blocks = make_paper("D3", 1.0, random_state=0)
    model = RankOneCoclustering(
        vectors=VECTORS[name], cut=SortedPotts(p), selection="silhouette", refine=False
    )
    model.fit(blocks.data)
    found = {
        "rows": normalized_mutual_info_score(blocks.row_labels, model.row_labels_),
        "columns": normalized_mutual_info_score(blocks.column_labels, model.column_labels_),
        "error": coclustering_error(
            blocks.row_labels, blocks.column_labels, model.row_labels_, model.column_labels_
        ),
        "row clusters": model.n_row_clusters_,
        "right": float(model.n_row_clusters_ == 2 and model.n_column_clusters_ == 4),
    }
    for what, value in found.items():
        assert figures[f"{name}/SortedPotts l{p}/{what}"] == pytest.approx(value, abs=1e-6)


def test_factors_are_marginals(figures):
    assert figures["NMF equals Marginal"] == 1.0


def test_all_figures_are_plain_numbers(figures):
    assert all(isinstance(value, float) and np.isfinite(value) for value in figures.values())
    assert all(0 <= value <= 1 for name, value in figures.items() if name.endswith("rows"))


@pytest.mark.parametrize(("first", "found"), [(138, 0.0), (150, 1.0)])
def test_columns_that_collide_are_not_identifiable(first, found):
    """Of D3, when 6/13 of the rows (138.5 of 300) are in the first group."""
    rows = np.repeat([0, 1], [first, 300 - first])
    columns = np.repeat(np.arange(4), [100, 40, 20, 40])
    means = np.array(PAPER["D3"].means)
    blocks = Blocks(means[rows][:, columns], rows, columns, means)
    assert identifiable(blocks, 0.5)["columns identifiable"] == found
    assert identifiable(blocks, 0.5)["rows identifiable"] == 1.0


def test_groups_nearer_than_two_deviations_have_one_mode():
    x = np.linspace(-5, 6, 10001)
    for distance, modes in ((0.95 * ONE_MODE, 1), (1.05 * ONE_MODE, 2)):
        density = np.exp(-(x**2) / 2) + np.exp(-((x - distance) ** 2) / 2)
        assert ((np.diff(density)[:-1] > 0) & (np.diff(density)[1:] <= 0)).sum() == modes
