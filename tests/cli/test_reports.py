"""Reports of commands, and what else is known of rows and columns in them."""

import os
from pathlib import Path

import pandas as pd
import pytest
from sklearn.datasets import load_wine

from tests.cli.running import failure, run
from tests.report.test_page import unpacked


@pytest.fixture
def growers(wine):
    """Write the growers, in another order than the wines."""
    names = [f"grower {'ABC'[k]}" for k in load_wine().target]
    frame = pd.DataFrame({"wine": wine.index, "grower": names}).sample(frac=1, random_state=0)
    frame.to_csv("grower.csv", index=False)
    return names


def classes(side, arrays, index=0):
    """Return the classes of an annotation, as the page holds them."""
    track = side["tracks"][index]
    return [track["classes"][code] for code in arrays[f"{side['what']}/track-{index}"]]


@pytest.mark.parametrize("command", ["fit", "tree"])
def test_annotations_are_matched_by_name(command, growers):
    out = "--out out --no-pictures" if command == "fit" else ""
    run(f"{command} wine.csv --standardise {out} --report r.html --annotate grower.csv --quiet")
    header, arrays = unpacked(Path("r.html").read_text())
    assert header["sides"][0]["tracks"][0]["name"] == "grower"
    assert classes(header["sides"][0], arrays) == growers
    assert header["sides"][1]["tracks"] == []


def test_columns_can_be_annotated_too(wine, growers):
    kinds = ["acid" if "acid" in name else "other" for name in wine.columns]
    pd.DataFrame({"name": wine.columns, "kind": kinds}).to_csv("kinds.csv", index=False)
    files = "--annotate grower.csv --annotate kinds.csv"
    run(f"fit wine.csv --standardise --out out --no-pictures --report r.html {files} --quiet")
    header, arrays = unpacked(Path("r.html").read_text())
    assert classes(header["sides"][1], arrays) == kinds
    assert classes(header["sides"][0], arrays) == growers


def test_annotations_that_match_nothing_are_refused(wine, capsys):
    Path("a.csv").write_text("name,x\nnobody,1\n")
    why = failure(capsys, "fit wine.csv --out o --report r.html --annotate a.csv --standardise")
    assert "a.csv" in why
    assert "names neither rows nor columns of the matrix" in why
    assert {*os.listdir()} == {"wine.csv", "a.csv"}
    assert (
        "no such file"
        in failure(capsys, "fit wine.csv --out o --report r.html --annotate none.csv").lower()
    )
    why = failure(capsys, "fit wine.csv --annotate a.csv", 2)
    assert "--annotate is for reports; give --report FILE as well." in why


def test_the_report_of_a_tree_is_that_of_the_learner(wine):
    run("tree wine.csv --standardise --columns --report r.html --quiet")
    header, _ = unpacked(Path("r.html").read_text())
    assert [side["kind"] for side in header["sides"]] == ["none", "tree"]
    assert "Clusters of wine.csv" in Path("r.html").read_text()


@pytest.mark.parametrize(
    ("flags", "kind", "chosen"),
    [
        ("", "path", None),
        ("-k 5", "path", 5),
        ("--cut largest-gaps --clusters 3", "fixed", 3),
    ],
)
def test_cuts_have_reports(flags, kind, chosen, wine):
    run(f"cut wine.csv --column proline {flags} --report r.html --out labels.csv --quiet")
    html = Path("r.html").read_text()
    assert "<h1>Clusters of proline in wine.csv</h1>" in html
    header, arrays = unpacked(html)
    side, table = header["sides"][0], pd.read_csv("labels.csv")
    assert side["kind"] == kind
    assert side["chosen"] == (chosen or table.label.nunique())
    assert side["names"] == list(wine.index)
    labels = side["stops"][side["chosen"] - len(side["stops"][0]["ids"])]["clusters"]
    assert [labels[piece] for piece in arrays["rows/units"]] == table.label.tolist()
    assert arrays["rows/scores"].tolist() == wine.proline.tolist()


def test_reports_do_not_replace_files_unless_forced(wine, capsys):
    Path("r.html").write_text("mine")
    for line in ("cut wine.csv --column hue", "tree wine.csv"):
        assert "already exists" in failure(capsys, f"{line} --report r.html")
        assert Path("r.html").read_text() == "mine"
    run("cut wine.csv --column hue --report r.html --force --quiet")
    assert "<html" in Path("r.html").read_text()
    why = failure(capsys, "cut wine.csv --column hue --path --report x.html", 2)
    assert "leave out --report" in why
    assert "does not exist" in failure(capsys, "tree wine.csv --report no/where.html")
