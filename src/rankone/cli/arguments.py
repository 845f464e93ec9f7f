"""What can be written on the command line. Nothing heavy is imported here."""

from __future__ import annotations

import argparse
import math
from argparse import ArgumentParser, _SubParsersAction
from functools import partial
from typing import Any

from rankone import __version__

#: Short names of methods; `rankone.methods` and `rankone.selection` hold what they stand for.
VECTORS = "auto, marginal, nmf, svd, pagerank, fiedler, fiedler-ds, ccot, ccot-gw"
CUTS = "sorted-potts, sign, threshold, largest-gaps, potts, total-variation, multiscale"
SELECTIONS = ("noise", "noise-strict", "silhouette", "silhouette-first")
FORMATS = ("text", "triplets", "parquet", "npy", "npz", "matrix-market", "h5ad")


def build_parser() -> ArgumentParser:
    """Return the parser of all commands."""
    parser = ArgumentParser(
        prog="rankone",
        description="Clusters of the rows and the columns of a matrix, without saying how many.",
        epilog="'rankone COMMAND --help' says more. Exit codes: 0, 1 (failed), 2 (usage).",
    )
    parser.formatter_class = partial(argparse.HelpFormatter, max_help_position=14)
    parser.add_argument("--version", action="version", version=f"rankone {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for add in (_fit, _predict, _cut, _score, _simulate, _demo, _reproduce):
        command = add(commands)
        command.add_argument("--quiet", action="store_true", help="say nothing but the result")
        command.add_argument("--debug", action="store_true", help="show where an error came from")
    return parser


def _fit(commands: _SubParsersAction[Any]) -> ArgumentParser:
    parser: ArgumentParser = commands.add_parser(
        "fit",
        help="find clusters of rows and columns of a matrix",
        description="Find the clusters of rows and columns of a matrix in a file, and write tables "
        "of them, a summary, the fitted model and pictures into a folder.",
        epilog="Methods take their parameters after a colon: --vectors nmf:beta=2, "
        "--cut sorted-potts:p=1,lam=3.",
    )
    parser.add_argument("matrix", metavar="MATRIX", help="the file; '-' for standard input")
    _output(parser, "the folder (default: the name of the file, and -clusters)", "DIR")
    parser.add_argument("--report", metavar="FILE", help="also write a page to explore, .html")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    parser.add_argument("--no-pictures", action="store_true", help="draw nothing")
    _reading(parser)
    parser.add_argument("--transpose", action="store_true", help="take rows for columns")
    group = parser.add_argument_group("before the fit")
    group.add_argument("--log", action="store_true", help="take log(1 + entry)")
    group.add_argument(
        "--standardise",
        action="store_true",
        help="give each column mean 0 and variance 1 (columns in different units)",
    )
    _learning(parser.add_argument_group("the fit"))
    return parser


def _learning(group: Any) -> None:
    group.add_argument("--rows", type=_whole, metavar="K", help="the number of clusters of rows")
    group.add_argument("--columns", type=_whole, metavar="L", help="that of columns")
    group.add_argument(
        "--vectors",
        default="auto",
        metavar="METHOD",
        help=f"Step 1, the scores of rows and columns: {VECTORS}",
    )
    group.add_argument(
        "--cut",
        default="sorted-potts",
        metavar="METHOD",
        help=f"Step 2, the clusters of scores: {CUTS}",
    )
    group.add_argument(
        "--selection",
        choices=SELECTIONS,
        default="noise",
        metavar="RULE",
        help=f"how numbers are chosen: {', '.join(SELECTIONS)} (default: noise)",
    )
    group.add_argument(
        "--no-refine", action="store_true", help="keep the clusters of the scores as they are"
    )
    group.add_argument(
        "--loss",
        choices=("auto", "gaussian", "poisson"),
        default="auto",
        help="real numbers, or counts; known by itself",
    )
    group.add_argument("--symmetric", action="store_true", help="rows and columns are the same")
    group.add_argument(
        "--max-clusters", type=_whole, default=20, metavar="K", help="the most that are tried (20)"
    )
    group.add_argument(
        "--min-cluster-size", type=_whole, default=1, metavar="N", help="of any cluster (1)"
    )
    group.add_argument(
        "--missing",
        choices=("nan", "absent"),
        help="what is missing from a sparse matrix: NaN (default), or all that is absent",
    )
    group.add_argument("--seed", type=_seed, default=0, help="of all random draws (0)")


def _predict(commands: _SubParsersAction[Any]) -> ArgumentParser:
    parser: ArgumentParser = commands.add_parser(
        "predict",
        help="place new rows in clusters that were found before",
        description="Place new rows in the clusters of a fitted model. Columns are matched by "
        "their names, if both have them.",
    )
    parser.add_argument("model", metavar="MODEL", help="model.npz of a folder that fit wrote")
    parser.add_argument("matrix", metavar="MATRIX", help="the new rows; '-' for standard input")
    _output(parser, "the table (default: standard output)")
    parser.add_argument("--json", action="store_true", help="write JSON instead of csv")
    _reading(parser)
    parser.add_argument("--transpose", action="store_true", help="take rows for columns")
    return parser


def _cut(commands: _SubParsersAction[Any]) -> ArgumentParser:
    parser: ArgumentParser = commands.add_parser(
        "cut",
        help="cluster values in one dimension, exactly",
        description="Cut a vector of values into clusters. How many is chosen by the silhouette, "
        "or, with --noise, by what noise of that standard deviation lets expect.",
        epilog="A method takes its parameters after a colon: --cut threshold:eps=0.5.",
    )
    parser.add_argument("vector", metavar="VECTOR", help="the file; '-' for standard input")
    parser.add_argument("--column", metavar="NAME", help="which column, by title or number from 1")
    parser.add_argument("--weights", metavar="NAME", help="a column of weights")
    _output(parser, "the table (default: standard output)")
    parser.add_argument("--json", action="store_true", help="write JSON instead of csv")
    parser.add_argument("--path", action="store_true", help="write all numbers of clusters instead")
    group = parser.add_argument_group("the cut")
    group.add_argument("--cut", default="sorted-potts", metavar="METHOD", help=CUTS)
    group.add_argument("--p", type=_number, help="the power of distances (default: 2)")
    group.add_argument("--lam", type=_number, help="the penalty of one more cluster")
    group.add_argument("--clusters", type=_whole, metavar="K", help="the number of clusters")
    group.add_argument("--noise", type=_number, metavar="SD", help="how noisy each value is")
    group.add_argument(
        "--max-clusters", type=_whole, default=20, metavar="K", help="the most that are tried (20)"
    )
    _reading(parser)
    return parser


def _score(commands: _SubParsersAction[Any]) -> ArgumentParser:
    parser: ArgumentParser = commands.add_parser(
        "score",
        help="compare labels with the truth",
        description="Compare labels with the truth: normalised mutual information (nmi), adjusted "
        "Rand index (ari), error rate; of rows and columns together, the co-clustering error. "
        "Labels are matched by their names, if both files have them.",
    )
    parser.add_argument("labels", metavar="LABELS", help="a table with a column called label")
    parser.add_argument("truth", metavar="TRUTH", help="another")
    parser.add_argument("--columns", nargs=2, metavar=("LABELS", "TRUTH"), help="those of columns")
    parser.add_argument("--column", metavar="NAME", help="what labels are called in LABELS")
    parser.add_argument("--truth-column", metavar="NAME", help="what they are called in TRUTH")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _simulate(commands: _SubParsersAction[Any]) -> ArgumentParser:
    parser: ArgumentParser = commands.add_parser(
        "simulate",
        help="make a matrix whose clusters are known",
        description="Draw one of the data sets of the paper. FILE.rows.csv and FILE.columns.csv, "
        "beside it, have the truth.",
    )
    parser.add_argument("name", metavar="NAME", choices=("D1", "D2", "D3", "D4"), help="D1 to D4")
    parser.add_argument("--noise", type=_number, default=0.0, metavar="SD", help="white noise")
    parser.add_argument(
        "--missing", type=_number, default=0.0, metavar="SHARE", help="of entries that are missing"
    )
    parser.add_argument("--contiguous", action="store_true", help="do not mix the groups")
    parser.add_argument("--seed", type=_seed, default=0, help="of all random draws (0)")
    _output(parser, "the file: .csv, .tsv, both also .gz, or .npy", required=True)
    return parser


def _demo(commands: _SubParsersAction[Any]) -> ArgumentParser:
    parser: ArgumentParser = commands.add_parser(
        "demo",
        help="simulate, fit, compare with the truth, and look",
        description="Show what the other commands do, on simulated data.",
    )
    _output(parser, "the folder (default: rankone-demo)", "DIR")
    return parser


def _reproduce(commands: _SubParsersAction[Any]) -> ArgumentParser:
    from rankone.paper import RESULTS

    listed = "\n".join(f"  {name:12} {what}" for name, what in RESULTS.items())
    parser: ArgumentParser = commands.add_parser(
        "reproduce",
        help="make the tables and figures of the paper again",
        description="Make the tables and figures of the paper again, beside its own values, and "
        "test what it says in words. It can be stopped, and goes on where it was.",
        epilog=f"results:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="which (default: all)")
    parser.add_argument("--draws", type=_whole, default=100, help="data sets a cell (100)")
    parser.add_argument("--quick", action="store_true", help="a few draws only, in two minutes")
    parser.add_argument("--jobs", type=_whole, default=2, help="how many at a time (2)")
    parser.add_argument("--seed", type=_seed, default=0, help="of all random draws (0)")
    parser.add_argument("--out", default="rankone-paper", metavar="DIR", help="(rankone-paper)")
    return parser


def _output(
    parser: ArgumentParser, what: str, metavar: str = "FILE", required: bool = False
) -> None:
    parser.add_argument("--out", metavar=metavar, help=what, required=required)
    parser.add_argument("--force", action="store_true", help="overwrite what is there")


def _reading(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("how the file is read")
    group.add_argument(
        "--format", choices=FORMATS, metavar="NAME", help=f"{', '.join(FORMATS)}; known by itself"
    )
    group.add_argument("--triplets", action="store_true", help="lines are row, column, value")
    group.add_argument("--absent", choices=("zero", "missing"), help="what no triplet speaks of")
    group.add_argument(
        "--duplicates",
        choices=("error", "sum", "mean", "first", "last"),
        help="what to do about entries that are there twice (default: error)",
    )
    group.add_argument(
        "--delimiter", type=_letter, metavar="LETTER", help="found by itself; 'tab' is a tabulator"
    )
    group.add_argument("--decimal", choices=(".", ","), help="the decimal point")
    group.add_argument("--encoding", help="utf-8 by default")
    group.add_argument("--header", choices=("yes", "no"), help="does the first line have names?")
    group.add_argument("--skip", type=_natural, default=0, metavar="N", help="leave out N lines")
    group.add_argument("--index", metavar="NAME", help="the column of names; 0 for none")
    group.add_argument("--keep", action="append", metavar="NAME", help="read only this column, ...")
    group.add_argument("--drop", action="append", metavar="NAME", help="leave out a column, ...")
    group.add_argument("--key", metavar="NAME", help="which array of an .npz or .h5ad file")


def _letter(text: str) -> str:
    letter = {"tab": "\t", "\\t": "\t"}.get(text, text)
    if len(letter) != 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a single letter")
    return letter


def _whole(text: str) -> int:
    return _at_least(text, 1)


def _natural(text: str) -> int:
    return _at_least(text, 0)


def _seed(text: str) -> int:
    seed = _natural(text)
    if seed >= 2**32:
        raise argparse.ArgumentTypeError(f"it must be less than 2^32, but it is {text}")
    return seed


def _at_least(text: str, least: int) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(
            f"it must be a whole number, {least} or more, not {text!r}"
        )
    return int(text)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number, zero or more")
    return value
