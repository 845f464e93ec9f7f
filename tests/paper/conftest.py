import numpy as np
import pytest

from rankone.paper import afterwards, lam, outlook, reproduce
from rankone.paper.cells import ALL_CELLS
from rankone.paper.draws import draw
from rankone.paper.store import Store, Task

N_DRAWS = 3


@pytest.fixture(scope="session")
def figures():
    """Return the figures of one small draw."""
    return draw("D3", 1.0, 0)


@pytest.fixture(scope="session")
def made_up(figures, tmp_path_factory):
    """Return a folder with made-up draws of all experiments, under the names of true ones."""
    random = np.random.default_rng(0)
    folder = tmp_path_factory.mktemp("paper")
    store = Store(folder / "draws.jsonl")
    names, cells = {"learning": list(figures)}, {"learning": ALL_CELLS}
    for module in (lam, afterwards, outlook):
        names[module.EXPERIMENT] = list(module.draw("D3", 1.0, 0))
        cells[module.EXPERIMENT] = module.CELLS
    for experiment in names:
        for data, noise in cells[experiment]:
            for seed in range(N_DRAWS):
                values = random.uniform(0.01, 1.0, len(names[experiment])).round(6)
                made = dict(zip(names[experiment], values.tolist(), strict=True))
                for name in made:
                    if name.endswith(("right", "identifiable", "equals Marginal")):
                        made[name] = round(made[name])
                store.add(Task(experiment, data, noise, seed), made)
    return folder


@pytest.fixture(scope="session")
def page(made_up):
    """Return the page of all results, from made-up draws."""
    return reproduce(draws=N_DRAWS, jobs=1, out=made_up, progress=False)
