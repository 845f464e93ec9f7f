"""Random command lines, on small files of several formats.

A command must end with exit code 0, with 1 and one line that says why, or with 2 and a line on
usage; never with a traceback, nor with an error that calls itself a defect.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import tempfile
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from rankone import RankOneCoclustering
from rankone.cli import main
from rankone.cli.arguments import FORMATS, SELECTIONS
from rankone.methods import CUTS, VECTORS

NUMBERS = [
    *("0", "1", "2", "3", "20", "-1", "0.5", "1e-300", "1e-150", "1e150", "1e300", "1e308"),
    *("nan", "inf", "x", "99999999999999999999"),
]
FILES = [
    *("a.csv", "one.csv", "names.csv", "t.csv", "a.npy", "s.npz", "model.npz", "empty.csv"),
    *("bad.csv", "none.csv", ".", "", "huge.csv", "constant.csv"),
]
PARAMETERS = [
    *("p=1", "p=2", "p=0", "p=1.5", "lam=1", "lam=-1", "lam=1e300", "eps=0.5", "eps=0", "beta=2"),
    *("beta=x", "beta=1e9", "max_iter=0", "negative=shift", "n_clusters=2", "n_clusters=0"),
    *("tol=0", "=", ",,", "a"),
]
MATRIX_OPTIONS = {
    "--format": [*FORMATS, "x"],
    "--triplets": [],
    "--absent": ["zero", "missing"],
    "--duplicates": ["error", "sum", "mean", "first", "last"],
    "--delimiter": [",", ";", "tab", "x", ",,", "\n", '"', "\u00e9"],
    "--decimal": [".", ","],
    "--encoding": ["utf-8", "latin-1", "utf-16", "nonsense", "rot13", "idna"],
    "--header": ["yes", "no"],
    "--skip": NUMBERS,
    "--index": ["0", "1", "a", "99", ""],
    "--keep": ["1", "a", "b", "99", ""],
    "--drop": ["1", "2", "a", "b", "99"],
    "--key": ["x", "arr_0", "data", "../x"],
}
COMMON = {
    "--quiet": [],
    "--force": [],
    "--json": [],
    "--out": ["o", "p/q", "a.csv", "o/x.csv", "."],
}
FIT_OPTIONS = {
    "--no-pictures": [],
    "--transpose": [],
    "--log": [],
    "--standardise": [],
    "--rows": NUMBERS,
    "--columns": NUMBERS,
    "--selection": SELECTIONS,
    "--no-refine": [],
    "--loss": ["auto", "gaussian", "poisson"],
    "--symmetric": [],
    "--max-clusters": NUMBERS,
    "--min-cluster-size": NUMBERS,
    "--missing": ["nan", "absent"],
    "--seed": NUMBERS,
    "--report": ["r.html", "p/r.html", "o"],
}
CUT_OPTIONS = {
    "--column": ["1", "2", "a", "99"],
    "--weights": ["1", "2", "b"],
    "--path": [],
    "--p": NUMBERS,
    "--lam": NUMBERS,
    "--clusters": NUMBERS,
    "--noise": NUMBERS,
    "--max-clusters": NUMBERS,
}
SIMULATE_OPTIONS = {"--noise": NUMBERS, "--missing": NUMBERS, "--contiguous": [], "--seed": NUMBERS}


def attack(rng: np.random.Generator) -> None:
    """Run one command line in a folder of its own."""
    words = command_line(rng)
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        for path in samples().iterdir():
            shutil.copy(path, folder)
        os.chdir(folder)
        try:
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = main(words)
        except BaseException as error:
            error.add_note(f"rankone {words}")
            raise
        finally:
            os.chdir(before)
    said, case = err.getvalue(), f"rankone {words}: {err.getvalue()!r}"
    assert code in (0, 1, 2), case
    assert "Traceback" not in said, case
    assert "defect" not in said, case
    last = said.strip().splitlines()[-1:] or [""]
    assert code == 0 or last[0].startswith("rankone"), case
    assert code != 1 or last[0].endswith("."), case


def command_line(rng: np.random.Generator) -> list[str]:
    """Draw a command, its files and its options."""

    def one(choices: list[str]) -> str:
        return choices[rng.integers(len(choices))]

    def method(names: list[str]) -> str:
        given = [one(PARAMETERS) for _ in range(rng.integers(0, 3))]
        return one([*names, "x"]) + (":" + ",".join(given) if given else "")

    command = one(["fit", "cut", "cut", "predict", "score", "simulate"])
    methods = {"--cut": [method(list(CUTS))]}
    words = [command]
    match command:
        case "fit":
            methods["--vectors"] = [method(["auto", *VECTORS])]
            options = {**MATRIX_OPTIONS, **COMMON, **FIT_OPTIONS, **methods}
            words += [one(FILES), "--no-pictures"] if rng.random() < 0.9 else [one(FILES)]
        case "cut":
            options = {**MATRIX_OPTIONS, **COMMON, **CUT_OPTIONS, **methods}
            words += [one(FILES)]
        case "predict":
            options = {**MATRIX_OPTIONS, **COMMON, "--transpose": []}
            words += [one(["model.npz", "model.npz", *FILES]), one(FILES)]
        case "score":
            options = {"--json": [], "--column": ["1", "b", "99"], "--truth-column": ["a", "2"]}
            words += [one(FILES), one(FILES)]
        case _:
            options = {**SIMULATE_OPTIONS, "--force": [], "--quiet": []}
            words += [
                one(["D1", "D4", "x"]),
                "--out",
                one(["n.csv", "n.npy", "n.tsv.gz", "n", "."]),
            ]
    for name in rng.permutation(list(options))[: rng.integers(0, 5)].tolist():
        words += [name, one(list(options[name]))] if options[name] else [name]
    return words


@cache
def samples() -> Path:
    """Return a folder of small files, which is there until the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="attacks-"))
    rng = np.random.default_rng(0)
    values = rng.normal(size=(12, 6)).round(3) + 5.0 * (np.arange(12) % 2)[:, None]
    text = "\n".join(",".join(map(str, row)) for row in values.tolist()) + "\n"
    (folder / "a.csv").write_text("a,b,c,d,e,f\n" + text)
    (folder / "one.csv").write_text("a\n" + "".join(f"{x}\n" for x in values[:, 0]))
    (folder / "names.csv").write_text("name,label\n" + "".join(f"={i},{i % 3}\n" for i in range(9)))
    (folder / "t.csv").write_text("r,c,v\n" + "".join(f"r{i},c{i % 3},{i}\n" for i in range(9)))
    (folder / "empty.csv").write_text("")
    (folder / "bad.csv").write_text("x,1,2,3\n4\n5\n")
    (folder / "huge.csv").write_text("a,b\n1e300,-1e308\n1e-308,1e308\n0,5e-324\n")
    (folder / "constant.csv").write_text("a,b\n" + "1,1\n" * 5)
    np.save(folder / "a.npy", values)
    sp.save_npz(folder / "s.npz", sp.csr_array(np.abs(values) > 3).astype(float))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        RankOneCoclustering(2, 2).fit(values).save(folder / "model.npz")
    return folder
