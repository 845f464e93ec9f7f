"""``rankone demo``: run the other commands on simulated data, or on wines."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from rankone.cli.arguments import add_output
from rankone.cli.files import check_absent

USAGE = "[wine] [options]"
DESCRIPTION = """\
Simulate a matrix, find its clusters, compare them with the truth, and write a
report: a short tour of the other commands. With 'wine', write 178 wines from
three growers to wine.csv in this folder, and find clusters of these instead."""
EXAMPLES = """\
examples:
  rankone demo
  rankone demo wine"""

#: The commands of each demonstration.
STEPS = {
    "simulated": (
        "simulate D2 --noise 2 --missing 0.3 --out {out}/D2.csv",
        "fit {out}/D2.csv --out {out}/clusters --report {out}/report.html",
        "score {out}/clusters/rows.csv {out}/D2.rows.csv "
        "--columns {out}/clusters/columns.csv {out}/D2.columns.csv",
    ),
    "wine": (
        "fit {data}/wine.csv --standardise --report {out}/wine.html --annotate {data}/grower.csv "
        "--out {out}/wine-clusters",
        "score {out}/wine-clusters/rows.csv {data}/grower.csv --truth-column grower",
    ),
}

REPORTS = {"simulated": "report.html", "wine": "wine.html"}


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument(
        "name",
        nargs="?",
        choices=tuple(STEPS),
        default="simulated",
        metavar="wine",
        help="cluster wines, instead of simulated data",
    )
    add_output(parser, "folder of the results (default: rankone-demo)", "DIR")


def run(arguments: Namespace) -> None:
    """Print and run each command."""
    from rankone.cli.commands import command, parse_arguments

    # Wines are written to this folder, so that other commands can be tried on them.
    name, out, data = arguments.name, arguments.out or "rankone-demo", arguments.out or "."
    if name == "wine":
        write_wine(Path(data), arguments.force, arguments.quiet)
        Path(out).mkdir(parents=True, exist_ok=True)
    for step in STEPS[name]:
        words = [word.format(out=out, data=data).removeprefix("./") for word in step.split()]
        if not arguments.quiet:
            print(f"$ rankone {' '.join(words)}")
        parsed = parse_arguments(words)
        parsed.force, parsed.quiet = arguments.force, arguments.quiet
        command(parsed.command).run(parsed)
        if not arguments.quiet:
            print()
    if not arguments.quiet:
        print(f"Open {out}/{REPORTS[name]} in a browser, and change the numbers of clusters.")


def write_wine(folder: Path, force: bool, quiet: bool) -> None:
    """Write the wines of scikit-learn, and a table of their growers."""
    from sklearn.datasets import load_wine

    from rankone.io import write_csv

    wine, paths = load_wine(), (folder / "wine.csv", folder / "grower.csv")
    check_absent(paths, force)
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"w{i}" for i in range(wine.data.shape[0])]
    columns = dict(zip(wine.feature_names, wine.data.T, strict=True))
    write_csv(paths[0], {"name": names, **columns})
    write_csv(paths[1], {"name": names, "grower": ["ABC"[target] for target in wine.target]})
    if not quiet:
        print(f"Written: {paths[0]}, 178 wines; {paths[1]}, who grew them (which a fit never sees)")
