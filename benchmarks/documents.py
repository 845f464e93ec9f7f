"""Documents with known subjects: pages of documentation that are installed with packages.

Corpora with classes are hardly ever distributed as packages. Documentation is: a page belongs to
the part of the library that it documents. The examples are left out, because their imports name
that part.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType

import networkx
from sklearn.utils import all_estimators
from sklearn.utils.discovery import all_functions

Corpus = tuple[list[str], list[str]]

SCIPY_MODULES = (
    "cluster.hierarchy",
    "fft",
    "integrate",
    "interpolate",
    "linalg",
    "ndimage",
    "optimize",
    "signal",
    "sparse",
    "spatial",
    "special",
    "stats",
)
SHORTEST_PAGE = 300  # Characters: less is a deprecation or an alias, not a text.
SMALLEST_CLASS = 20


def scipy_docstrings() -> Corpus:
    """Return the pages of SciPy's public functions and classes; class: subpackage."""
    modules = (import_module(f"scipy.{name}") for name in SCIPY_MODULES)
    return corpus((page, module.__name__) for module in modules for page in pages(module))


def scikit_learn_docstrings() -> Corpus:
    """Return the pages of scikit-learn's public functions and classes; class: module."""
    things = [thing for _, thing in [*all_estimators(), *all_functions()]]
    return corpus((inspect.getdoc(thing) or "", thing.__module__.split(".")[1]) for thing in things)


def networkx_docstrings() -> Corpus:
    """Return the pages of NetworkX's algorithms; class: kind of algorithm."""
    modules = [
        import_module(found.name)
        for found in walk_packages(networkx.algorithms.__path__, "networkx.algorithms.")
        if ".tests" not in found.name and not found.ispkg
    ]
    return corpus(
        (page, module.__name__.split(".")[2]) for module in modules for page in pages(module)
    )


def pages(module: ModuleType) -> Iterable[str]:
    """Yield the docstrings of the public functions and classes of a module."""
    for name in sorted(getattr(module, "__all__", ())):
        thing = getattr(module, name)
        if callable(thing) and hasattr(thing, "__name__"):  # Not a distribution of scipy.stats.
            yield inspect.getdoc(thing) or ""


def corpus(labelled: Iterable[tuple[str, str]]) -> Corpus:
    """Return distinct texts of some length and their classes, without small classes."""
    texts: dict[str, str] = {}
    for page, label in labelled:
        text = page.split("\nExamples\n")[0]
        if len(text) >= SHORTEST_PAGE:
            texts.setdefault(text, label)
    sizes = Counter(texts.values())
    kept = {text: label for text, label in texts.items() if sizes[label] >= SMALLEST_CLASS}
    return list(kept), list(kept.values())
