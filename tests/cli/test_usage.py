"""What all commands share: help, usage, exit codes, and the demonstration of them all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rankone.cli import arguments
from rankone.cli.commands import COMMANDS, command, parse_arguments
from rankone.io import FORMATS
from rankone.methods import CUTS, VECTORS
from rankone.selection import SELECTIONS
from tests.cli.running import failure, run


@pytest.mark.parametrize(
    "line",
    ["nope", "fit", "fit a.csv --nope", "fit a.csv --rows -1", "simulate D9 --out a"],
)
def test_wrong_usage_ends_with_code_2_and_no_traceback(line, capsys):
    run(line, 2)
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "message", "code"),
    [
        ("fit a.csv --vectors nope:x=1", "unknown method 'nope'; choose one of auto", 2),
        ("fit a.csv --vectors auto:x=1", "auto has no parameters", 2),
        ("cut a.csv --cut nope", "unknown method 'nope'; choose one of sorted-potts", 2),
        ("fit a.csv --delimiter ::", "single character", 2),
        ("fit a.csv --triplets --format npy", "exclude each other", 2),
        ("fit none.csv", "none.csv: there is no such file", 1),
        ("tree none.csv", "none.csv: there is no such file", 1),
        ("cut none.csv", "none.csv: there is no such file", 1),
        ("predict none.npz none.csv", "none.npz: there is no such file", 1),
        ("reproduce nope", "unknown result 'nope'", 2),
    ],
)
def test_errors_say_what_is_wrong(line, message, code, capsys):
    Path("a.csv").write_text("a,b\n1,2\n")
    assert message in failure(capsys, line, code)


def test_version_is_printed(capsys):
    run("--version")
    assert capsys.readouterr().out.startswith("rankone ")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command_has_lines_that_fit_a_terminal(name, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    run(f"{name} --help")
    text = capsys.readouterr().out
    assert text.startswith(f"usage: rankone {name}")
    assert max(map(len, text.splitlines())) <= 100


def test_examples_in_help_are_understood():
    for name in COMMANDS:
        for line in (command(name).EXAMPLES or "").splitlines():
            if line.startswith("  rankone "):
                parse_arguments(line.split()[1:])


def test_names_on_the_command_line_are_those_of_the_library():
    assert ("auto", *VECTORS) == arguments.VECTORS
    assert {*arguments.CUTS} == {*CUTS}
    assert {*arguments.SELECTIONS} == {*SELECTIONS}
    assert {*arguments.FORMATS} == {*FORMATS}


def test_the_list_of_commands_imports_none_of_them():
    code = (
        "import sys; from rankone.cli import main; main(['--help']);"
        "print([f'rankone.cli.{name}' in sys.modules for name in ('fit', 'cut', 'score')])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.splitlines()[-1] == "[False, False, False]"


def test_nothing_typed_is_answered_by_the_list_of_commands(capsys):
    run("", 2)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("usage: rankone")
    assert all(f"    {name} " in printed.err for name in COMMANDS)


def test_american_spellings_are_understood():
    parsed = parse_arguments(["fit", "--standardize", "a.csv", "--normalize"])
    assert (parsed.matrix, parsed.standardise, parsed.normalise) == ("a.csv", "columns", "rows")
    assert parse_arguments(["tree", "a.csv", "--standardize", "rows"]).standardise == "rows"


@pytest.mark.parametrize("line", ["fit a.csv --vectors nope", "fit none.csv", "cut a --cut nope"])
def test_mistakes_in_names_are_found_before_anything_heavy_is_loaded(line):
    code = (
        f"import sys; from rankone.cli import main; main({line.split()!r});"
        "print(*{'numpy', 'numba', 'sklearn', 'scipy', 'matplotlib'}.intersection(sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stderr.startswith(("rankone", "usage"))
    assert result.stdout == "\n"


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from rankone.cli import main; main(['--help']); main(['fit', '--help']);"
        "main(['reproduce', '--help']);"
        "print(*{'numpy', 'numba', 'sklearn', 'scipy', 'matplotlib'}.intersection(sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0
    assert "sorted-Potts" in result.stdout
    assert result.stdout.splitlines()[-1] == ""


def test_demo_finds_the_true_clusters_and_writes_a_report(capsys):
    run("demo --out d")
    printed = capsys.readouterr().out
    assert printed.count("$ rankone") == 3
    assert "co-clustering  error 0.0000" in printed
    assert os.path.getsize("d/clusters/blocks.png") > 10_000
    assert "<title>Clusters of D2.csv</title>" in Path("d/report.html").read_text()
