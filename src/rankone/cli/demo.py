"""``rankone demo``: run the other commands on simulated data."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from rankone.cli.arguments import add_output

USAGE = "[options]"
DESCRIPTION = """\
Simulate a matrix, find its clusters, compare them with the truth, and write a
report: a short tour of the other commands."""
EXAMPLES = None

STEPS = (
    "simulate D2 --noise 2 --missing 0.3 --out {out}/D2.csv",
    "fit {out}/D2.csv --out {out}/clusters --report {out}/report.html",
    "score {out}/clusters/rows.csv {out}/D2.rows.csv "
    "--columns {out}/clusters/columns.csv {out}/D2.columns.csv",
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    add_output(parser, "folder of the results (default: rankone-demo)", "DIR")


def run(arguments: Namespace) -> None:
    """Print and run each command."""
    from rankone.cli.commands import command, parse_arguments

    out = arguments.out or "rankone-demo"
    for step in STEPS:
        words = [word.format(out=out) for word in step.split()]
        if not arguments.quiet:
            print(f"$ rankone {' '.join(words)}")
        parsed = parse_arguments(words)
        parsed.force, parsed.quiet = arguments.force, arguments.quiet
        command(parsed.command).run(parsed)
        if not arguments.quiet:
            print()
    if not arguments.quiet:
        print(f"Open {out}/report.html in a browser, and change the numbers of clusters.")
