"""Run attack campaigns for a given time, and exit with 1 if any case failed.

Usage::

    python -m attacks [campaign ...] [--minutes 10] [--processes 2] [--seed S] [--case C]

Each campaign is a module with a function ``attack(rng)``, which makes one random case and raises if
the library is wrong. A failure is printed with the command that repeats it. Without ``--seed``,
every run draws new cases.
"""

from __future__ import annotations

import argparse
import secrets
import sys

from attacks._running import campaigns, run_all, run_case

#: Failures of a campaign that are printed; the others are only counted.
_PRINTED = 10


def main() -> int:
    """Run what the command line asks for; return 1 if any case failed."""
    arguments = _arguments()
    names = arguments.campaign or campaigns()
    seed = secrets.randbits(32) if arguments.seed is None else arguments.seed
    if arguments.case is not None:
        for name in names:
            run_case(name, seed, arguments.case)
        return 0
    print(f"{len(names)} campaigns, {arguments.minutes:g} minutes, seed {seed}", flush=True)
    failed = False
    for tally in run_all(names, seed, arguments.minutes, arguments.processes):
        failed |= bool(tally.failures)
        print(f"{tally.campaign:18}{tally.cases:9} cases{len(tally.failures):7} failures")
        for case, message in tally.failures[:_PRINTED]:
            print(f"  python -m attacks {tally.campaign} --seed {seed} --case {case}")
            print("    " + message.rstrip().replace("\n", "\n    "))
        sys.stdout.flush()
    return int(failed)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m attacks", description=__doc__.split("\n")[0])
    known = campaigns()
    parser.add_argument("campaign", nargs="*", help=f"some of {', '.join(known)}; default: all")
    parser.add_argument("--minutes", type=float, default=10.0, help="for all of them together")
    parser.add_argument("--processes", type=int, default=2, help="campaigns at a time")
    parser.add_argument("--seed", type=int, help="repeat the cases of an earlier run")
    parser.add_argument("--case", type=int, help="run this case alone, with its traceback")
    arguments = parser.parse_args()
    unknown = sorted(set(arguments.campaign) - set(known))
    if unknown:
        parser.error(f"unknown campaign {unknown[0]!r}; choose from {', '.join(known)}")
    return arguments


if __name__ == "__main__":
    sys.exit(main())
