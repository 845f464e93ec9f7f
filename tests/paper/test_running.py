import io
import subprocess
import sys

import pytest

from rankone.paper import QUICK_DRAWS, RESULTS, reproduce, running
from rankone.paper.store import Store
from rankone.progress import ProgressBar


def draws_of(folder):
    return Store(folder / "draws.jsonl").draws


def lines_of(folder):
    return (folder / "draws.jsonl").read_text().splitlines()


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Return a folder with the page of one result that needs draws, made by one process."""
    folder = tmp_path_factory.mktemp("alone")
    reproduce(["lam"], draws=2, jobs=1, out=folder, progress=False)
    return folder


def test_two_processes_give_the_same_page(alone, tmp_path):
    page = reproduce(["lam"], draws=2, jobs=2, out=tmp_path, progress=False)
    assert page == tmp_path / "paper.md"
    for name in ("paper.md", "paper.html", "paper/lam.png"):
        assert (tmp_path / name).read_bytes() == (alone / name).read_bytes()
    assert draws_of(tmp_path) == draws_of(alone)


def test_a_stopped_run_goes_on(alone, tmp_path, monkeypatch):
    done = []

    def impatient(*task):
        if len(done) == 4:
            raise KeyboardInterrupt
        done.append(task)
        return running.lam.draw(*task)

    monkeypatch.setitem(running.EXPERIMENTS, "stopping", impatient)
    with pytest.raises(KeyboardInterrupt):
        reproduce(["lam"], draws=2, jobs=1, out=tmp_path, progress=False)
    assert len(lines_of(tmp_path)) == 4
    assert not (tmp_path / "paper.md").exists()
    monkeypatch.undo()
    reproduce(["lam"], draws=2, jobs=1, out=tmp_path, progress=False)
    assert len(lines_of(tmp_path)) == 12
    assert (tmp_path / "paper.md").read_bytes() == (alone / "paper.md").read_bytes()


def test_more_draws_add_to_fewer(alone, tmp_path):
    reproduce(["lam"], draws=1, jobs=1, out=tmp_path, progress=False)
    before = lines_of(tmp_path)
    reproduce(["lam"], draws=2, jobs=1, out=tmp_path, progress=False)
    assert lines_of(tmp_path)[: len(before)] == before
    assert draws_of(tmp_path) == draws_of(alone)


def test_draw_i_has_the_random_state_seed_plus_i(alone, tmp_path):
    reproduce(["lam"], draws=1, jobs=1, seed=1, out=tmp_path, progress=False)
    assert draws_of(tmp_path).items() <= draws_of(alone).items()


def test_only_what_is_asked_for(tmp_path):
    page = reproduce(["noise", "potts"], out=tmp_path, progress=False).read_text()
    assert page.index("## Figure 3: clustering") < page.index("## Figure 5: sorted u and v")
    assert "Table 1\n" not in page
    assert not (tmp_path / "draws.jsonl").exists()  # these need none
    assert sorted(path.name for path in (tmp_path / "paper").iterdir()) == [
        "noise.png",
        "potts.png",
    ]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"names": ["tables"]}, "Each name must be one of 'table'"),
        ({"names": "nmi"}, "must be a list"),
        ({"names": []}, "empty"),
        ({"draws": 0}, "draws must be"),
        ({"jobs": 0}, "jobs must be"),
        ({"seed": -1}, "seed must be"),
    ],
)
def test_mistakes(tmp_path, parameters, message):
    with pytest.raises(ValueError, match=message):
        reproduce(**{"out": tmp_path / "new", **parameters})
    assert not (tmp_path / "new").exists()


def test_names_cost_nothing():
    code = (
        "import sys, rankone.paper as p; assert len(p.RESULTS) == 17; "
        "print('numpy' in sys.modules, 'joblib' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["False", "False"]
    assert 1 <= QUICK_DRAWS < 100
    assert all(description for description in RESULTS.values())


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_bar_is_shown_on_terminals_and_wiped():
    terminal, file = Terminal(), io.StringIO()
    for stream in (terminal, file):
        with ProgressBar("draws", 4, stream) as bar:
            bar.step()
            bar._next = 0.0
            bar._first -= 60.0
            bar.step()
            bar.step()  # too soon after the last
    assert file.getvalue() == ""
    shown = terminal.getvalue().split("\r")
    assert shown[1] == "draws: [#######.......................]  25%"
    assert shown[2] == "draws: [###############...............]  50%, 2 min left"
    assert set(shown[3]) == {" "}
    assert len(shown[3]) == len(shown[2])
