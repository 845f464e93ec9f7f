"""What is drawn, in a real browser: scales, missing entries, names, annotations, and exports."""

import io
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

from rankone.plotting import COLOURS
from rankone.plotting.colours import ONE_SIGN, TWO_SIGNS
from rankone.report.templates import resource
from tests.report import models


def number(text):
    return float(text.replace("\N{MINUS SIGN}", "-"))


def shades(anchors, share):
    places = np.linspace(0, 1, len(anchors))
    return [np.interp(share, places, channel) for channel in np.array(anchors, float).T]


def tip_at(page, row, column):
    page.mouse.move(*page.cell(row, column))
    return page.inner_text("#tip")


def test_cells_have_the_colours_of_their_values(opened):
    model, page = models.blocks(), opened(models.blocks().report())
    low, high = page.evaluate("rankone.scale.limits")
    data = models.BLOCKS.data
    percentiles = np.nanpercentile(data, [1, 99])
    most = np.abs(percentiles).max()
    np.testing.assert_allclose([low, high], [-most, most], rtol=0.05)
    page.evaluate("rankone.axes.forEach((axis) => axis.look(0, 8)); rankone.look()")
    units = page.evaluate("rankone.sides.map((side) => Array.from(side.unitMembers.slice(0, 8)))")
    for row, column in ((0, 0), (3, 5), (7, 2)):
        value = data[units[0][row], units[1][column]]
        if not np.isnan(value):
            share = np.clip((value - low) / (high - low), 0, 1)
            seen = page.pixel(*page.cell(row, column))
            np.testing.assert_allclose(seen, shades(TWO_SIGNS, share), atol=4)
    assert model.n_row_clusters_ > 1


def test_block_means_are_one_colour_for_each_block(opened):
    page = opened(models.wine().report())
    page.select_option("#show", "means")
    values = models.wine().prepared(models.wine().matrix_).values()
    rows, columns = models.wine().row_labels_, models.wine().column_labels_
    low, high = page.evaluate("rankone.scale.limits")
    starts = [page.evaluate(f"rankone.sides[{i}].edges.slice(0, -1)") for i in (0, 1)]
    for i, row in enumerate(starts[0]):
        for j, column in enumerate(starts[1]):
            mean = values[np.ix_(rows == i, columns == j)].mean()
            seen = [page.pixel(*page.cell(row + r, column + c)) for r, c in ((5, 0), (20, 1))]
            assert seen[0] == seen[1]
            expected = shades(TWO_SIGNS, (mean - low) / (high - low))
            np.testing.assert_allclose(seen[0], expected, atol=4)


def test_residuals_and_scales_change_the_picture_and_the_legend(opened):
    page = opened(models.blocks().report())
    pictures, legends = [], []
    for show, scale in (
        ("entries", "linear"),
        ("entries", "log"),
        ("entries", "rank"),
        ("residuals", "linear"),
    ):
        page.select_option("#show", show)
        page.select_option("#scale-of", scale)
        pictures.append(page.locator("#matrix").screenshot())
        legends.append((page.inner_text("#scale-low"), page.inner_text("#scale-high")))
    assert len(set(pictures)) == 4
    assert legends[0] != legends[3]
    assert page.problems == []
    page.locator("#contrast").fill("2")
    stronger = number(page.inner_text("#scale-high").removeprefix("\N{GREATER-THAN OR EQUAL TO} "))
    weaker = number(legends[3][1].removeprefix("\N{GREATER-THAN OR EQUAL TO} "))
    assert stronger == pytest.approx(weaker / 4, rel=0.02)


def test_residuals_are_entries_less_block_means(opened):
    page, model = opened(models.blocks().report()), models.blocks()
    page.select_option("#show", "residuals")
    rows, columns, data = model.row_labels_, model.column_labels_, models.BLOCKS.data
    units = page.evaluate("rankone.sides.map((side) => Array.from(side.unitMembers))")
    for row, column in ((3, 4), (150, 30), (250, 190)):
        i, j = units[0][row], units[1][column]
        shown = page.evaluate(f"rankone.scale.ofCell({row}, {column})")
        mean = np.nanmean(data[np.ix_(rows == rows[i], columns == columns[j])])
        assert shown == pytest.approx(data[i, j] - mean, abs=2e-3, nan_ok=True)


