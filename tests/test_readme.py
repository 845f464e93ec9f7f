"""The examples of the documents run, and print what they say."""

import doctest
import re
from pathlib import Path

import pytest

HOME = Path(__file__).parents[1]

#: The documents with examples.
PAGES = [
    path
    for path in (HOME / "README.md", *sorted((HOME / "docs").glob("*.md")))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples(page):
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"[A-Z]{3,}\d* \N{MULTIPLICATION SIGN}", text), "a figure is left out"
    blocks = re.findall(r"^```python\n(>>> .*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    blocks = [block.replace("\n\n", "\n<BLANKLINE>\n") for block in blocks]
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page.name, None, 0)
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0


def test_the_guide_has_examples():
    named = {page.stem for page in PAGES}
    assert named >= {"README", "start", "vectors", "cuts", "trees", "numbers", "blocks", "missing"}
