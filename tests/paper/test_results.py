import re

import numpy as np
import pytest
from sklearn.metrics import normalized_mutual_info_score

from rankone import SortedPotts
from rankone.datasets import make_paper
from rankone.paper.afterwards import cut_at_once
from rankone.paper.afterwards import draw as afterwards_draw
from rankone.paper.cells import ALL_CELLS, DATA, NOISE, Cells, Tally
from rankone.paper.data import two_steps
from rankone.paper.errors import coclustering_errors, least_error
from rankone.paper.lam import RULES, along_lam
from rankone.paper.lam import draw as stopping_draw
from rankone.paper.nmi import nearest_level, row_nmi
from rankone.paper.noise import sorted_vectors
from rankone.paper.potts import four_panels
from rankone.paper.published import ERRORS, TABLE_1
from rankone.paper.starts import many_starts
from rankone.paper.store import Store
from rankone.selection import silhouette
from rankone.vectors import NMF


@pytest.fixture(scope="module")
def cells(made_up):
    draws = Store(made_up / "draws.jsonl").draws
    return Cells(
        {
            cell: [figures for task, figures in draws.items() if task[:3] == ("learning", *cell)]
            for cell in ALL_CELLS
        }
    )


def test_published_values():
    for kind in ("clean", "noisy"):
        assert set(TABLE_1[kind]) == {"CCOT-GW", "NMF", "Fiedler", "Fiedler DS", "Marginal"}
        assert all(tuple(row) == DATA for row in (*TABLE_1[kind].values(), *ERRORS[kind].values()))
        assert all(0 < value.mean <= 1 for row in TABLE_1[kind].values() for value in row.values())
    assert TABLE_1["clean"]["CCOT-GW"]["D3"] == (0.819, 0.068)
    assert TABLE_1["noisy"]["Fiedler"]["D4"] == (0.694, 0.263)
    assert TABLE_1["noisy"]["Marginal"]["D2"] == (0.536, 0.08)
    assert ERRORS["noisy"]["CCOT-GW"]["D2"] == 29.1
    assert ERRORS["clean"]["NMF"]["D4"] == 4.5


def test_a_cell_of_table_1(cells, page):
    values = [figures["Fiedler/SortedPotts l1/rows"] for figures in cells.draws["D2", 0.5]]
    found = row_nmi(cells, "Fiedler", 1, "D2", 0.5)
    assert found == pytest.approx((np.mean(values), np.std(values)))
    line = next(
        line
        for line in page.read_text().split("**D2**")[1].splitlines()
        if line.startswith("| Fiedler | l1 |")
    )
    texts = [text.strip() for text in line.split("|")[3:-1]]
    assert texts[0] == "0.950 ± 0.093"
    assert texts[2] == "0.991 ± 0.043"
    assert texts[3] == f"{found.mean:.3f} ± {found.deviation:.3f}"


def test_the_nearest_level_is_nearest(cells):
    gaps = [
        abs(
            np.mean([f["NMF/SortedPotts l2/rows"] for f in cells.draws["D4", noise]])
            - TABLE_1["noisy"]["NMF"]["D4"].mean
        )
        for noise in NOISE[1:]
    ]
    assert nearest_level(cells, "NMF", 2, "D4") == NOISE[1:][int(np.argmin(gaps))]


def test_errors_are_averaged_over_all_draws():
    draws = [
        {"NMF/SortedPotts l2/error": error, "NMF/SortedPotts l2/right": right}
        for error, right in ((0.5, 0.0), (0.1, 1.0), (0.3, 1.0), (0.7, 0.0))
    ]
    cells = Cells({("D1", 0.0): draws, ("D2", 0.0): draws[:1]})
    found = coclustering_errors(cells, "NMF", ("D1", 0.0))
    assert (found.mean, found.share, found.of_right) == pytest.approx((40.0, 50.0, 20.0))
    assert np.isnan(coclustering_errors(cells, "NMF", ("D2", 0.0)).of_right)


def test_what_better_means():
    rng = np.random.default_rng(0)
    cell = ("D1", 0.0)
    sure, chance, tiny = 0.3 + rng.normal(0, 0.1, 50), rng.normal(0, 0.1, 50), np.full(50, 5e-4)
    for difference, sign in ((sure, 1), (-sure, -1), (chance - chance.mean(), 0), (tiny, 0)):
        cells = Cells({cell: [{"a": 1.0 + d, "b": 1.0} for d in difference]})
        assert cells.compare(cell, "a", "b") == sign
    assert Cells({cell: [{"a": 1.0, "b": 0.5}]}).compare(cell, "a", "b") == 1
    tally = Tally([1, -1, 0, 0])
    assert (tally.better, tally.equal, tally.worse, tally.total) == (1, 2, 1, 4)


