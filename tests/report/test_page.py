"""What is in the file of a report, before any browser sees it."""

import base64
import hashlib
import io
import json
import re
import struct
import zlib
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from matplotlib.image import imread

from rankone import RankOneClustering, RankOneCoclustering, RankOneTree
from rankone.datasets import make_counts
from rankone.report import payload as payloads
from rankone.report.image import coloured, png
from rankone.report.payload import N_CODES, decode_cells, encode_cells
from tests.report import models

DATA = models.BLOCKS.data


def unpacked(html):
    """Return the header and the arrays of a page."""
    text = re.search(r'id="data">([^<]*)<', html)[1]
    content = zlib.decompress(base64.b64decode(text))
    (length,) = struct.unpack("<I", content[:4])
    header = json.loads(content[4 : 4 + length])
    arrays = {
        name: np.frombuffer(content, f"<{kind}", size, 4 + length + offset)
        for name, (kind, offset, size) in header["arrays"].items()
    }
    return header, arrays


def values_of(header, arrays):
    """Return the values of the cells, by the units of rows and columns."""
    shape = [arrays[f"{what}/pieces"].size for what in ("rows", "columns")]
    return decode_cells(header["values"])[arrays["cells"].reshape(shape)]


def labels_at(side, arrays, k):
    """Return the labels of a stop, as the page computes them."""
    stop = side["stops"][k - len(side["stops"][0]["ids"])]
    pieces = arrays[f"{side['what']}/pieces"][arrays[f"{side['what']}/units"]]
    return np.array(stop["clusters"])[pieces]


def test_all_entries_and_labels_are_there():
    header, arrays = unpacked(models.cut().report().html)
    span = np.nanmax(DATA) - np.nanmin(DATA)
    units = np.ix_(arrays["rows/units"], arrays["columns/units"])
    np.testing.assert_allclose(values_of(header, arrays)[units], DATA, atol=5e-5 * span)
    for side, fitted in zip(header["sides"], models.cut().result_.sides, strict=True):
        np.testing.assert_allclose(
            arrays[f"{fitted.name}/scores"], fitted.scores.values, rtol=1e-6, atol=1e-9
        )
        for k in range(1, len(fitted.path) + 1):
            expected = fitted.path.at(n_clusters=k).labels
            np.testing.assert_array_equal(labels_at(side, arrays, k), expected)


@pytest.mark.parametrize("make", [models.blocks, models.wine, models.counts, models.ratings])
def test_clusters_are_neighbours_at_every_stop(make):
    header, arrays = unpacked(make().report().html)
    for side, fitted in zip(header["sides"], make().result_.sides, strict=True):
        for k, stop in enumerate(side["stops"], start=1):
            assert np.flatnonzero(np.diff(stop["clusters"])).size == k - 1
            np.testing.assert_array_equal(labels_at(side, arrays, k), fitted.tree.cut(k))
        assert side["chosen"] == fitted.n_clusters


def test_names_of_clusters_are_nodes_of_the_tree():
    side = unpacked(models.wine().report().html)[0]["sides"][0]
    tree = models.wine().row_tree_
    for k, stop in enumerate(side["stops"], start=1):
        assert stop["ids"] == [str(node) for node in tree.nodes_at(k)]
    assert set(side["words"]) == {str(node) for node in range(2 * tree.n_leaves - 1)}


def test_units_of_large_matrices_do_not_mix_pieces(monkeypatch):
    monkeypatch.setattr(payloads, "MOST_CELLS", 1000)
    monkeypatch.setattr(payloads, "COARSE", (50,))
    header, arrays = unpacked(models.blocks().report().html)
    means = values_of(header, arrays)
    rows, columns = arrays["rows/units"], arrays["columns/units"]
    assert means.shape < DATA.shape
    for i, j in [(0, 0), (3, 7), (20, 11)]:
        block = DATA[np.ix_(rows == i, columns == j)]
        assert means[i, j] == pytest.approx(np.nanmean(block), abs=1e-4)
        assert arrays["counts"].reshape(means.shape)[i, j] == np.isfinite(block).sum()
    for what, tree in zip(
        ("rows", "columns"), (models.blocks().row_tree_, models.blocks().column_tree_), strict=True
    ):
        for unit in range(arrays[f"{what}/pieces"].size):
            assert np.unique(tree.leaves[arrays[f"{what}/units"] == unit]).size == 1
    assert "each cell is the mean of about" in models.blocks().report().html


def test_a_few_missing_entries_are_not_called_none():
    X = np.random.default_rng(0).normal(size=(30, 20))
    learner = RankOneCoclustering(2, 2, refine=False, vectors="marginal")
    assert "20 columns, nothing missing." in learner.fit(X).report().html
    X[3, 4] = np.nan
    assert "20 columns, 0.167 % of entries missing." in learner.fit(X).report().html


def test_pages_stay_small_even_if_entries_cannot_be_compressed():
    X = np.random.default_rng(0).normal(size=(1900, 1900))
    made = RankOneCoclustering(2, 2, refine=False).fit(X).report()
    assert len(made.html) < 5e6


