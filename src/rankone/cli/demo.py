"""``rankone demo``: the other commands, one after the other, on simulated data."""

from __future__ import annotations

from argparse import Namespace
from importlib import import_module

from rankone.cli.arguments import build_parser

STEPS = (
    "simulate D2 --noise 2 --missing 0.3 --out {out}/D2.csv",
    "fit {out}/D2.csv --out {out}/clusters --report {out}/report.html",
    "score {out}/clusters/rows.csv {out}/D2.rows.csv "
    "--columns {out}/clusters/columns.csv {out}/D2.columns.csv",
)


def run(arguments: Namespace) -> None:
    """Run each command, after saying what it is."""
    out = arguments.out or "rankone-demo"
    for step in STEPS:
        words = [word.format(out=out) for word in step.split()]
        if not arguments.quiet:
            print(f"$ rankone {' '.join(words)}")
        own = build_parser().parse_args(words)
        own.force, own.quiet = arguments.force, arguments.quiet
        import_module(f"rankone.cli.{own.command}").run(own)
        if not arguments.quiet:
            print()
    if not arguments.quiet:
        print(f"Open {out}/report.html in a browser, and move the numbers of clusters.")
