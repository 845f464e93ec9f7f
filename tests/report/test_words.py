"""The answer in words, in a real browser: sentences, names that people give, and members."""

import re

import numpy as np
import pytest

from rankone.contrasts import Contrasts
from tests.report import models


def words_of(model, labels, names):
    """Return what Python says of clusters of rows."""
    contrasts = Contrasts.of(model.prepared(model.matrix_), labels)
    return [cluster.words for cluster in contrasts.explain(names, 4, "row").clusters]


def test_the_page_says_what_python_says_at_every_number(opened):
    model, names = models.wine(), list(models.wine_frame().columns)
    page = opened(model.report())
    assert page.sentences("rows") == [c.words for c in model.explain().rows.clusters]
    for k in (2, 5):
        page.move("rows", k)
        assert page.sentences("rows") == words_of(model, model.row_tree_.cut(k), names)
    assert page.sentences("rows")[0].startswith("high ")


def test_sentences_come_with_numbers_in_original_units(opened):
    model, frame = models.wine(), models.wine_frame()
    page = opened(model.report())
    word = page.locator("#rows-words .sentence b").first
    mean = frame.loc[model.row_labels_ == 0, word.inner_text()].mean()
    said = word.get_attribute("title")
    assert said.startswith(f"{mean:.4g}"[:4])
    assert f"{frame[word.inner_text()].mean():.4g}"[:4] in said
    assert "standard deviations" in said


def test_columns_are_said_to_be_high_in_rows_of_clusters(opened):
    model = models.wine()
    page = opened(model.report())
    rows = dict(zip(models.wine_frame().index, model.row_labels_, strict=True))
    for sentence in page.sentences("columns"):
        for label, names in re.findall(r"in (\d+) ((?:w\d+(?:, )?)+)", sentence):
            assert {rows[name] for name in names.strip(", ").split(", ")} == {int(label)}
    members = page.locator("#columns-words .names-of-columns").first.inner_text()
    first = models.wine_frame().columns[model.column_labels_ == 0]
    assert set(members.split(", ")) == set(first)


def test_counts_are_explained_by_their_lift(opened):
    model = models.counts()
    page = opened(model.report())
    data = np.asarray(model.matrix_.values())
    word = page.locator("#rows-words .sentence b").first
    j = int(word.inner_text().removeprefix("word"))
    inside = data[model.row_labels_ == 0]
    lift = inside[:, j].sum() * data.sum() / inside.sum() / data[:, j].sum()
    assert (
        f"{lift:.2g}\N{MULTIPLICATION SIGN} what the sums of rows and columns "
        "lead one to expect" in word.get_attribute("title")
    )


def test_rows_and_columns_have_the_names_that_people_use(opened):
    page = opened(models.wine().report(nouns=("wine", "quality of a <b>berry</b>")))
    assert page.inner_text("#rows-heading") == "3 clusters of wines"
    assert page.locator("#rows-words .head").first.inner_text() == "Cluster 0, 49 wines"
    assert page.inner_text("header p").startswith("178 wines x 13 quality of a <b>berry</b>s, ")
    page.mouse.move(*page.cell(30, 3))
    assert re.match(r"wine w\d+: cluster 0\n", page.inner_text("#tip"))
    assert page.locator("header b, #columns-heading b").count() == 0
    assert page.problems == []


def test_a_cluster_opens_to_all_its_members_the_most_certain_first(opened):
    model = models.wine()
    page = opened(model.report())
    page.click("#rows-words li:nth-child(2) .chip")
    listed = page.locator("#rows-words .members li button").all_inner_texts()
    index = list(models.wine_frame().index)
    assert set(listed) == {index[i] for i in np.flatnonzero(model.row_labels_ == 1)}
    confidence = [round(1000 * model.row_confidence_[index.index(name)]) for name in listed]
    assert confidence == sorted(confidence, reverse=True)
    low, high = page.evaluate("rankone.axes[0].window")
    sizes = np.bincount(model.row_labels_) / 178
    np.testing.assert_allclose([low, high], [sizes[0], sizes[0] + sizes[1]])
    page.click("text=Close")
    assert page.evaluate("rankone.axes[0].whole")
    assert page.locator(".details").count() == 0
    assert page.problems == []


@pytest.mark.parametrize("selector", ["rect.bar", "text.caption"])
def test_bars_and_captions_choose_their_cluster(selector, opened):
    page = opened(models.wine().report())
    page.locator(f"{selector}[data-side=rows][data-label='2']").first.click()
    assert page.locator("#rows-words li.open .head").inner_text().startswith("Cluster 2, 63 rows")
    assert "rect" in page.locator(".bar.selected").evaluate("bar => bar.tagName")


