"""The number of clusters in a real browser: slider, curve, tree, words and labels are one thing."""

import numpy as np
import pytest

from rankone import RankOneCoclustering
from tests.report import models

SIDES = pytest.mark.parametrize("side", ["rows", "columns"])


def side_of(model, side):
    result = model.result_
    return result.rows if side == "rows" else result.columns


@SIDES
def test_the_slider_walks_the_tree_through_the_answer(side, opened):
    page, fitted = opened(models.blocks().report()), side_of(models.blocks(), side)
    answer, tree = fitted.n_clusters, fitted.tree
    for k in range(1, tree.n_leaves + 1):
        page.move(side, k)
        assert page.sizes(side) == np.bincount(tree.cut(k)).tolist()
        assert page.get_attribute(f"#{side}-answer", "aria-pressed") == str(k == answer).lower()
    for k in (answer - 1, answer, answer + 1, tree.n_leaves):
        page.move(side, k)
        assert list(map(int, page.labels(side)["label"])) == tree.cut(k).tolist()
    page.click(f"#{side}-answer")
    assert list(map(int, page.labels(side)["label"])) == fitted.labels.tolist()
    assert page.problems == []


@SIDES
def test_without_a_tree_the_slider_walks_the_exact_path(side, opened):
    page, fitted = opened(models.cut().report()), side_of(models.cut(), side)
    assert "exact cuts of scores" in page.inner_text("header")
    assert page.number(side) == fitted.n_clusters
    for k in (1, 2, 5, 20, fitted.n_clusters):
        page.move(side, k)
        expected = fitted.path.at(n_clusters=k).labels
        assert list(map(int, page.labels(side)["label"])) == expected.tolist()
        assert page.sizes(side) == np.bincount(expected).tolist()
        if k != fitted.n_clusters:
            assert "exact path of the scores" in page.inner_text(f"#{side}-said")
    page.locator(f"[data-number='4'][data-side={side}]").first.click()
    assert page.number(side) == 4
    assert page.problems == []
    assert [url for url in page.requests if not url.startswith(("file:", "blob:", "data:"))] == []


def test_at_its_number_of_clusters_a_path_stops_at_the_answer(opened):
    model = RankOneCoclustering(3, 2, refine=False, cut="largest-gaps").fit(models.FRAME)
    page, fitted = opened(model.report()), model.result_.rows
    on_path = fitted.path.at(n_clusters=3).labels
    assert (on_path != fitted.labels).any()
    assert list(map(int, page.labels("rows")["label"])) == fitted.labels.tolist()
    page.move("rows", 4)
    expected = fitted.path.at(n_clusters=4).labels.tolist()
    assert list(map(int, page.labels("rows")["label"])) == expected


def test_cuts_that_depend_on_the_order_have_no_slider(opened):
    model = RankOneCoclustering(4, 3, refine=False, cut="potts").fit(models.FRAME)
    page = opened(model.report())
    assert page.locator("input[type=range]:not(#contrast)").count() == 0
    assert list(map(int, page.labels("rows")["label"])) == model.row_labels_.tolist()


def test_everything_stands_at_the_answer(opened):
    page, number = opened(models.wine().report()), models.wine().n_row_clusters_
    assert page.input_value("#rows-slider") == str(number)
    assert page.inner_text("#rows-answer") == f"Answer: {number}"
    assert page.inner_text("#rows-heading") == f"{number} clusters of rows"
    assert page.inner_text("#rows-said") == (
        "as many as replicate in halves of the data; all are groups, with gaps between them"
    )
    points = page.locator("#rows-curve circle")
    assert points.nth(number - 1).get_attribute("class") == "point now"
    assert page.locator(".fork").count() == 2 + models.wine().n_column_clusters_ - 1
    page.move("rows", number + 1)
    assert page.inner_text("#rows-heading") == f"{number + 1} clusters of rows"
    assert page.inner_text("#rows-said").startswith("of the tree; ")
    assert points.nth(number - 1).get_attribute("class") == "point chosen"
    assert points.nth(number).get_attribute("class") == "point now"
    assert page.locator(".fork").count() == 3 + models.wine().n_column_clusters_ - 1


def test_the_curve_is_a_slider_too(opened):
    page = opened(models.wine().report())
    box = page.locator("#rows-curve").bounding_box()
    page.mouse.click(box["x"] + 8 + (box["width"] - 16) * 6 / 19, box["y"] + 20)
    assert page.number("rows") == 7
    page.click("#rows-more")
    page.click("#rows-more")
    page.click("#rows-fewer")
    assert page.number("rows") == 8
    page.focus("#rows-slider")
    page.keyboard.press("ArrowRight")
    assert page.number("rows") == 9