def test_panels_of_one_vector():
    panels = list(four_panels().values())
    for panel in panels:
        np.testing.assert_array_equal(np.sort(panel.u), np.sort(panels[0].u))
        panel.partition.check(panel.u)
    assert (np.diff(panels[2].u) >= 0).all()
    # The lemma: the sorted problem is the problem of the sorted vector.
    assert panels[3].partition.objective == pytest.approx(panels[2].partition.objective)
    np.testing.assert_allclose(np.sort(panels[3].partition.signal), panels[2].partition.signal)


def test_scores_are_means_of_entries():
    for noise, (u, v) in sorted_vectors(3).items():
        data = make_paper("D4", noise, random_state=3).data
        np.testing.assert_allclose(u, np.sort(data.mean(axis=1)), atol=1e-10)
        np.testing.assert_allclose(v, np.sort(data.mean(axis=0)), atol=1e-10)


def test_one_update_from_a_start_leaves_its_scale_alone():
    found = many_starts()
    np.testing.assert_allclose(found.raw_mean / found.raw_mean.mean(), found.mean)
    share = found.raw_spread / found.raw_mean
    np.testing.assert_allclose(share, share[0])
    assert 0.01 < share[0] < 0.1


def test_starts_do_not_matter(page):
    section = page.read_text().split("## Figure 6: random starts of NMF")[1]
    largest = re.search(r"at most (\S+) of the standard deviation of the scores", section).group(1)
    assert float(largest) < 1e-6


def test_silhouettes_along_lam():
    blocks = make_paper("D4", 1.0, random_state=0)
    u = NMF(negative="shift").extract(blocks.data).row
    rows, _ = along_lam()
    for k in (2, 5, 20):
        part = SortedPotts(1, n_clusters=k).cut(u)
        assert rows.silhouettes[k - 1] == pytest.approx(silhouette(u, part))
    assert np.nanmin(rows.normalised) == 0
    assert np.nanmax(rows.normalised) == 1


def test_rules_along_the_grid_by_their_definition():
    figures = stopping_draw("D4", 1.0, 0)
    blocks = make_paper("D4", 1.0, random_state=0)
    for scale, u in (
        ("NMF, mean one", NMF(negative="shift").extract(blocks.data).row),
        ("Marginal, as extracted", blocks.data.mean(axis=1)),
    ):
        parts = [SortedPotts(1, lam=i / 10).cut(u) for i in range(1, 16)]
        scores = np.array([silhouette(u, part) for part in parts])
        first_fall = np.flatnonzero(np.diff(scores, append=-1) < -1e-6)[0]
        standstill = np.flatnonzero(np.diff(scores, append=-1) <= 1e-6)[0]
        expected = [parts[i].n_clusters for i in (first_fall, standstill, np.argmax(scores))]
        assert [figures[f"{scale}/rows/{rule}/number"] for rule in RULES[1:]] == expected


def test_proportional_vectors_with_one_penalty_agree_only_on_one_scale():
    """The values of the table found afterwards differ because of the scale alone."""
    figures = afterwards_draw("D4", 1.0, 0)
    blocks = make_paper("D4", 1.0, random_state=0)
    means = blocks.data.mean(axis=1)
    for name, u in (("NMF", means / means.mean()), ("Marginal", means)):
        expected = normalized_mutual_info_score(blocks.row_labels, cut_at_once(u))
        assert figures[f"one lam/{name}"] == pytest.approx(expected, abs=1e-6)
    assert figures["one lam/NMF"] != figures["one lam/Marginal"]


def test_rows_of_two_equal_groups_are_misplaced_at_least_as_often_as_their_nmi_implies():
    groups = np.repeat([0, 1], 500)
    for n_wrong in (10, 118, 236, 400):
        labels = groups.copy()
        labels[: n_wrong // 2] = 1
        labels[-(n_wrong // 2) :] = 0
        agreement = normalized_mutual_info_score(groups, labels)
        assert least_error(agreement) == pytest.approx(n_wrong / 1000)
    assert 0.23 < least_error(TABLE_1["noisy"]["CCOT-GW"]["D3"].mean) < 0.24
    assert 100 * least_error(0.212) > ERRORS["noisy"]["CCOT-GW"]["D3"]


def test_the_schematic_figure_shows_the_true_groups():
    scheme = two_steps()
    for part, size in ((scheme.rows, 4), (scheme.columns, 2)):
        assert part.n_clusters == size
        assert np.count_nonzero(np.diff(part.labels)) == size - 1  # groups are contiguous