def test_branches_of_the_tree_choose_their_cluster_or_zoom(opened):
    model = models.wine()
    page, tree = opened(model.report()), model.row_tree_
    stem = page.locator(f"[data-side=rows][data-node='{tree.nodes_at(3)[1]}']").first
    stem.click(force=True)
    assert page.locator("#rows-words li.open .head").inner_text().startswith("Cluster 1, 66 rows")
    page.click("#zoom-all")
    inner = max(set(range(tree.n_leaves, 2 * tree.n_leaves - 2)) - set(tree.nodes_at(3)))
    page.locator(f"[data-side=rows][data-node='{inner}']").first.click(force=True)
    low, high = page.evaluate("rankone.axes[0].window")
    assert high - low == pytest.approx(tree.sizes[inner] / 178)
    assert page.locator(".details").count() == 0


def test_members_are_copied(browser, opened):
    page = opened(models.wine().report(), permissions=["clipboard-read", "clipboard-write"])
    page.click("#rows-words li:nth-child(1) .chip")
    page.click("text=Copy members")
    page.wait_for_selector("text=Copied")
    copied = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert copied == page.locator("#rows-words .members li button").all_inner_texts()


def test_a_member_is_found_in_the_picture(opened):
    page = opened(models.wine().report())
    page.click("#rows-words li:nth-child(1) .chip")
    page.locator("#rows-words .members li button").nth(5).click()
    name = page.locator("#rows-words .members li button").nth(5).inner_text()
    assert page.locator("text.found").first.text_content() == name


def test_names_of_clusters_go_everywhere(opened):
    page = opened(models.wine().report())
    page.click("#rows-words li:nth-child(2) .chip")
    page.click("text=Rename")
    page.fill("#new-name", "light <b>wines</b>")
    page.keyboard.press("Enter")
    assert page.locator("#rows-words strong").nth(1).inner_text() == "1 · light <b>wines</b>"
    page.click("text=Close")
    caption = page.locator("text.caption[data-side=rows][data-label='1']")
    assert caption.text_content() == "1 · light <b>wines</b>"
    assert page.locator("#blocks-body th").nth(1).inner_text() == "light <b>wines</b>"
    table = page.labels("rows")
    named = set(zip(table["label"], table["cluster"], strict=True))
    assert named == {("0", ""), ("1", "light <b>wines</b>"), ("2", "")}
    page.move("rows", 4)  # the cluster is still there, under another number
    assert "light <b>wines</b>" in page.inner_text("#rows-words")
    page.move("rows", 2)
    assert "light" not in page.inner_text("#rows-words")
    assert page.problems == []


def test_labels_come_with_names_scores_and_confidence(opened):
    model = models.wine()
    table = opened(model.report()).labels("rows")
    assert list(table) == ["name", "label", "cluster", "score", "confidence"]
    assert table["name"] == list(models.wine_frame().index)
    np.testing.assert_allclose(np.array(table["score"], float), model.row_vector_, rtol=1e-6)
    np.testing.assert_allclose(
        np.array(table["confidence"], float), model.row_confidence_, atol=6e-4
    )


def test_confidence_is_known_at_other_numbers_too(opened):
    model = models.wine()
    page = opened(model.report())
    page.move("rows", 5)
    tree = model.row_tree_
    chances = tree.confidence(tree.points, 5)
    np.testing.assert_allclose(
        np.array(page.labels("rows")["confidence"], float),
        chances[np.arange(178), tree.cut(5)],
        atol=6e-4,
    )


HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\u2028\u202eevil\u202c",
    "m" * 1_000_000,
    "=HYPERLINK(0)",
    'a "quoted", name\nin two lines',
]


def test_hostile_names_are_inert(opened):
    rows = HOSTILE + models.ROWS[6:]
    page = opened(
        models.blocks().report(
            row_names=rows,
            column_names=HOSTILE + models.COLUMNS[6:],
            title="<script>alert(2)</script>",
            row_annotations={"<b>x</b>": [f"<i>{i % 3}</i>" for i in range(300)]},
        )
    )
    page.fill("#search", "script")
    page.locator("#results button").first.click()
    page.fill("#search", "mmmm")
    assert len(page.inner_text("#results button")) < 100
    for share in (0.3, 0.5, 0.7):
        page.mouse.move(*page.cell(300 * share, 200 * share))
    page.click("#columns-words li:nth-child(1) .chip")
    assert page.locator("img[src=x], b:has-text('x') i").count() == 0
    assert page.title() == "<script>alert(2)</script>"
    found = page.labels("rows")["name"]
    assert found == [f"'{name}" if name.startswith("=") else name for name in rows]
    assert page.problems == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