def test_few_values_are_exact():
    counts = make_counts((40, 30), [[5, 1], [1, 4]], mean=3, random_state=0).data
    for X in (counts, sp.csr_array(counts)):
        header, arrays = unpacked(RankOneCoclustering().fit(X).report().html)
        units = np.ix_(arrays["rows/units"], arrays["columns/units"])
        np.testing.assert_array_equal(values_of(header, arrays)[units], counts)
    codes, values = encode_cells(np.array([[np.nan, 2.0]]))
    assert codes.tolist() == [[N_CODES, 0]]
    assert values == {"table": [2.0]}


def test_nothing_else_can_run():
    html = models.blocks().report().html
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    assert policy.startswith("default-src 'none'")
    for tag, name in (("script", "script-src"), ("style", "style-src")):
        inside = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        assert len(inside) == 1
        digest = base64.b64encode(hashlib.sha256(inside[0].encode()).digest()).decode()
        assert f"{name} 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"https?://(?!www\.w3\.org)", html)


class Elements(HTMLParser):
    """The elements of a page and their attributes."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes = set(), set()
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


HOSTILE = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\u2028\u2029\u202e\u0000",
    "x" * 1_000_000,
    "{{7*7}} $title ${title}",
    "\ud800",
]


def test_hostile_names_are_data():
    plain = Elements(models.blocks().report(row_annotations={"a": ["b"] * 300}).html)
    rows, columns = HOSTILE + models.ROWS[6:], HOSTILE + models.COLUMNS[6:]
    made = models.blocks().report(
        row_names=rows,
        column_names=columns,
        title="</title><script>alert(1)</script>",
        row_annotations={HOSTILE[1]: HOSTILE + ["a", "b"] * 147},
    )
    assert "alert(1)</script>" not in made.html
    assert "<img" not in made.html
    hostile = Elements(made.html)
    assert hostile.tags <= plain.tags
    assert hostile.attributes <= plain.attributes
    assert not [name for name in hostile.attributes if name.startswith("on") or name == "style"]
    header, _ = unpacked(made.html)
    assert header["sides"][0]["names"] == rows
    assert "&lt;script&gt;" in made.html


def test_names_and_files(tmp_path):
    model = models.blocks()
    made = model.report(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text() == made.html
    header, _ = unpacked(made.html)
    assert header["sides"][0]["names"] == models.ROWS
    assert header["sides"][1]["names"] == models.COLUMNS
    assert made._repr_html_().startswith("<iframe srcdoc=")
    assert "<script" not in made._repr_html_()
    assert re.fullmatch(r"Report\([0-9.]+ MB\)", repr(made))


@pytest.mark.parametrize(
    "make",
    [models.blocks, models.rows_only, lambda: models.tree("columns")],
    ids=["RankOneCoclustering", "RankOneClustering", "RankOneTree"],
)
def test_learners_from_files_have_reports_of_their_matrix(make, tmp_path):
    model = make()
    frame = models.FRAME if make is models.blocks else models.wine_frame()
    model.save(tmp_path / "m.npz")
    again = type(model).load(tmp_path / "m.npz")
    with pytest.raises(ValueError, match="give it as X"):
        again.report()
    with pytest.raises(ValueError, match="of shape"):
        again.report(X=frame.T)
    expected = unpacked(model.report().html)
    found = unpacked(again.report(X=frame).html)
    assert found[0]["sides"] == expected[0]["sides"]
    assert found[1].keys() == expected[1].keys()


def test_unusable_parameters_are_refused():
    flat = RankOneCoclustering().fit(np.random.default_rng(0).normal(size=(30, 20)))
    with pytest.raises(ValueError, match="row_names must be 30 names, but there are 1"):
        flat.report(row_names=["a"])
    with pytest.raises(ValueError, match="title must be a string"):
        flat.report(title=3)
    with pytest.raises(ValueError, match='row_annotations must have 30 values each, but "a" has 2'):
        flat.report(row_annotations={"a": [1, 2]})
    with pytest.raises(ValueError, match="600 different values, but a class may have 500"):
        RankOneClustering(2).fit(np.random.default_rng(0).normal(size=(600, 3))).report(
            row_annotations=pd.DataFrame({"a": [f"class {i}" for i in range(600)]})
        )


def test_a_constant_matrix_has_a_report():
    constant = RankOneCoclustering(1, 1).fit(np.ones((5, 4)))
    assert len(unpacked(constant.report().html)[0]["sides"][0]["stops"]) == 1
    assert "1 cluster of rows" in RankOneTree(1).fit(np.ones((5, 4))).report().html


def test_pixels_are_coloured_and_encoded():
    pixels = coloured(np.array([[-2.0, 0.0, 2.0], [np.nan, 1.0, -1.0]]), (-2.0, 2.0))
    assert pixels[0].tolist() == [[5, 48, 97], [247, 247, 247], [103, 0, 31]]
    assert pixels[1, 0].tolist() == [222, 224, 227]
    np.testing.assert_array_equal(imread(io.BytesIO(png(pixels))) * 255, pixels)
