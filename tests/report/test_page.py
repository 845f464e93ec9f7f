"""What is in the file of a report, before any browser sees it."""

import base64
import hashlib
import io
import itertools
import json
import re
import struct
import zlib

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from matplotlib.image import imread

from rankone import RankOneCoclustering
from rankone.datasets import make_counts, make_paper
from rankone.matrix import as_matrix
from rankone.report import payload as payloads
from rankone.report.page import png, static_picture
from rankone.report.payload import N_CODES, ReportSide, build_payload, decode_cells, encode_cells

DATA = make_paper("D3", 1.0, missing=0.1, random_state=0).data
MODEL = RankOneCoclustering().fit(DATA)
CUT = RankOneCoclustering(refine=False).fit(DATA)


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
    cells = arrays["cells"].reshape([side["unit_count"] for side in header["sides"]])
    return decode_cells(header["values"])[cells]


def test_all_of_it_is_there():
    header, arrays = unpacked(CUT.report().html)
    span = np.nanmax(DATA) - np.nanmin(DATA)
    np.testing.assert_allclose(values_of(header, arrays), DATA, atol=5e-5 * span)
    for what, side, labels, scores, path in (
        ("rows", header["sides"][0], CUT.row_labels_, CUT.row_vector_, CUT.row_path_),
        ("columns", header["sides"][1], CUT.column_labels_, CUT.column_vector_, CUT.column_path_),
    ):
        np.testing.assert_array_equal(arrays[f"{what}/labels"], labels)
        np.testing.assert_array_equal(arrays[f"{what}/scores"], scores)
        order = np.argsort(scores, kind="stable")
        for k, stop in enumerate(side["stops"], start=1):
            found = np.empty(scores.size, int)
            found[order] = np.searchsorted(stop["breaks"], np.arange(scores.size), side="right")
            np.testing.assert_array_equal(found, path.at(n_clusters=k).labels)


@pytest.mark.parametrize("index", [0, 1])
def test_stops_of_a_tree_are_its_partitions(index):
    header, arrays = unpacked(MODEL.report().html)
    side, fitted = header["sides"][index], MODEL.result_.sides[index]
    leaves = arrays[f"{fitted.name}/leaves"]
    assert leaves.dtype == np.uint16
    assert len(side["stops"]) == fitted.tree.n_leaves
    for k, stop in enumerate(side["stops"], start=1):
        np.testing.assert_array_equal(np.array(stop["clusters"])[leaves], fitted.tree.cut(k))
    answer = np.array(side["stops"][side["chosen"] - 1]["clusters"])[leaves]
    np.testing.assert_array_equal(answer, fitted.labels)
    np.testing.assert_array_equal(arrays[f"{fitted.name}/labels"], fitted.labels)


def test_clusters_of_a_tree_split_into_neighbours():
    side = unpacked(MODEL.report().html)[0]["sides"][0]
    for coarse, fine in itertools.pairwise(side["stops"]):
        pairs = sorted(set(zip(fine["clusters"], coarse["clusters"], strict=True)))
        assert [pair[1] for pair in pairs] == sorted(pair[1] for pair in pairs)


def test_the_curve_of_a_tree_is_the_replicated_information():
    side = unpacked(MODEL.report().html)[0]["sides"][0]
    replication = MODEL.row_tree_.replication
    shown = {k: stop["criterion"] for k, stop in enumerate(side["stops"], start=1)}
    assert shown.pop(1) is None
    expected = dict(zip(replication.numbers.tolist(), replication.scores.tolist(), strict=True))
    assert shown == expected
    given = RankOneCoclustering(2, 2).fit(DATA)
    side = unpacked(given.report().html)[0]["sides"][0]
    assert {stop["criterion"] for stop in side["stops"]} == {None}
    assert side["reason"] == "as given"


def test_units_of_large_matrices_do_not_mix_leaves(monkeypatch):
    monkeypatch.setattr(payloads, "MOST_CELLS", 1000)
    monkeypatch.setattr(payloads, "COARSE", 50)
    header, arrays = unpacked(MODEL.report().html)
    for what, side in zip(("rows", "columns"), header["sides"], strict=True):
        units, leaves = arrays[f"{what}/units"], arrays[f"{what}/leaves"]
        assert side["unit_count"] < units.size
        assert np.unique(units.astype(int) * 2**16 + leaves).size == side["unit_count"]


