import io
import time

from rankone.progress import Line, ProgressBar, TerminalProgress


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
