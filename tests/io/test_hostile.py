"""Whatever bytes a file has, the answer is a table, or one line that says what is wrong."""

import gzip
import io

import anndata
import numpy as np
import pandas as pd
import pytest
import scipy.io
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rankone.io import FORMATS, FileError, Table, read_column, read_labels, read_matrix

VALUES = np.arange(12.0).reshape(4, 3)
FRAME = pd.DataFrame(VALUES, [f"r{i}" for i in range(4)], ["a", "b", "c"])


def in_memory(write):
    buffer = io.BytesIO()
    write(buffer)
    return buffer.getvalue()


class Samples(dict):
    """A small file of each format."""

    def __repr__(self):
        return "samples"


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    folder = tmp_path_factory.mktemp("samples")
    annotated = anndata.AnnData(sp.csr_matrix(VALUES), obs=FRAME[[]], var=FRAME.T[[]])
    annotated.write_h5ad(folder / "a.h5ad")
    scipy.io.mmwrite(folder / "a.mtx", sp.coo_array(VALUES))
    text = FRAME.to_csv().encode()
    return Samples(
        {
            "csv": text,
            "csv.gz": gzip.compress(text),
            "npy": in_memory(lambda file: np.save(file, VALUES)),
            "npz": in_memory(lambda file: np.savez_compressed(file, VALUES)),
            "sparse.npz": in_memory(lambda file: sp.save_npz(file, sp.csr_array(VALUES))),
            "mtx": (folder / "a.mtx").read_bytes(),
            "mtx.gz": gzip.compress((folder / "a.mtx").read_bytes()),
            "parquet": in_memory(FRAME.to_parquet),
            "h5ad": (folder / "a.h5ad").read_bytes(),
        }
    )


@st.composite
def damages(draw):
    """Draw what happens to bytes: some are changed, some are lost, some are added."""
    return draw(
        st.lists(
            st.tuples(
                st.sampled_from(["set", "cut", "insert", "remove", "repeat"]),
                st.floats(0, 1, exclude_max=True),
                st.binary(min_size=1, max_size=4) | st.sampled_from([b"999999999", b"-1", b'\n,"']),
            ),
            min_size=1,
            max_size=4,
        )
    )


def damaged(content, damage):
    for kind, where, new in damage:
        at = int(where * len(content))
        match kind:
            case "set":
                content = content[:at] + new + content[at + len(new) :]
            case "cut":
                content = content[:at]
            case "insert":
                content = content[:at] + new + content[at:]
            case "remove":
                content = content[:at] + content[at + len(new) :]
            case "repeat":
                content = content[:at] + 3 * content[at : at + 20] + content[at:]
    return content


def refusal(read, path, **how):
    """Return what a reader returned, and its refusal, if it refused."""
    try:
        return read(path, **how), ""
    except FileError as error:
        return None, str(error)


def survives(path, **how):
    """Read a file: a table of numbers comes out, or one line."""
    table, why = refusal(read_matrix, path, **how)
    if table is None:
        assert why.isprintable()
        assert len(why) < 500 + len(str(path))
        return
    assert isinstance(table, Table)
    assert table.values.ndim == 2
    assert table.values.dtype.kind in "biuf"
    for names, size in zip((table.row_names, table.column_names), table.values.shape, strict=True):
        assert names is None or (len(names) == size and all(isinstance(x, str) for x in names))


KINDS = ["csv", "csv.gz", "npy", "npz", "sparse.npz", "mtx", "mtx.gz", "parquet", "h5ad"]
HARD = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.mark.parametrize("kind", KINDS)
@HARD
@given(damage=damages())
def test_damaged_files(samples, kind, damage, tmp_path):
    path = tmp_path / f"a.{kind}"
    path.write_bytes(damaged(samples[kind], damage))
    survives(path)


@pytest.mark.parametrize("kind", KINDS)
def test_files_cut_short(samples, kind, tmp_path):
    path = tmp_path / f"a.{kind}"
    content = samples[kind]
    for end in {*range(0, len(content), max(1, len(content) // 60)), len(content) - 1}:
        path.write_bytes(content[:end])
        survives(path)


@pytest.mark.parametrize("format", FORMATS)
@HARD
@given(content=st.binary(max_size=200))
def test_any_bytes_as_any_format(format, content, tmp_path):
    path = tmp_path / "a"
    path.write_bytes(content)
    survives(path, format=format)
    survives(path)


@HARD
@given(
    text=st.text(st.sampled_from('ab12.,;|\t "\n\r-e=N\u2028\u202e\x00\ufeff'), max_size=60),
    absent=st.sampled_from(["zero", "missing"]),
    duplicates=st.sampled_from(["error", "sum", "mean", "first", "last"]),
)
def test_any_text(text, absent, duplicates, tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(text.encode())
    survives(path)
    survives(path, format="triplets", absent=absent, duplicates=duplicates)
    for read in (read_column, read_labels):
        found, why = refusal(read, path)
        assert found is not None or why.isprintable()
