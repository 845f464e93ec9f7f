"""``rankone fit``: the learner, from a file to tables, a model, pictures and a report."""

import json
import os
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.preprocessing import StandardScaler

from rankone import Prepare, RankOneCoclustering
from rankone.cli import main
from rankone.cli.fit import PICTURES, TABLES
from rankone.datasets import make_counts, make_paper
from tests.cli.running import failure, printed_json, run


@pytest.fixture
def counts():
    """Return counts in two by two blocks, which are in ``counts.npy``."""
    blocks = make_counts((80, 60), [[5, 1], [1, 4]], mean=4, random_state=0)
    np.save("counts.npy", blocks.data)
    return blocks.data


def test_tables_hold_the_result_of_the_learner(wine):
    run("fit wine.csv --standardise --out out --quiet --no-pictures")
    model = RankOneCoclustering().fit(StandardScaler().fit_transform(wine))
    rows, columns = pd.read_csv("out/rows.csv"), pd.read_csv("out/columns.csv")
    assert list(rows.name) == list(wine.index)
    assert list(columns.name) == list(wine.columns)
    np.testing.assert_array_equal(rows.label, model.row_labels_)
    np.testing.assert_array_equal(columns.label, model.column_labels_)
    np.testing.assert_allclose(rows.score, model.row_vector_, atol=1e-12)
    blocks = pd.read_csv("out/blocks.csv", index_col=0)
    np.testing.assert_allclose(blocks, model.block_values_, rtol=1e-9)


def test_tables_and_pictures_are_all_that_is_written(wine):
    run("fit wine.csv --standardise --out out --quiet")
    assert {*os.listdir("out")} == {*TABLES, *PICTURES}
    assert all(os.path.getsize(f"out/{name}") > 5000 for name in PICTURES)


def test_the_size_and_the_numbers_of_clusters_are_printed(wine, capsys):
    run("fit wine.csv --standardise --no-pictures")
    printed = capsys.readouterr().out
    assert "178 rows x 13 columns, named rows, nothing missing" in printed
    assert "3 clusters of rows, 3 of columns" in printed


def test_the_summary_records_input_result_and_versions(wine):
    run("fit wine.csv --standardise --out out --quiet --no-pictures")
    summary = json.loads(Path("out/summary.json").read_text())
    assert summary["result"]["n_row_clusters"] == 3
    assert summary["input"]["shape"] == [178, 13]
    assert summary["before the fit"] == {
        "normalise": None,
        "log": False,
        "standardise": "columns",
    }
    assert summary["versions"]["numpy"] == np.__version__
    assert sum(cluster["size"] for cluster in summary["clusters"]["rows"]) == 178


def test_the_guide_shows_what_is_printed(wine, capsys):
    text = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
    run("fit wine.csv --standardise --no-pictures")
    shown = re.search(r"^wine\.csv: .*?(?=^```)", text, re.MULTILINE | re.DOTALL)
    assert shown[0] in capsys.readouterr().out


def test_flags_set_the_parameters_of_the_learner(counts, capsys):
    parameters = printed_json(
        capsys,
        "fit counts.npy --json --no-pictures --vectors nmf:beta=2 --cut sorted-potts:p=1 "
        "--selection silhouette --no-refine --max-clusters 7 --seed 5",
    )["parameters"]
    assert parameters["vectors"] == "NMF(beta=2)"
    assert parameters["cut"] == "SortedPotts(p=1)"
    assert (parameters["refine"], parameters["max_clusters"]) == (False, 7)
    assert parameters["random_state"] == 5


def test_results_are_written_to_a_folder_named_after_the_file(counts):
    run("fit counts.npy --quiet --no-pictures")
    assert {*os.listdir("counts-clusters")} == {*TABLES}


def test_given_numbers_of_clusters_are_found_and_nothing_is_printed(counts, capsys):
    run("fit counts.npy --rows 2 --columns 3 --out given --quiet --no-pictures")
    assert capsys.readouterr() == ("", "")
    assert pd.read_csv("given/columns.csv").label.nunique() == 3


def test_transpose_comes_first(counts, capsys):
    summary = printed_json(capsys, "fit counts.npy --log --transpose --no-pictures --json")
    assert summary["input"]["shape"] == [60, 80]


def test_triplets_give_the_blocks_of_the_sparse_matrix(counts, capsys):
    sp.save_npz("s.npz", sp.csr_array(counts))
    i, j = np.nonzero(counts)
    pd.DataFrame({"r": i, "c": j, "v": counts[i, j]}).to_csv("long.csv", index=False)
    sparse = printed_json(capsys, "fit s.npz --json --no-pictures")["result"]
    line = "fit long.csv --triplets --absent zero --json --no-pictures"
    long = printed_json(capsys, line)["result"]
    for key in ("n_row_clusters", "n_column_clusters"):
        assert sparse[key] == long[key]
    np.testing.assert_allclose(
        np.sort(np.ravel(sparse["block_values"])),
        np.sort(np.ravel(long["block_values"])),
        rtol=1e-6,
    )


def test_absent_triplets_may_be_missing(counts, capsys):
    i, j = np.nonzero(counts)
    pd.DataFrame({"r": i, "c": j, "v": counts[i, j]}).to_csv("long.csv", index=False)
    line = "fit long.csv --triplets --absent missing --no-pictures --json"
    assert printed_json(capsys, line)["parameters"]["missing"] == "absent"


