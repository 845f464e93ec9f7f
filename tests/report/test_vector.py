"""The report of a vector, in a real browser."""

import numpy as np
import pytest

from rankone import LargestGaps, Potts, sorted_potts_path
from rankone.report import cut_report
from rankone.selection import choose

RNG = np.random.default_rng(0)
VALUES = RNG.choice([-1.5, 0.0, 1.0, 3.0], size=300) + RNG.normal(scale=0.2, size=300)
NAMES = [f"v{i}" for i in range(300)]
PATH = sorted_potts_path(VALUES, max_clusters=12)
CHOICE = choose(PATH, "silhouette")


@pytest.fixture
def page(opened):
    part = PATH.at(n_clusters=CHOICE.n_clusters)
    return opened(cut_report(VALUES, part, PATH, CHOICE, names=NAMES, title="Prices"))


def test_the_slider_walks_the_exact_path(page):
    assert page.number("rows") == 4
    assert page.inner_text("#rows-heading") == "4 clusters of values"
    assert page.inner_text("#rows-said").startswith("selected by silhouette; optimal for penalties")
    for k in (1, 6, 12):
        page.move("rows", k)
        part = PATH.at(n_clusters=k)
        table = page.labels("rows")
        assert list(map(int, table["label"])) == part.labels.tolist()
        assert page.sizes("rows") == part.sizes.tolist()
    np.testing.assert_allclose(np.array(table["value"], float), VALUES, rtol=1e-6)
    assert page.problems == []


def test_sentences_say_which_values_a_cluster_has(page):
    part = PATH.at(n_clusters=4)
    for label, sentence in enumerate(page.sentences("rows")):
        inside = VALUES[part.labels == label]
        numbers = sentence.replace("\N{MINUS SIGN}", "-").replace(",", "").split()
        np.testing.assert_allclose(
            [float(numbers[i]) for i in (1, 3, 5)],
            [inside.min(), inside.max(), inside.mean()],
            rtol=2e-3,
        )


def test_the_best_partitions_are_drawn_and_can_be_chosen(page):
    assert page.locator("rect.step").count() == 12 * 13 // 2
    page.locator("rect.step[data-number='7']").first.click()
    assert page.number("rows") == 7
    heights = page.locator("rect.bar").evaluate_all(
        "all => all.map((x) => Number(x.getAttribute('height')))"
    )
    counts = np.histogram(VALUES, 140)[0]
    np.testing.assert_allclose(sum(heights) / max(heights), counts.sum() / counts.max(), rtol=0.02)
    page.locator("rect.bar[data-label='2']").first.click()
    assert page.locator("#rows-words li.open .head").inner_text().startswith("Cluster 2, ")
    assert page.locator(".members li").count() == PATH.at(n_clusters=7).sizes[2]
    page.click("#zoom-all")
    assert page.locator(".members").count() == 0


def test_values_are_found_and_links_restore_the_page(page, opened):
    page.fill("#search", "v17")
    page.keyboard.press("Enter")
    assert page.locator("text.found").last.text_content() == "v17"
    page.move("rows", 5)
    page.click("#rows-words li:nth-child(1) .chip")
    page.click("text=Rename")
    page.fill("#new-name", "cheap")
    page.keyboard.press("Enter")
    page.until("location.hash.includes('cheap')")
    again = opened(
        cut_report(VALUES, PATH.at(n_clusters=4), PATH, CHOICE, names=NAMES),
        fragment=page.evaluate("location.hash"),
    )
    assert again.number("rows") == 5
    assert again.locator("#rows-words strong").first.inner_text() == "0 · cheap"
    with again.expect_download() as download:
        again.click("#save-svg")
    assert download.value.suggested_filename == "clusters.svg"
    assert again.problems == []


def test_without_scripts_there_are_words_and_a_picture(opened):
    report = cut_report(VALUES, PATH.at(n_clusters=4), PATH, CHOICE, names=NAMES)
    page = opened(report, java_script_enabled=False)
    assert len(page.sentences("rows")) == 4
    assert page.locator("svg.static rect").count() > 40


@pytest.mark.parametrize("cut", [LargestGaps(3), Potts(n_clusters=3)])
def test_cuts_without_a_path_are_shown_alone(cut, opened):
    part = cut.cut(VALUES)
    page = opened(cut_report(VALUES, part))
    assert page.locator("#rows-slider").count() == 0
    assert page.sizes("rows") == part.sizes.tolist()
    assert list(map(int, page.labels("rows")["label"])) == part.labels.tolist()
    assert page.problems == []


def test_many_values_are_rounded_but_their_labels_are_not(opened):
    values = np.random.default_rng(1).normal(size=120_000)
    path = sorted_potts_path(values, max_clusters=5)
    report = cut_report(values, path.at(n_clusters=3), path)
    assert len(report.html) < 2e6
    page = opened(report)
    table = page.labels("rows")
    assert list(map(int, table["label"])) == path.at(n_clusters=3).labels.tolist()
    np.testing.assert_allclose(np.array(table["value"], float), values, atol=2e-4)


def test_unusable_vectors_are_refused():
    part = PATH.at(n_clusters=1)
    with pytest.raises(ValueError, match="1000000 values at most, but there are 1000001"):
        cut_report(np.zeros(1_000_001), part)
    with pytest.raises(ValueError, match="names must be 300 names, but there are 1"):
        cut_report(VALUES, PATH.at(n_clusters=2), names=["a"])