@SIDES
def test_the_line_that_cuts_a_tree_can_be_dragged(side, opened):
    page = opened(models.wine().report())
    tree = side_of(models.wine(), side).tree
    box = page.locator(f".cut-target.{side}").bounding_box()
    start = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    step = (60, 0) if side == "rows" else (0, 40)
    page.mouse.move(*start)
    assert "drag this line" in page.inner_text("#tip")
    page.mouse.down()
    page.mouse.move(start[0] + step[0], start[1] + step[1], steps=4)
    page.mouse.up()
    k = page.number(side)
    assert k > 3
    assert page.sizes(side) == np.bincount(tree.cut(k)).tolist()
    after = page.locator(f".cut-target.{side}").bounding_box()
    assert after["x"] > box["x"] if side == "rows" else after["y"] > box["y"]
    assert page.problems == []


def test_splits_say_what_drives_them(opened):
    page, tree = opened(models.wine().report()), models.wine().row_tree_
    names = models.wine_frame().columns
    root = 2 * tree.n_leaves - 2
    target = page.locator(f"[data-side=rows][data-node='{root}']").bounding_box()
    page.mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2)
    text, split = page.inner_text("#tip"), tree.split(root)
    drivers = tree.drivers(root)
    assert f"178 rows divide into {split.sizes[0]} and {split.sizes[1]}" in text
    assert f"above: more {names[drivers.argmin()]}" in text
    assert f"below: more {names[drivers.argmax()]}" in text
    points = tree.points - tree.points.mean(axis=0)
    assert f"explains {round(100 * split.gain / (points**2).sum())} %" in text
    assert f"replication {split.replication:.2f}" in text


def test_a_given_number_has_no_curve(opened):
    model = RankOneCoclustering(3, 2).fit(models.FRAME.iloc[:60, :40])
    page = opened(model.report())
    assert page.inner_text("#rows-said").startswith("as many as asked for; ")
    assert page.locator("#rows-curve polyline").count() == 0
    assert page.inner_text("#rows-rule") == ""
    page.click("#rows-more")
    assert page.number("rows") == 4


def test_rows_and_columns_of_a_graph_move_together(opened):
    page, tree = opened(models.graph().report()), models.graph().row_tree_
    assert page.locator("#columns-slider").count() == 0
    assert page.inner_text("#rows-heading") == "3 clusters of rows and columns"
    page.move("rows", 4)
    both = page.evaluate("rankone.sides.map((side) => Array.from(side.sizes))")
    assert both == [np.bincount(tree.cut(4)).tolist()] * 2
    assert page.problems == []


@pytest.mark.parametrize(
    ("make", "clustered"),
    [
        (models.rows_only, "rows"),
        (lambda: models.tree("rows"), "rows"),
        (lambda: models.tree("columns"), "columns"),
    ],
    ids=["RankOneClustering", "RankOneTree", "tree of columns"],
)
def test_learners_of_one_side_have_reports(make, clustered, opened):
    model = make()
    page, other = opened(model.report()), "columns" if clustered == "rows" else "rows"
    assert f"The {other} are not clustered" in page.inner_text("header")
    assert page.locator(f"#{other}-slider, #{other}-words").count() == 0
    for k in (2, model.n_clusters_, 6):
        page.move(clustered, k)
        expected = model.tree_.cut(k)
        assert list(map(int, page.labels(clustered)["label"])) == expected.tolist()
    assert page.problems == []


def test_columns_that_are_not_clustered_are_sorted_by_where_they_stand_out(opened):
    model = models.rows_only()
    page = opened(model.report())
    order = page.evaluate("Array.from(rankone.sides[1].unitMembers)")
    z = model.prepared(model.matrix_).values()
    means = np.array([z[model.labels_ == k].mean(axis=0) for k in range(model.n_clusters_)])
    means *= np.sqrt(np.bincount(model.labels_))[:, None]
    peaks = means.argmax(axis=0)
    assert order == np.lexsort((-means.max(axis=0), peaks)).tolist()


def test_clusters_that_stay_keep_their_colour(opened):
    page, tree = opened(models.wine().report()), models.wine().row_tree_

    def colours():
        chips = page.locator("#rows-words .chip")
        return chips.evaluate_all("chips => chips.map((chip) => chip.style.background)")

    before, nodes = colours(), tree.nodes_at(3)
    page.move("rows", 4)
    after = dict(zip(tree.nodes_at(4), colours(), strict=True))
    kept = [node for node in nodes if node in after]
    assert len(kept) == 2
    assert [after[node] for node in kept] == [before[nodes.index(node)] for node in kept]
    assert len(set(after.values())) == 4


def test_one_cluster_is_an_answer(opened):
    flat = RankOneCoclustering().fit(np.random.default_rng(0).normal(size=(30, 20)))
    page = opened(flat.report())
    assert page.inner_text("#rows-heading") == "1 cluster of rows"
    assert page.inner_text("#rows-said") in (
        "no division replicates",
        "no blocks are better than one",
    )
    assert page.sentences("rows") == ["all together"]
    assert page.problems == []
