import json

from rankone.paper.store import FORMAT, Store, Task

TASKS = [Task("learning", "D1", 0.5, seed) for seed in range(3)]


def test_draws_are_kept(tmp_path):
    store = Store(tmp_path / "draws.jsonl")
    for i, task in enumerate(TASKS):
        store.add(task, {"NMI": i / 10})
        assert Store(store.path).draws == store.draws  # at once
    assert list(store.draws) == TASKS


def test_a_broken_last_line_is_lost_alone(tmp_path):
    store = Store(tmp_path / "draws.jsonl")
    for task in TASKS:
        store.add(task, {"NMI": 0.5})
    whole = store.path.read_bytes()
    for cut in (1, 2, 20):
        store.path.write_bytes(whole[:-cut])
        again = Store(store.path)
        assert list(again.draws) == (TASKS if cut == 1 else TASKS[:2])
        again.add(TASKS[2], {"NMI": 0.25})
        assert Store(store.path).draws == {TASKS[0]: {"NMI": 0.5}, TASKS[1]: {"NMI": 0.5}} | {
            TASKS[2]: {"NMI": 0.25}
        }


def test_other_formats_and_strange_lines_are_not_seen(tmp_path):
    path = tmp_path / "draws.jsonl"
    lines = [
        {"format": FORMAT + 1, "task": list(TASKS[0]), "figures": {"NMI": 1.0}},
        {"format": FORMAT, "figures": {}},
        {"format": FORMAT, "task": [1, 2], "figures": {}},
        {"format": FORMAT, "task": list(TASKS[1]), "figures": None},
        ["a list"],
        7,
    ]
    path.write_bytes(b"\n".join(json.dumps(line).encode() for line in lines) + b"\n\xff\n")
    assert Store(path).draws == {}
