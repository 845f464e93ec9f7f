import io
import math
import re
import time

import pytest

from rankone import (
    NMF,
    RankOneClustering,
    RankOneCoclustering,
    RankOneTree,
    _compiling,
    progress,
)
from rankone.datasets import make_paper
from rankone.progress import Line, ProgressBar, Stage, TerminalProgress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_quick_work_and_files_are_left_alone():
    terminal, file = Terminal(), io.StringIO()
    for stream, begun in ((terminal, 0.0), (file, 9.0)):
        with TerminalProgress("work", stream) as progress:
            progress._next -= begun
            progress(1, 0.5)
        assert stream.getvalue() == ""


def test_long_work_is_shown_and_wiped():
    terminal = Terminal()
    with TerminalProgress("work", terminal) as progress:
        progress._next = time.monotonic()
        progress(3, 0.5)
        progress(4, 0.5)  # too soon after the last
        progress._next = time.monotonic()
        progress(5, float("nan"))
    shown = terminal.getvalue().split("\r")
    assert shown[1] == "work: sweep 3, error 5.0e-01"
    assert shown[2].rstrip() == "work: sweep 5"
    assert len(shown[2]) == len(shown[1])
    assert set(shown[3]) == {" "}


def test_a_bar_says_how_much_is_done_and_left(monkeypatch):
    terminal, now = Terminal(), [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with ProgressBar("draws", 4, terminal) as bar:
        for _ in range(4):
            now[0] += 50.0  # seconds a step
            bar.step()
    shown = [text.rstrip() for text in terminal.getvalue().split("\r")]
    assert shown[1] == f"draws: [{7 * '#'}{23 * '.'}]  25%"
    assert shown[2] == f"draws: [{15 * '#'}{15 * '.'}]  50%, 2 min left"
    assert shown[3].endswith("75%, 50 s left")
    assert shown[4].endswith("100%, 0 s left")
    assert shown[5:] == ["", ""]


def test_a_line_is_for_terminals():
    file = io.StringIO()
    with Line(file) as line:
        line.write("something")
    assert file.getvalue() == ""


class NotebookStream(io.StringIO):
    """Standard error in a notebook, which is no terminal."""

    __module__ = "ipykernel.iostream"


def lines_of_fit(monkeypatch, stream, learner):
    """Return what a fit shows, if it shows every step."""
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "PAUSE", 0.0)
    monkeypatch.setattr(_compiling, "PATIENCE", math.inf)  # a first fit compiles
    monkeypatch.setattr("sys.stderr", stream)
    learner.set_params(verbose=True).fit(make_paper("D4", noise=1, random_state=0).data[:120, :90])
    return [text.rstrip() for text in stream.getvalue().split("\r") if text.strip()]


def test_a_fit_counts_stages_and_steps_upwards(monkeypatch):
    lines = lines_of_fit(monkeypatch, Terminal(), RankOneCoclustering(vectors="svd"))
    pattern = (
        r"RankOneCoclustering: stage (\d of \d(?: or \d)?), ([a-z ]+), "
        r"([a-z ]+) (\d+)( of 4)?(?:, (.+))?"
    )
    steps = [re.fullmatch(pattern, line).groups() for line in lines]
    assert list(dict.fromkeys(step[:2] for step in steps)) == [
        ("1 of 3 or 4", "scores"),
        ("2 of 3 or 4", "tree of rows"),
        ("3 of 3 or 4", "tree of columns"),
        ("4 of 4", "blocks"),
    ]
    for name in {step[1] for step in steps}:
        counts = [int(step[3]) for step in steps if step[1] == name]
        assert counts == list(range(1, len(counts) + 1))
    assert {step[2] for step in steps if "tree" in step[1]} == {"cut into halves"}


def test_a_fit_without_blocks_ends_with_a_stage_that_could_be_the_last(monkeypatch):
    monkeypatch.setattr("rankone.learning.blocks_explain", lambda *arguments: False)
    lines = lines_of_fit(monkeypatch, Terminal(), RankOneCoclustering(vectors="svd"))
    assert "stage 3 of 3 or 4, tree of columns" in lines[-1]


def test_what_is_measured_is_called_by_its_name(monkeypatch):
    lines = lines_of_fit(
        monkeypatch, Terminal(), RankOneCoclustering(vectors=NMF(beta=1.5, negative="shift"))
    )
    assert all("criterion" not in line for line in lines if "blocks" not in line)
    blocks = [line for line in lines if "blocks" in line]
    assert all("error" not in line for line in blocks)
    criteria = [float(line.rpartition("criterion ")[2]) for line in blocks]
    assert criteria == sorted(criteria)
    assert len(criteria) > 1


@pytest.mark.parametrize("learner", [RankOneTree(), RankOneClustering(refine=False)])
def test_notebooks_show_progress_and_a_single_stage_is_not_counted(monkeypatch, learner):
    lines = lines_of_fit(monkeypatch, NotebookStream(), learner)
    assert all(line.startswith(type(learner).__name__) for line in lines)
    assert not any("stage" in line for line in lines)
    if isinstance(learner, RankOneTree):
        assert lines[-1] == "RankOneTree: cut into halves 4 of 4"


def test_a_shorter_line_covers_the_one_of_another_task():
    terminal = Terminal()
    with Line(terminal) as status:
        status.write("fitting 20000 x 60")
        with TerminalProgress("fit", terminal) as shown:
            shown._next = 0.0
            shown.show(Stage().describe(1, 0.5))
            shown._next = 0.0
            shown.show("done")
    texts = terminal.getvalue().split("\r")
    assert texts[2] == "fit: sweep 1, error 5.0e-01"
    assert texts[3] == "fit: done".ljust(len(texts[2]))
