import io
import time

from rankone.progress import TerminalProgress


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
