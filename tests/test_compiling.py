"""Compilation is announced once, and a cache that cannot be written to is pointed out once."""

import io

import numba
import numpy as np
import pytest
from numba.core import event

from rankone import _compiling
from rankone._compiling import COMPILING, CacheWarning, Compilation


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def compilation(monkeypatch):
    monkeypatch.setattr(_compiling.compilation, "_told", True)
    listener = Compilation()
    event.register("numba:compile", listener)
    yield listener
    event.unregister("numba:compile", listener)


def count(labels):
    return labels.size


count.__module__ = "rankone.count"  # as if it were a kernel of the package


def compile_again(kind=np.int64):
    numba.njit(count)(np.arange(3).astype(kind))


def test_long_compilation_is_announced_once_to_people(compilation, monkeypatch):
    monkeypatch.setattr(_compiling, "PATIENCE", 0.0)
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    for kind in (np.int64, np.int32, np.int16):
        compile_again(kind)
    assert terminal.getvalue() == f"\r{COMPILING}\n"
    assert compilation.n_kernels == 3
    assert compilation.seconds > 0


def test_files_and_foreign_functions_are_left_alone(compilation, monkeypatch):
    monkeypatch.setattr(_compiling, "PATIENCE", -1.0)
    monkeypatch.setattr("sys.stderr", file := io.StringIO())
    compile_again()
    numba.njit(lambda x: x + 1)(2)
    assert file.getvalue() == ""
    assert compilation.n_kernels == 1


def test_a_full_disk_does_not_stop_a_kernel():
    kernel = numba.njit(cache=True)(count)
    listener = Compilation()
    listener.keep_if_possible(kernel)

    def fail(*_):
        raise OSError(28, "No space left on device")

    kernel._cache._impl.check_cachable = lambda cres: True
    kernel._cache._cache_file.save = fail
    with pytest.warns(CacheWarning, match="set NUMBA_CACHE_DIR"):
        assert kernel(np.arange(3)) == 3
    assert kernel(np.arange(3.0)) == 3  # and says so once
    assert not listener.can_keep