def test_counts_are_drawn_relative_to_their_margins(opened):
    model, page = models.counts(), opened(models.counts().report())
    data = np.asarray(model.matrix_.values())
    assert page.input_value("#scale-of") == "ratio"
    units = page.evaluate("rankone.sides.map((side) => Array.from(side.unitMembers))")
    expected = np.outer(data.sum(1), data.sum(0)) / data.sum()
    for row, column in ((0, 0), (50, 40), (119, 89)):
        i, j = units[0][row], units[1][column]
        ratio = np.log2((data[i, j] + 1) / (expected[i, j] + 1))
        assert page.evaluate(f"rankone.scale.ofCell({row}, {column})") == pytest.approx(ratio, 1e-4)
    blocks = page.locator("#blocks-body td").all_inner_texts()
    rows, columns = model.row_labels_, model.column_labels_
    lifts = [
        data[np.ix_(rows == i, columns == j)].sum()
        / expected[np.ix_(rows == i, columns == j)].sum()
        for i in range(3)
        for j in range(3)
    ]
    np.testing.assert_allclose([number(text[:-1]) for text in blocks], lifts, rtol=0.06)
    page.select_option("#scale-of", "linear")
    means = page.locator("#blocks-body td").all_inner_texts()
    expected = [data[np.ix_(rows == i, columns == j)].mean() for i in range(3) for j in range(3)]
    np.testing.assert_allclose([number(text) for text in means], expected, rtol=1e-3)