def test_large_matrices_are_seen_from_afar(monkeypatch):
    monkeypatch.setattr(payloads, "MOST_CELLS", 1000)
    monkeypatch.setattr(payloads, "COARSE", 50)
    header, arrays = unpacked(MODEL.report().html)
    means = values_of(header, arrays)
    assert means.shape == tuple(side["unit_count"] for side in header["sides"])
    assert all(side["unit_count"] < n for side, n in zip(header["sides"], DATA.shape, strict=True))
    rows, columns = arrays["rows/units"], arrays["columns/units"]
    for i, j in [(0, 0), (3, 7), (20, 11)]:
        block = DATA[np.ix_(rows == i, columns == j)]
        assert means[i, j] == pytest.approx(np.nanmean(block), abs=1e-4)
        assert arrays["counts"].reshape(means.shape)[i, j] == np.isfinite(block).sum()
    for unit in range(header["sides"][0]["unit_count"]):
        assert np.unique(MODEL.row_labels_[rows == unit]).size == 1
    assert "each cell is the mean of about" in MODEL.report().html


def test_few_values_are_exact():
    counts = make_counts((40, 30), [[5, 1], [1, 4]], mean=3, random_state=0).data
    for X in (counts, sp.csr_array(counts)):
        header, arrays = unpacked(RankOneCoclustering().fit(X).report().html)
        np.testing.assert_array_equal(values_of(header, arrays), counts)
    codes, values = encode_cells(np.array([[np.nan, 2.0]]))
    assert codes.tolist() == [[N_CODES, 0]]
    assert values == {"table": [2.0]}


def test_nothing_else_can_run():
    html = MODEL.report().html
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    assert policy.startswith("default-src 'none'")
    for tag, name in (("script", "script-src"), ("style", "style-src")):
        inside = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        assert len(inside) == 1
        digest = base64.b64encode(hashlib.sha256(inside[0].encode()).digest()).decode()
        assert f"{name} 'sha256-{digest}'" in policy
    assert not re.search(r"https?://(?!www\.w3\.org)", html)
    assert not re.search(r"\son\w+=", html.split("<script")[0])


HOSTILE = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\u2028\u2029\u202e\u0000",
    "x" * 1_000_000,
    "{{7*7}} $title ${title}",
    "\ud800",
]


def test_hostile_names_are_data():
    rows = (HOSTILE * 10)[: DATA.shape[0]] + [f"r{i}" for i in range(DATA.shape[0] - 60)]
    made = MODEL.report(row_names=rows, title="</title><script>alert(1)</script>")
    assert "alert(1)</script>" not in made.html
    assert "onerror" not in made.html
    header, _ = unpacked(made.html)
    assert header["sides"][0]["names"] == rows
    assert "&lt;script&gt;" in made.html


def test_names_and_files(tmp_path):
    frame = pd.DataFrame(DATA, [f"r{i}" for i in range(300)], [f"c{j}" for j in range(200)])
    model = RankOneCoclustering().fit(frame)
    made = model.report(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text() == made.html
    header, _ = unpacked(made.html)
    assert header["sides"][0]["names"] == list(frame.index)
    assert header["sides"][1]["names"] == list(frame.columns)
    assert made._repr_html_().startswith("<iframe srcdoc=")
    assert "<script" not in made._repr_html_()
    model.save(tmp_path / "m.npz")
    again = RankOneCoclustering.load(tmp_path / "m.npz")
    with pytest.raises(ValueError, match="give it as X"):
        again.report()
    assert unpacked(again.report(X=frame).html)[0]["sides"] == header["sides"]
    with pytest.raises(ValueError, match="of shape"):
        again.report(X=frame.T)


def test_one_cluster_and_given_numbers():
    flat = RankOneCoclustering().fit(np.random.default_rng(0).normal(size=(30, 20)))
    assert flat.n_row_clusters_ == 1
    side = unpacked(flat.report().html)[0]["sides"][0]
    assert side["chosen"] == 1
    with pytest.raises(ValueError, match="row_names must be 30 names, but there are 1"):
        flat.report(row_names=["a"])
    with pytest.raises(ValueError, match="title must be a string"):
        flat.report(title=None)
    given = RankOneCoclustering(2, 2, refine=False, cut="largest-gaps").fit(DATA)
    header, _ = unpacked(given.report().html)
    assert header["sides"][0]["criterion_name"] == "silhouette"
    constant = RankOneCoclustering(1, 1).fit(np.ones((5, 4)))
    assert len(unpacked(constant.report().html)[0]["sides"][0]["stops"]) == 1


def test_the_static_picture():
    sides = [ReportSide.of(side, MODEL.result_.method, []) for side in MODEL.result_.sides]
    payload = build_payload(as_matrix(DATA), sides)
    content = static_picture(payload)
    pixels = imread(io.BytesIO(content))
    assert pixels.shape == (300, 400, 3)  # the few columns are twice as wide
    assert np.unique(pixels.reshape(-1, 3), axis=0).shape[0] > 100
    small = np.zeros((2, 3, 3), np.uint8)
    small[1, 2] = 255
    np.testing.assert_array_equal(imread(io.BytesIO(png(small))) * 255, small)
