"""The examples of the documents run, and print what they say."""

import doctest
import re
from pathlib import Path

import pytest

HOME = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ["README.md", "docs/vectors.md"])
def test_examples(name):
    text = (HOME / name).read_text()
    assert not re.search(r"[A-Z]{3,}\d* \N{MULTIPLICATION SIGN}", text), "a figure is left out"
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, None, 0)
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0