def test_signed_matrices_have_no_scale_relative_to_margins(opened):
    page = opened(models.wine().report())
    options = page.locator("#scale-of option:not([disabled])")
    assert options.evaluate_all("all => all.map((x) => x.value)") == ["linear", "log", "rank"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_blocks_shine_through_where_entries_are_missing(scheme, opened):
    model, page = models.ratings(), opened(models.ratings().report(), scheme=scheme)
    page.evaluate(  # look at the corner where all blocks meet, so that cells are large
        """rankone.axes.forEach((axis) => {
          const [, edge] = axis.side.edges;
          axis.look(edge - 12, edge + 12);
        });
        rankone.look()"""
    )
    edges = [page.evaluate(f"rankone.sides[{i}].edges[1]") for i in (0, 1)]
    units = page.evaluate("rankone.sides.map((side) => Array.from(side.unitMembers))")
    data = model.matrix_.part(np.arange(200), np.arange(120))
    seen = {"missing in 1": set(), "missing in 5": set(), "5": set()}
    for row in range(edges[0] - 9, edges[0] + 9):
        for column in range(edges[1] - 9, edges[1] + 9):
            i, j = units[0][row], units[1][column]
            rows, columns = model.row_labels_, model.column_labels_
            block = np.nanmean(data[np.ix_(rows == rows[i], columns == columns[j])])
            kind = f"missing in {block:.0f}" if np.isnan(data[i, j]) else f"{data[i, j]:.0f}"
            if kind in seen:
                seen[kind].add(tuple(page.pixel(*page.cell(row, column))))
    assert [len(colours) for colours in seen.values()] == [1, 1, 1]
    page_colour = {"light": (255, 255, 255), "dark": (21, 24, 27)}[scheme]
    low, high, observed = (
        np.abs(np.subtract(colours.pop(), page_colour)).sum() for colours in seen.values()
    )
    assert high > low + 60  # missing entries show their blocks, not a fog
    assert observed > 2 * high  # and observed ones stand out
    assert "missing" in page.inner_text("#nothing")


def test_tooltips_show_names_clusters_confidence_and_values(opened):
    model, page = models.blocks(), opened(models.blocks().report())
    units = page.evaluate("rankone.sides.map((side) => Array.from(side.unitMembers))")
    text = tip_at(page, 170, 120)
    i, j = units[0][170], units[1][120]
    assert f"row r{i}: cluster {model.row_labels_[i]}" in text
    assert f"column c{j}: cluster {model.column_labels_[j]}" in text
    assert text.count("confidence") == 2
    value = models.BLOCKS.data[i, j]
    shown = re.search(r"value (\S+)|(missing)", text)
    assert np.isnan(value) if shown[2] else number(shown[1]) == pytest.approx(value, abs=2e-3)
    rows, columns = model.row_labels_ == model.row_labels_[i], model.column_labels_
    mean = np.nanmean(models.BLOCKS.data[np.ix_(rows, columns == columns[j])])
    assert number(re.search(r"block mean (\S+)", text)[1]) == pytest.approx(mean, abs=1e-3)


def test_tooltips_show_the_original_value_of_a_prepared_entry(opened):
    page, frame = opened(models.wine().report()), models.wine_frame()
    units = page.evaluate("rankone.sides.map((side) => Array.from(side.unitMembers))")
    text = tip_at(page, 100, 6)
    assert "Clustered after: columns standardised" in page.inner_text("header")
    original, prepared = re.search(r"value (\S+), prepared (\S+)", text).groups()
    i, j = units[0][100], units[1][6]
    z = ((frame - frame.mean()) / frame.std(ddof=0)).iloc[i, j]
    assert number(original) == pytest.approx(frame.iloc[i, j], rel=1e-3)
    assert number(prepared) == pytest.approx(z, abs=2e-3)


def names_shown(page, axis):
    names = page.locator("#overlay text.name").all_text_contents()
    prefix = "w" if axis == 0 else ""
    return [name for name in names if name.startswith("w") == (prefix == "w")]


def test_names_appear_where_cells_are_large_enough(opened):
    page = opened(models.wine().report())
    assert names_shown(page, 0) == []
    assert page.locator("text.caption[data-side=rows]").count() == 3
    shown = names_shown(page, 1)
    assert len(shown) == 13
    page.evaluate("rankone.axes[0].look(20, 40); rankone.look()")
    units = page.evaluate("Array.from(rankone.sides[0].unitMembers)")
    assert names_shown(page, 0) == [f"w{i}" for i in units[20:40]]
    boxes = page.locator("#overlay text.name").evaluate_all(
        "all => all.map((x) => x.getBoundingClientRect()).map(({x, y, right}) => [x, y, right])"
    )
    assert all(box[2] <= 1280 for box in boxes)


def test_crowded_captions_are_moved_apart_and_led_to_their_clusters(opened):
    page = opened(models.wine().report())
    page.move("rows", 20)
    captions = page.locator("text.caption[data-side=rows]")
    tops = sorted(captions.evaluate_all("all => all.map((x) => x.getBoundingClientRect().y)"))
    assert len(tops) >= 10
    assert np.diff(tops).min() > 11
    assert page.locator("path.leader").count() >= len(tops)
    colours = page.locator("rect.bar[data-side=rows]").evaluate_all(
        "all => all.map((x) => x.getAttribute('fill'))"
    )
    assert len(set(colours)) == 20
    assert set(colours) <= set(COLOURS)


def test_clusters_can_have_equal_sizes(opened):
    page = opened(models.wine().report())

    def heights():
        bars = page.locator("rect.bar[data-side=rows]")
        return np.array(
            bars.evaluate_all("all => all.map((x) => Number(x.getAttribute('height')))")
        )

    sizes = np.bincount(models.wine().row_labels_)
    np.testing.assert_allclose(heights() / heights().sum(), sizes / 178, atol=0.01)
    page.select_option("#sizing", "root")
    roots = np.sqrt(sizes) / np.sqrt(sizes).sum()
    np.testing.assert_allclose(heights() / heights().sum(), roots, atol=0.01)
    page.select_option("#sizing", "equal")
    np.testing.assert_allclose(heights() / heights().sum(), 1 / 3, atol=0.01)


def test_annotations_agree_with_clusters_as_far_as_they_do(opened):
    from sklearn.datasets import load_wine

    model, growers = models.wine(), load_wine().target
    classes = [f"grower {'ABC'[i]}" for i in growers]
    classes[0] = None
    page = opened(
        model.report(
            row_annotations={"grower": classes, "vintage": np.arange(178) / 3.0},
            column_annotations={"kind": list("aabbccddeeffg")},
        )
    )
    for k in (3, 6):
        page.move("rows", k)
        labels = model.row_tree_.cut(k)[1:]
        nmi = normalized_mutual_info_score(growers[1:], labels)
        ari = adjusted_rand_score(growers[1:], labels)
        said = f"grower agrees with the clusters of rows: NMI {nmi:.2f}, ARI {ari:.2f}."
        assert said in page.inner_text("#annotations")
    assert "kind agrees with the clusters of columns" in page.inner_text("#annotations")
    assert "vintage" not in page.inner_text("#annotations")  # numbers agree with nothing
    units = page.evaluate("Array.from(rankone.sides[0].unitMembers)")
    text = tip_at(page, 90, 3)
    assert f"grower {classes[units[90]]}" in text
    assert f"vintage {units[90] / 3:.4g}" in text
    page.move("rows", 3)
    colours = page.evaluate("rankone.figure.tracks[0].find((x) => x.classes).numbers")
    best = [np.bincount(model.row_labels_[growers == g]).argmax() for g in range(3)]
    assert colours == best  # a class has the colour of the cluster that matches it


def test_the_picture_is_saved_as_it_is_seen(opened):
    page = opened(models.wine().report(), scheme="dark")
    page.select_option("#sizing", "equal")
    page.move("rows", 5)
    with page.expect_download() as download:
        page.click("#save-svg")
    assert download.value.suggested_filename == "clusters.svg"
    text = Path(download.value.path()).read_text()
    drawing = ElementTree.fromstring(text)
    namespace = "{http://www.w3.org/2000/svg}"
    assert len(drawing.findall(f".//{namespace}image")) == 1
    words = [x.text for x in drawing.iter(f"{namespace}text")]
    assert {"0", "1", "2", "3", "4", "malic_acid"} <= set(words)
    assert "data-" not in re.sub(r'href="data:[^"]*"', "", text)
    assert 'fill="rgb(21, 24, 27)"' in text  # the page, in the dark
    with page.expect_download() as download:
        page.click("#save-png")
    pixels = imread(io.BytesIO(Path(download.value.path()).read_bytes()))
    box = page.locator("#figure").bounding_box()
    assert pixels.shape[:2] == (2 * round(box["height"]), 2 * round(box["width"]))
    assert np.unique((pixels.reshape(-1, pixels.shape[2]) * 255).astype(int), axis=0).shape[0] > 100
    assert page.problems == []


def test_pages_and_pictures_have_the_same_colours():
    text = resource("js/colours.js")
    light = text[text.index("light:") : text.index("dark:")]
    found = re.findall(r"\[(\d+), (\d+), (\d+)\]", light)
    anchors = [tuple(map(int, rgb)) for rgb in found]
    assert tuple(anchors[:5]) == ONE_SIGN
    assert tuple(anchors[5:10]) == TWO_SIGNS


@pytest.mark.filterwarnings("ignore:Some columns of X vary far more")
def test_values_of_any_magnitude(opened):
    """Heavy tails and offsets: what is shown of a cell is its value, and of a block its mean."""
    from rankone import RankOneCoclustering

    rng = np.random.default_rng(0)
    for data in (
        np.exp(2.5 * rng.normal(size=(90, 60))),
        1e8 + rng.normal(size=(90, 60)),
        np.where(rng.random((90, 60)) < 0.001, 1e7, 2 + rng.random((90, 60))),
    ):
        with np.errstate(all="ignore"):
            model = RankOneCoclustering(2, 2, refine=False).fit(data)
        page = opened(model.report())
        shown = page.locator("#blocks-body td").all_inner_texts()
        rows, columns = model.row_labels_, model.column_labels_
        expected = [
            data[np.ix_(rows == i, columns == j)].mean() for i in range(2) for j in range(2)
        ]
        np.testing.assert_allclose([number(text) for text in shown], expected, rtol=6e-3)
        assert page.problems == []


def test_the_legend_says_in_which_units_entries_are(opened):
    page = opened(models.counts().report())
    assert page.inner_text("#scale-unit") == "expected"
    assert "sums of rows and columns" in page.get_attribute("#scale-unit", "title")
    page.select_option("#scale-of", "linear")
    assert page.inner_text("#scale-unit") == ""
    page = opened(models.wine().report())
    assert page.inner_text("#scale-unit") == "standard deviations"
    page.select_option("#scale-of", "rank")
    assert page.inner_text("#scale-unit") == ""


def test_curves_are_explained_in_words(opened):
    page = opened(models.wine().report())
    rule = page.inner_text("#rows-rule")
    assert rule == (
        "Curve: what replicates in halves of the data. The answer is the first to reach the "
        "dashed line."
    )
    page = opened(models.blocks().report())
    assert page.inner_text("#rows-rule").endswith("The answer is the highest.")
