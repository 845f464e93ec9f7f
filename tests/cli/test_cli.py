"""The commands, as they are typed."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from rankone import RankOneCoclustering, SortedPotts, sorted_potts_path
from rankone._atomic import _machine
from rankone.cli import arguments, main
from rankone.cli import fit as fitting
from rankone.cli.fit import PICTURES, TABLES
from rankone.datasets import make_counts, make_paper
from rankone.estimators import coclustering, reading
from rankone.io import FORMATS
from rankone.matrix import as_matrix
from rankone.methods import CUTS, VECTORS
from rankone.plotting import blocks
from rankone.selection import SELECTIONS


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def wine():
    data = load_wine()
    frame = pd.DataFrame(data.data, [f"w{i}" for i in range(178)], data.feature_names)
    frame.to_csv("wine.csv")
    return frame


def run(line, code=0):
    assert main(line.split()) == code


def failure(capsys, line, code=1):
    """Return the one line that a command fails with."""
    run(line, code)
    captured = capsys.readouterr()
    lines = captured.err.strip().splitlines()
    assert lines[-1].startswith("rankone")
    assert "Traceback" not in captured.err
    assert code == 2 or len(lines) == 1
    return lines[-1]


def test_fit_is_the_learner(wine, capsys):
    run("fit wine.csv --standardise --out out")
    model = RankOneCoclustering().fit(StandardScaler().fit_transform(wine))
    rows, columns = pd.read_csv("out/rows.csv"), pd.read_csv("out/columns.csv")
    assert list(rows.name) == list(wine.index)
    assert list(columns.name) == list(wine.columns)
    np.testing.assert_array_equal(rows.label, model.row_labels_)
    np.testing.assert_array_equal(columns.label, model.column_labels_)
    np.testing.assert_allclose(rows.score, model.row_vector_, atol=1e-12)
    blocks = pd.read_csv("out/blocks.csv", index_col=0)
    np.testing.assert_allclose(blocks, model.block_values_, rtol=1e-9)
    assert {*os.listdir("out")} == {*TABLES, *PICTURES}
    assert all(os.path.getsize(f"out/{name}") > 5000 for name in PICTURES)
    printed = capsys.readouterr().out
    assert "178 rows x 13 columns, named rows, nothing missing" in printed
    assert "3 clusters of rows, 4 of columns" in printed
    summary = json.loads(Path("out/summary.json").read_text())
    assert summary["result"]["n_row_clusters"] == 3
    assert summary["input"]["shape"] == [178, 13]
    assert summary["before the fit"] == {"log": False, "standardise": True}
    assert summary["versions"]["numpy"] == np.__version__
    assert sum(cluster["size"] for cluster in summary["clusters"]["rows"]) == 178


def test_readme(wine, capsys):
    """Commands in the README are understood, and the output that it shows is what is printed."""
    text = (Path(__file__).parents[2] / "README.md").read_text()
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            if words[0] == "rankone":
                arguments.build_parser().parse_args(words[1:])
    run("fit wine.csv --standardise --no-pictures")
    shown = re.search(r"^wine\.csv: .*?(?=^```)", text, re.MULTILINE | re.DOTALL)
    assert shown[0] in capsys.readouterr().out


def test_the_matrix_is_built_once(wine, monkeypatch):
    built = []
    for module in (fitting, reading, coclustering, blocks):

        def counted(X, *rest, **options):
            built.append(X.shape)
            return as_matrix(X, *rest, **options)

        monkeypatch.setattr(module, "as_matrix", counted)
    run("fit wine.csv --out out --report wine.html")
    assert built == [(178, 13)]


def test_members_equally_far_from_the_mean_are_named_in_the_order_of_the_file(capsys):
    scores = np.array([0.1, 0.3, 5.0, 5.0 + 1e-3])[:, None]  # two clusters of two each
    for a, names in ((scores, "abcd"), (scores[::-1], "dcba")):
        frame = pd.DataFrame(np.hstack([a] * 3), list(names), ["x", "y", "z"])
        frame.to_csv("m.csv")
        run("fit m.csv --rows 2 --columns 1 --no-refine --json --no-pictures --force --out m")
        clusters = json.loads(capsys.readouterr().out)["clusters"]["rows"]
        for cluster in clusters:
            named = cluster["for example"]
            assert named == sorted(named, reverse=names == "dcba")


def test_options_reach_the_learner(capsys):
    blocks = make_counts((80, 60), [[5, 1], [1, 4]], mean=4, random_state=0)
    np.save("counts.npy", blocks.data)
    run(
        "fit counts.npy --json --no-pictures --vectors nmf:beta=2 --cut sorted-potts:p=1 "
        "--selection silhouette --no-refine --max-clusters 7 --seed 5"
    )
    summary = json.loads(capsys.readouterr().out)
    parameters = summary["parameters"]
    assert parameters["vectors"] == "NMF(beta=2)"
    assert parameters["cut"] == "SortedPotts(p=1)"
    assert (parameters["refine"], parameters["max_clusters"]) == (False, 7)
    assert parameters["random_state"] == 5
    assert {*os.listdir("counts-clusters")} == {*TABLES}
    run("fit counts.npy --rows 2 --columns 3 --out given --quiet --no-pictures")
    assert capsys.readouterr() == ("", "")
    assert pd.read_csv("given/columns.csv").label.nunique() == 3
    run("fit counts.npy --log --transpose --out turned --no-pictures --json")
    assert json.loads(capsys.readouterr().out)["input"]["shape"] == [60, 80]


def test_sparse_and_triplets(capsys):
    blocks = make_counts((80, 60), [[5, 1], [1, 4]], mean=4, random_state=0)
    sp.save_npz("s.npz", sp.csr_array(blocks.data))
    run("fit s.npz --json --no-pictures")
    whole = json.loads(capsys.readouterr().out)
    i, j = np.nonzero(blocks.data)
    pd.DataFrame({"r": i, "c": j, "v": blocks.data[i, j]}).to_csv("long.csv", index=False)
    run("fit long.csv --triplets --absent zero --json --no-pictures")
    long = json.loads(capsys.readouterr().out)
    for key in ("n_row_clusters", "n_column_clusters"):
        assert whole["result"][key] == long["result"][key]
    np.testing.assert_allclose(
        np.sort(np.ravel(whole["result"]["block_values"])),
        np.sort(np.ravel(long["result"]["block_values"])),
        rtol=1e-6,
    )
    assert "zeros, or missing" in failure(capsys, "fit long.csv --triplets --out x")
    assert "exclude each other" in failure(
        capsys, "fit long.csv --triplets --format npy --out w", 2
    )
    assert "fill a sparse matrix" in failure(capsys, "fit s.npz --standardise --out y")
    run("fit long.csv --triplets --absent missing --out z --no-pictures --json")
    assert json.loads(capsys.readouterr().out)["parameters"]["missing"] == "absent"


@pytest.mark.parametrize("prepare", ["", "--standardise", "--log --standardise"])
def test_predict(wine, prepare, capsys):
    run(f"fit wine.csv {prepare} --out out --quiet --no-pictures")
    wine.iloc[:20, ::-1].to_csv("new.csv")  # other rows, columns in another order
    run("predict out/model.npz new.csv")
    lines = capsys.readouterr().out.splitlines()
    table = pd.DataFrame([line.split(",") for line in lines[1:]], columns=lines[0].split(","))
    assert list(table.name) == list(wine.index[:20])
    expected = pd.read_csv("out/rows.csv").label[:20]
    np.testing.assert_array_equal(table.label.astype(int), expected)
    run("predict out/model.npz new.csv --json --out labels.json")
    assert json.loads(Path("labels.json").read_text())["label"] == expected.tolist()
    wine.iloc[:3, 1:].to_csv("less.csv")
    why = failure(capsys, "predict out/model.npz less.csv")
    assert why == 'rankone: less.csv: it has no column "alcohol", which the model needs.'
    assert "labels.json is there already" in failure(
        capsys, "predict out/model.npz new.csv --out labels.json"
    )
    assert "damaged" in failure(capsys, "predict new.csv new.csv")


def test_cut(capsys):
    rng = np.random.default_rng(0)
    values = rng.choice([0.0, 5.0, 9.0], 200) + 0.3 * rng.normal(size=200)
    pd.DataFrame({"v": values, "w": rng.integers(1, 4, 200)}).to_csv("v.csv", index=False)
    run("cut v.csv --column v")
    captured = capsys.readouterr()
    table = pd.DataFrame([line.split(",") for line in captured.out.splitlines()[1:]], dtype=float)
    np.testing.assert_array_equal(table[1], SortedPotts(n_clusters=3).cut(values).labels)
    assert captured.err.startswith("3 clusters, lam ")
    run("cut v.csv --column v --weights w --lam 2 --p 1 --json")
    found = json.loads(capsys.readouterr().out)
    weights = pd.read_csv("v.csv").w.to_numpy(float)
    expected = SortedPotts(p=1, lam=2).cut(values, weights=weights)
    np.testing.assert_allclose(found["levels"], expected.levels)
    assert found["label"] == expected.labels.tolist()
    assert found["lam"] == [2, 2]
    run("cut v.csv --column v --path --max-clusters 6 --out path.csv")
    path, table = sorted_potts_path(values, max_clusters=6), pd.read_csv("path.csv")
    np.testing.assert_allclose(table.cost, path.cost)
    np.testing.assert_allclose(table.lam_from, path.intervals[:, 0])
    run("cut v.csv --column v --noise 0.3 --json")
    assert json.loads(capsys.readouterr().out)["n_clusters"] == 3
    run("cut v.csv --column v --noise 5 --json")
    assert json.loads(capsys.readouterr().out)["n_clusters"] == 1
    run("cut v.csv --column v --cut threshold:eps=1 --json")
    assert json.loads(capsys.readouterr().out)["n_clusters"] == 3


def test_cut_names_and_errors(capsys):
    Path("v.csv").write_text("=x,v\n=a,1\nb,2\nc,9\n")
    run("cut v.csv --clusters 2")
    assert capsys.readouterr().out.splitlines()[1] == "'=a,1.0,0,1.5"
    Path("u.csv").write_text("v\n1\nNA\n3\n")
    for line, why, code in [
        ("cut u.csv", "value 2 is missing", 1),
        ("cut v.csv --cut threshold", "threshold:eps=...", 2),
        ("cut v.csv --cut nope", "none of sign", 2),
        ("cut v.csv --cut largest-gaps", "cannot select its number", 1),
        ("cut v.csv --cut sign --lam 3", "sign has no parameter 'lam'", 2),
        ("cut v.csv --clusters 2 --lam 3", "give one of them", 1),
        ("cut v.csv --path --cut sign", "--path is of sorted-potts", 2),
        ("cut v.csv --keep v", "--column", 2),
        ("cut v.csv --clusters 0", "whole number, 1 or more", 2),
        ("cut v.csv --lam x", "a number, zero or more", 2),
    ]:
        assert why in failure(capsys, line, code)


def test_simulate_and_score(capsys):
    run("simulate D3 --noise 1 --missing .3 --seed 4 --out sub/d3.tsv.gz")
    blocks = make_paper("D3", 1, missing=0.3, random_state=4)
    frame = pd.read_csv("sub/d3.tsv.gz", sep="\t", index_col=0, float_precision="round_trip")
    np.testing.assert_array_equal(frame, blocks.data)
    truth = pd.read_csv("sub/d3.rows.csv")
    np.testing.assert_array_equal(truth.label, blocks.row_labels)
    run("simulate D3 --contiguous --out d3.npy --quiet")
    np.testing.assert_array_equal(
        np.load("d3.npy"), make_paper("D3", shuffle=False, random_state=0).data
    )
    capsys.readouterr()
    truth.sample(frac=1, random_state=0).to_csv("mixed.csv", index=False)
    run("score mixed.csv sub/d3.rows.csv --columns sub/d3.columns.csv sub/d3.columns.csv --json")
    scores = json.loads(capsys.readouterr().out)
    assert scores["rows"] == {
        "n": 300, "clusters": 2, "classes": 2, "nmi": 1.0, "ari": 1.0, "error": 0.0,
    }  # fmt: skip
    assert scores["co-clustering"] == {"error": 0.0, "ari": 1.0}
    truth.iloc[:5].to_csv("few.csv", index=False)
    run("score few.csv sub/d3.rows.csv")
    assert "n 5" in capsys.readouterr().out
    assert "few.csv: it has no label" in failure(capsys, "score sub/d3.rows.csv few.csv")
    truth.label.to_csv("unnamed.csv", index=False)
    run("score unnamed.csv sub/d3.rows.csv")
    truth.label[:7].to_csv("short.csv", index=False)
    assert "300 labels, but short.csv has 7" in failure(capsys, "score short.csv sub/d3.rows.csv")
    assert "must end in one of" in failure(capsys, "simulate D3 --out d3.xls", 2)
    assert "less than 1" in failure(capsys, "simulate D3 --missing 1 --out e.csv", 2)
    assert "there already" in failure(capsys, "simulate D3 --out d3.npy")
    run("simulate D3 --out d3.npy --force")


def test_messages_speak_of_the_file(capsys):
    Path("a.csv").write_text("a,b,c\n1,2,\n3,4,\n0,1,\n")
    np.save("n.npy", [[1.0, -2.0], [3.0, 4.0], [0.0, 1.0]])
    Path("h.csv").write_text("a,b\n1e300,2e300\n-1e300,5e300\n7e300,9e300\n")
    for line, why in [
        ("fit a.csv --index 0 --keep a --keep c", 'a.csv: Column 2 ("c") has no observed entry'),
        ("fit n.npy --vectors nmf", "the entry in row 1, column 2 is -2; .*nmf:negative=shift"),
        ("fit n.npy --rows 9", "9 clusters of rows"),
        ("fit h.csv --standardise", "too large to be standardised"),
        ("fit n.npy --cut sorted-potts:lam=1 --rows 2", "--rows is 2, but cut has its own lam"),
    ]:
        assert re.search(why.replace("(", r"\(").replace(")", r"\)"), failure(capsys, line))
    assert "single letter" in failure(capsys, "fit a.csv --delimiter ::", 2)


def test_new_raters(capsys):
    blocks = make_counts((80, 30), [[5, 1], [1, 4]], mean=4, random_state=0)
    frame = pd.DataFrame(
        blocks.data + 1, [f"u{i}" for i in range(80)], [f"i{j}" for j in range(30)]
    )
    long = frame.stack().rename_axis(["user", "item"]).rename("stars").reset_index()
    long.to_csv("all.csv", index=False)
    run("fit all.csv --triplets --absent missing --out out --quiet --no-pictures")
    long[(long.user == "u3") & (long.item != "i7")].to_csv("new.csv", index=False)
    run("predict out/model.npz new.csv --triplets --absent missing")
    name, label, *_ = capsys.readouterr().out.splitlines()[1].split(",")
    assert name == "u3"
    assert int(label) == pd.read_csv("out/rows.csv", index_col="name").label["u3"]


def test_pipes_are_read_once():
    process = command("cut", "-", "--column", "a", "--weights", "b", stdin=subprocess.PIPE)
    out, _ = process.communicate("a,b\n1,1\n2,1\n9,2\n")
    assert process.returncode == 0
    assert len(out.splitlines()) == 4


def test_killed_politely():
    np.save("a.npy", np.random.default_rng(0).normal(size=(3000, 2000)))
    process = command("fit", "a.npy", "--out", "deep/out")
    while process.poll() is None and not any(name.startswith(".out") for name in os.listdir(".")):
        time.sleep(0.01)
    process.terminate()
    process.communicate(timeout=120)
    assert process.returncode == 1
    assert os.listdir(".") == ["a.npy"]


def test_pictures_of_another_result_do_not_stay(wine):
    run("fit wine.csv --out out --quiet")
    run("fit wine.csv --out out --quiet --force --no-pictures")
    assert {*os.listdir("out")} == {*TABLES}


def test_repeated_titles_are_not_guessed_at(wine, capsys):
    run("fit wine.csv --out out --quiet --no-pictures")
    wine.assign(copy=0.0).rename(columns={"copy": "alcohol"}).to_csv("new.csv")
    assert "titles of columns repeat" in failure(capsys, "predict out/model.npz new.csv")


def test_demo(capsys):
    run("demo --out d")
    printed = capsys.readouterr().out
    assert printed.count("$ rankone") == 3
    assert "co-clustering  error 0.0000" in printed
    assert os.path.getsize("d/clusters/blocks.png") > 10_000
    assert "<title>Clusters of D2.csv</title>" in Path("d/report.html").read_text()


def test_report(wine, capsys):
    run("fit wine.csv --standardise --out out --report wine.html --no-pictures")
    assert "The report is wine.html; open it in a browser." in capsys.readouterr().out
    assert Path("wine.html").read_text().startswith("<!doctype html>")
    why = failure(capsys, "fit wine.csv --out other --report wine.html --no-pictures")
    assert "wine.html is there already" in why
    assert not Path("other").exists()


def test_nothing_is_overwritten(wine, capsys):
    os.mkdir("out")
    Path("out/rows.csv").write_text("mine")
    Path("out/other.txt").write_text("mine")
    assert "out/rows.csv is there already" in failure(capsys, "fit wine.csv --out out")
    assert Path("out/rows.csv").read_text() == "mine"
    run("fit wine.csv --out out --force --quiet --no-pictures")
    assert {*os.listdir("out")} == {*TABLES, "other.txt"}
    assert Path("out/rows.csv").read_text() != "mine"
    assert "is a file" in failure(capsys, "fit wine.csv --out wine.csv")
    assert {*os.listdir(".")} == {"out", "wine.csv"}


def test_a_failed_fit_leaves_nothing(capsys):
    Path("a.csv").write_text("a,b\n1,2\n3,oops\n")
    why = failure(capsys, "fit a.csv")
    assert why.startswith('rankone: a.csv, line 3, column 2 ("b"): "oops" is not a finite number')
    assert os.listdir(".") == ["a.csv"]
    with pytest.raises(ValueError, match="oops"):
        main(["fit", "a.csv", "--debug"])


def test_usage(capsys):
    for line in (
        "",
        "nope",
        "fit",
        "fit a.csv --nope",
        "fit a.csv --rows -1",
        "simulate D9 --out a",
    ):
        run(line, 2)
        assert "Traceback" not in capsys.readouterr().err
    assert "'nope' is none of auto" in failure(capsys, "fit a.csv --vectors nope:x=1", 2)
    assert "no such file" in failure(capsys, "fit none.csv")
    assert "is none of the results" in failure(capsys, "reproduce nope", 2)
    run("--version")
    run("fit --help")


def test_notes_are_single_lines(capsys):
    rng = np.random.default_rng(0)
    np.save("a.npy", np.c_[rng.normal(size=(60, 3)), 1e4 * rng.normal(size=60)])
    run("fit a.npy --no-pictures")
    notes = capsys.readouterr().err.strip().splitlines()
    assert any("try --standardise" in note for note in notes)
    assert all(note.startswith("rankone: note: ") for note in notes)
    run("fit a.npy --no-pictures --quiet --force")
    assert capsys.readouterr().err == ""


def test_files_whose_names_are_not_text(capsys):
    name = os.fsdecode(b"\xff.npy")
    np.save(name, make_paper("D3", random_state=0).data[:40, :30])
    assert main(["fit", name, "--out", "out", "--no-pictures", "--report", "out.html"]) == 0
    assert all(letter.isprintable() or letter == "\n" for letter in capsys.readouterr().out)
    assert json.loads(Path("out/summary.json").read_text())["input"]["shape"] == [40, 30]


def test_hostile_names(capsys):
    rows = ["=cmd|' /C calc'!A0", "\x1b]0;owned\x07", "</script><script>", "a\u202eb"] * 10
    frame = pd.DataFrame(np.repeat([[1.0, 9.0], [5.0, 2.0]], 20, axis=0), rows, ["+x", "@y"])
    (frame + np.random.default_rng(0).normal(size=(40, 2)) * 0.1).to_csv("a.csv")
    run("fit a.csv --out out --no-pictures")
    printed = capsys.readouterr().out
    assert all(letter.isprintable() or letter == "\n" for letter in printed)
    for name in ("out/rows.csv", "out/columns.csv"):
        for line in Path(name).read_bytes().decode().split("\n"):
            assert not line.lstrip('"').startswith(("=", "+", "-", "@"))


def test_names_on_the_command_line_are_those_of_the_library():
    assert arguments.VECTORS.split(", ") == ["auto", *VECTORS]
    assert {*arguments.CUTS.split(", ")} == {*CUTS}
    assert {*arguments.SELECTIONS} == {*SELECTIONS}
    assert {*arguments.FORMATS} == {*FORMATS}


def command(*words, **how):
    return subprocess.Popen(
        [sys.executable, "-m", "rankone", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **how,
    )


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from rankone.cli import main; main(['--help']); main(['reproduce', '--help']);"
        "print(*{'numpy', 'numba', 'sklearn', 'scipy', 'matplotlib'}.intersection(sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0
    assert "sorted-Potts" in result.stdout
    assert result.stdout.splitlines()[-1] == ""


def test_standard_input_and_a_closed_pipe():
    process = command("cut", "-", "--clusters", "2", stdin=subprocess.PIPE)
    out, err = process.communicate("\n".join(map(str, range(10))))
    assert process.returncode == 0
    assert out.splitlines()[0] == "value,label,level"
    assert err.startswith("2 clusters")
    process = command("cut", "-", "--clusters", "2", stdin=subprocess.PIPE)
    process.stdout.close()
    process.stdin.write("\n".join(map(str, range(100_000))))
    process.stdin.close()
    assert process.wait(120) == 0
    assert "Traceback" not in process.stderr.read()
    process.stderr.close()


def test_interrupted():
    """Ctrl-C in the middle of a fit leaves nothing behind, and says so in one line."""
    np.save("a.npy", np.random.default_rng(0).normal(size=(3000, 2000)))
    process = command("fit", "a.npy", "--out", "out")
    while process.poll() is None and not any(name.startswith(".out") for name in os.listdir(".")):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert err == "rankone: stopped; nothing was left half written.\n"
    assert os.listdir(".") == ["a.npy"]


def test_noise_that_is_no_number_any_more_is_a_matter_of_usage(capsys):
    Path("one.csv").write_text("v\n1\n2\n9\n")
    assert "--noise must be at most 1e+150" in failure(capsys, "cut one.csv --noise 1e300", 2)
    assert "too large" in failure(capsys, "simulate D1 --noise 1e308 --out a.csv", 2)
    assert os.listdir() == ["one.csv"]


def test_what_a_killed_process_left_is_removed_by_the_next_run(wine):
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    mark = f".o.rankone-{_machine()}"
    left, alive = Path(f"{mark}-{dead.pid}-01234567"), Path(f"{mark}-{os.getpid()}-01234567")
    foreign = [Path(".o.backup"), Path(f".o.rankone-00000000-{dead.pid}-01234567")]
    for folder in (left, alive, *foreign):
        folder.mkdir()
        (folder / "rows.csv").write_text("half")
    run("fit wine.csv --out o --quiet --no-pictures")
    assert not left.exists()
    assert all(folder.exists() for folder in (alive, *foreign))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_full_disk_names_the_file_and_leaves_nothing(wine, capsys):
    said = failure(capsys, "fit wine.csv --out o --report /dev/full --no-pictures --quiet")
    assert said == "rankone: /dev/full: No space left on device."
    assert not Path("o").exists()


def test_a_seed_is_less_than_what_generators_take(capsys):
    assert "less than 2^32" in failure(capsys, f"simulate D1 --seed {2**32} --out a.csv", 2)