def test_absent_triplets_are_not_guessed(capsys):
    Path("long.csv").write_text("r,c,v\n1,1,2\n1,2,3\n2,2,1\n")
    assert failure(capsys, "fit long.csv --triplets") == (
        "rankone: long.csv: pairs of row and column that are not listed may be zero or missing; "
        "give --absent zero or --absent missing."
    )


def test_a_sparse_matrix_is_not_standardised(counts, capsys):
    sp.save_npz("s.npz", sp.csr_array(counts))
    assert "fill a sparse matrix" in failure(capsys, "fit s.npz --standardise")


def test_pictures_of_an_earlier_result_are_removed(wine):
    run("fit wine.csv --out out --quiet")
    run("fit wine.csv --out out --quiet --force --no-pictures")
    assert {*os.listdir("out")} == {*TABLES}


def test_a_report_is_written_unless_it_exists(wine, capsys):
    run("fit wine.csv --standardise --out out --report wine.html --no-pictures")
    assert "The report is wine.html; open it in a browser." in capsys.readouterr().out
    assert Path("wine.html").read_text().startswith("<!doctype html>")
    why = failure(capsys, "fit wine.csv --out other --report wine.html --no-pictures")
    assert "wine.html already exists" in why
    assert not Path("other").exists()


def test_a_failed_fit_leaves_nothing(capsys):
    Path("a.csv").write_text("a,b\n1,2\n3,oops\n")
    why = failure(capsys, "fit a.csv")
    assert why.startswith('rankone: a.csv, line 3, column 2 ("b"): "oops" is not a finite number')
    assert os.listdir(".") == ["a.csv"]
    with pytest.raises(ValueError, match="oops"):
        main(["fit", "a.csv", "--debug"])


def test_a_file_whose_name_is_not_text_is_read(capsys):
    name = os.fsdecode(b"\xff.npy")
    np.save(name, make_paper("D3", random_state=0).data[:40, :30])
    assert main(["fit", name, "--out", "out", "--no-pictures", "--report", "out.html"]) == 0
    assert all(letter.isprintable() or letter == "\n" for letter in capsys.readouterr().out)
    assert json.loads(Path("out/summary.json").read_text())["input"]["shape"] == [40, 30]


def test_hostile_names_reach_neither_terminal_nor_spreadsheet(capsys):
    rows = ["=cmd|' /C calc'!A0", "\x1b]0;owned\x07", "</script><script>", "a\u202eb"] * 10
    frame = pd.DataFrame(np.repeat([[1.0, 9.0], [5.0, 2.0]], 20, axis=0), rows, ["+x", "@y"])
    (frame + np.random.default_rng(0).normal(size=(40, 2)) * 0.1).to_csv("a.csv")
    run("fit a.csv --out out --no-pictures")
    printed = capsys.readouterr().out
    assert all(letter.isprintable() or letter == "\n" for letter in printed)
    for name in ("out/rows.csv", "out/columns.csv"):
        for line in Path(name).read_bytes().decode().split("\n"):
            assert not line.lstrip('"').startswith(("=", "+", "-", "@"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_full_disk_names_the_file_and_leaves_nothing(wine, capsys):
    said = failure(capsys, "fit wine.csv --out o --report /dev/full --no-pictures --quiet")
    assert said == (
        "rankone: /dev/full: No space left on device; give a place that can be written to by "
        "--report."
    )
    assert not Path("o").exists()


def test_existing_files_are_not_overwritten(wine, capsys):
    os.mkdir("out")
    Path("out/rows.csv").write_text("mine")
    assert "out/rows.csv already exists" in failure(capsys, "fit wine.csv --out out")
    assert Path("out/rows.csv").read_text() == "mine"
    assert {*os.listdir(".")} == {"out", "wine.csv"}


def test_force_overwrites_results_and_nothing_else(wine):
    os.mkdir("out")
    Path("out/rows.csv").write_text("mine")
    Path("out/other.txt").write_text("mine")
    run("fit wine.csv --out out --force --quiet --no-pictures")
    assert {*os.listdir("out")} == {*TABLES, "other.txt"}
    assert Path("out/rows.csv").read_text() != "mine"
    assert Path("out/other.txt").read_text() == "mine"


def test_results_cannot_replace_a_file(wine, capsys):
    assert "wine.csv is a file" in failure(capsys, "fit wine.csv --out wine.csv --force")


def test_a_value_that_is_left_out_does_not_swallow_the_file(wine):
    run("fit --standardise wine.csv --out out --quiet --no-pictures")
    assert json.loads(Path("out/summary.json").read_text())["before the fit"] == {
        "normalise": None,
        "log": False,
        "standardise": "columns",
    }


def test_rows_are_normalised_and_standardised_on_request(counts):
    run("fit counts.npy --normalise --log --standardise rows --out out --quiet --no-pictures")
    prepare = Prepare(normalise="rows", log=True, standardise="rows")
    model = RankOneCoclustering(prepare=prepare).fit(counts)
    np.testing.assert_array_equal(pd.read_csv("out/rows.csv").label, model.row_labels_)


def test_results_can_be_written_to_the_current_folder(wine):
    run("fit wine.csv --standardise --out . --quiet --no-pictures")
    assert {*os.listdir(".")} == {*TABLES, "wine.csv"}
