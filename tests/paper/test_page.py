import re
from html.parser import HTMLParser

import numpy as np
import pytest
from matplotlib.image import imread

from rankone.paper import RESULTS
from rankone.paper.page import Picture, Section, Table, as_html, as_markdown

STRANGE = Section(
    "A <b> & title",
    "claim | with a bar",
    0.5,
    "1 < 2 & `code <i>`",
    [
        "text <script>alert(1)</script> and **bold** and [a link](https://example.org/?a=1&b=2)",
        Table(("", "x | y"), [("<td>", "1 | 2")]),
        Picture("name", b"\x89PNG", 'caption with " and <'),
    ],
)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen, self.open, self.sources = set(), [], []

    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        self.sources += [value for name, value in attributes if name in ("src", "href")]
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def parsed(html):
    tags = Tags()
    tags.feed(html)
    assert tags.open == []
    return tags


def test_html_is_escaped():
    html = as_html([STRANGE], 1, 0)
    tags = parsed(html)
    assert not tags.seen & {"script", "b", "i"}
    assert {"strong", "code", "a", "img", "table"} <= tags.seen
    assert "https://example.org/?a=1&b=2" in tags.sources
    assert "&lt;script&gt;" in html
    assert 'alt="caption with &quot; and &lt;"' in html


def test_bars_do_not_end_cells_in_markdown():
    markdown = as_markdown([STRANGE], 1, 0)
    rows = [line for line in markdown.splitlines() if line.startswith("|")]
    assert {len(re.split(r"(?<!\\)\|", row)) for row in rows} == {4, 6}


def test_all_results_are_on_the_page(page):
    markdown = page.read_text()
    assert len(re.findall("^## ", markdown, re.M)) == len(RESULTS) + 2
    assert len(re.findall("^> [*][*](Holds|In part|Does not hold)[.]", markdown, re.M)) == len(
        RESULTS
    )
    assert not re.search(r"\bnan\b|\binf\b", markdown)
    html = page.with_suffix(".html").read_text()
    tags = parsed(html)
    assert all(source.startswith(("data:image/png;base64,", "https://")) for source in tags.sources)
    for title in re.findall("^## (.*)", markdown, re.M):
        assert f"<h2>{title}</h2>" in html


def test_every_table_is_rectangular(page):
    width = None
    for line in page.read_text().splitlines():
        if line.startswith("|"):
            assert line.count("|") == (width or line.count("|"))
            width = line.count("|")
        else:
            width = None


@pytest.mark.parametrize("name", ["vectors", "potts", "errors", "noise", "starts", "lam"])
def test_pictures_show_something(page, name):
    path = page.parent / "paper" / f"{name}.png"
    assert f"](paper/{name}.png)" in page.read_text()
    assert path.stat().st_size < 150_000
    pixels = imread(path)[..., :3]
    assert pixels.shape[1] == 990
    for half in np.array_split(pixels, 2, axis=1):
        assert half.std() > 0.05
