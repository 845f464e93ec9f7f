"""Who may import whom: the rooms of the package, as CONTRIBUTING draws them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "rankone"

#: What every room may use: it knows nothing of matrices, vectors or clusters.
FOUNDATION = {path.stem for path in SOURCE.glob("_*.py")} | {
    "checks",
    "errors",
    "progress",
    "typing",
    "versions",
    "wording",
}

STEPS = {"matrix", "vectors", "cuts", "selection", "views", "tree", "refinement"}
LEARNER = {
    "forest",
    "methods",
    "extraction",
    "cutting",
    "learning",
    "result",
    "saving",
    "estimators",
}

#: For each room, the rooms that it may import, besides the foundation.
KNOWS = {
    "io": set(),
    "preparation": set(),
    "datasets": set(),
    "metrics": set(),
    "matrix": set(),
    "vectors": {"matrix"},
    "cuts": set(),
    "selection": {"matrix", "vectors", "cuts"},
    "views": {"matrix"},
    "tree": {"matrix", "cuts", "selection", "views"},
    "refinement": {"matrix", "cuts"},
    "contrasts": {"matrix", "views"},
    "methods": {"vectors", "cuts"},
    "extraction": STEPS,
    "cutting": STEPS | {"methods", "extraction", "result"},
    "result": STEPS | {"methods", "extraction"},
    "forest": STEPS | {"result"},
    "learning": STEPS | {"methods", "extraction", "cutting", "forest", "result"},
    "saving": STEPS | LEARNER | {"io", "preparation"},
    "estimators": STEPS | LEARNER | {"contrasts", "io", "preparation"},
    "plotting": STEPS | {"estimators", "result"},
    "report": STEPS | {"contrasts", "metrics", "result", "plotting"},
    "paper": STEPS | {"datasets", "metrics", "plotting"},
    "contrib": STEPS | {"contrasts"},
    "cli": STEPS
    | LEARNER
    | {"contrasts", "io", "preparation", "datasets", "metrics", "plotting", "report", "paper"},
}

#: The one import that points the other way, within the method that makes a report.
EXCEPTION = ("estimators", "report")


def rooms():
    """Return the rooms of the package: its packages and modules, but for the foundation."""
    names = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or path.is_dir()}
    return {name for name in names if not name.startswith("_")} - FOUNDATION - {"py"}


def imported_by(room):
    """Return the rooms that the files of a room import, with the place of one such import."""
    paths = (SOURCE / room).rglob("*.py") if (SOURCE / room).is_dir() else [SOURCE / f"{room}.py"]
    found = {}
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text())):
            for name in _modules(node):
                found.setdefault(name, f"{path.relative_to(SOURCE)}:{node.lineno}")
    found.pop(room, None)
    return found


def _modules(node):
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module == "rankone":
        return [_home(alias.name) for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module:
        names = [node.module]
    else:
        return []
    return [name.split(".")[1] for name in names if name.startswith("rankone.")]


def _home(name):
    """Return the room that a public name of the package comes from."""
    import rankone

    if (SOURCE / name).is_dir() or (SOURCE / f"{name}.py").exists():
        return name
    module = getattr(rankone, name).__module__ if name != "__version__" else "rankone.typing"
    return module.split(".")[1]


def test_the_table_lists_all_rooms():
    assert rooms() == set(KNOWS)


@pytest.mark.parametrize("room", sorted(KNOWS))
def test_a_room_imports_only_what_it_may_know(room):
    allowed = KNOWS[room] | FOUNDATION
    if room == EXCEPTION[0]:
        allowed = allowed | {EXCEPTION[1]}
    unexpected = {name: place for name, place in imported_by(room).items() if name not in allowed}
    assert not unexpected, unexpected


def test_the_foundation_knows_no_room():
    for name in FOUNDATION - {"__init__", "__main__"}:
        assert set(imported_by(name)) <= FOUNDATION, name


def test_the_exception_is_inside_a_function():
    room, other = EXCEPTION
    for path in (SOURCE / room).rglob("*.py"):
        for node in ast.parse(path.read_text()).body:
            assert other not in _modules(node), path
