"""The examples of the README run, and print what it says."""

import doctest
import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_examples_of_the_readme():
    placeholder = re.search(r"[A-Z]{3,}\d* \N{MULTIPLICATION SIGN}", README.read_text())
    assert not placeholder
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README", None, 0)
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0
