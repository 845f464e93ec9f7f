"""Run commands as they are typed."""

import json
import subprocess
import sys

from rankone.cli import main


def run(line, code=0):
    assert main(line.split()) == code


def printed_json(capsys, line):
    """Return what a command prints, as JSON."""
    capsys.readouterr()
    run(line)
    return json.loads(capsys.readouterr().out)


def failure(capsys, line, code=1):
    """Return the one line that a command fails with."""
    capsys.readouterr()
    run(line, code)
    captured = capsys.readouterr()
    lines = captured.err.strip().splitlines()
    assert lines[-1].startswith("rankone")
    assert "Traceback" not in captured.err
    assert code == 2 or len(lines) == 1
    return lines[-1]


def command(*words, **how):
    """Start a command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "rankone", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **how,
    )
