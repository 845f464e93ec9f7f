import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from matplotlib.image import imread

from rankone.paper import RESULTS
from rankone.paper.page import Bullets, Picture, Section, Table, arrange, as_markdown
from rankone.paper.page_html import as_html

STRANGE = Section(
    "A <b> & title",
    "claim | with a bar",
    0.5,
    "1 < 2 & `code <i>`",
    [
        "text <script>alert(1)</script> and **bold** and [a link](https://example.org/?a=1&b=2)",
        Table(("", "x | y"), [("<td>", "1 | 2")]),
        Bullets(["an item <b>"]),
        Picture("name", b"\x89PNG", 'caption with " and <'),
    ],
)
PLAIN = Section("No claim", "", 0.0, "A finding.", ["text"], leads=True)


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
    html = as_html(arrange([STRANGE], 1, 0))
    tags = parsed(html)
    assert not tags.seen & {"script", "b", "i"}
    assert {"strong", "code", "a", "img", "table"} <= tags.seen
    assert "https://example.org/?a=1&b=2" in tags.sources
    assert "&lt;script&gt;" in html
    assert 'alt="caption with &quot; and &lt;"' in html


def test_bars_do_not_end_cells_in_markdown():
    markdown = as_markdown(arrange([STRANGE], 1, 0))
    rows = [line for line in markdown.splitlines() if line.startswith("|")]
    assert {len(re.split(r"(?<!\\)\|", row)) for row in rows} == {4, 6}


def test_sections_without_a_claim_have_no_verdict_and_may_come_first():
    markdown = as_markdown(arrange([STRANGE, PLAIN], 100, 0))
    assert markdown.index("## No claim") < markdown.index("## Summary")
    assert "Of 1 claim, 1 holds in part." in markdown
    assert "\n> A finding.\n" in markdown


@pytest.mark.parametrize(("draws", "said"), [(3, True), (100, False), (0, False)])
def test_verdicts_of_few_draws_are_said_to_be_that(draws, said):
    markdown = as_markdown(arrange([replace(STRANGE, draws=draws)], draws, 0))
    assert ("These are verdicts from 3 draws per cell" in markdown) is said
    assert f"> **In part** ({draws} draws)." in markdown
    assert f"**in part** ({draws} draws)" in markdown


def test_all_results_are_on_the_page(page):
    markdown = page.read_text()
    assert len(re.findall("^## ", markdown, re.M)) == len(RESULTS) + 2
    verdicts = re.findall(
        r"^> [*][*](Holds|In part|Does not hold)[*][*] [(](\d+ draws|one draw)[)][.]",
        markdown,
        re.M,
    )
    n_claims = int(re.search(r"^Of (\d+) claims", markdown, re.M).group(1))
    assert len(verdicts) == n_claims == 12
    assert not re.search(r"\bnan\b|\binf\b", markdown)
    html = page.with_suffix(".html").read_text()
    tags = parsed(html)
    assert all(source.startswith(("data:image/png;base64,", "https://")) for source in tags.sources)
    for title in re.findall("^## (.*)", markdown, re.M):
        assert f"<h2>{title}</h2>" in html


def test_the_first_table_has_the_shape_of_the_papers(page):
    markdown = page.read_text()
    first = markdown[markdown.index("\n## ") :]
    assert first.startswith("\n## Table 1\n")
    rows = [line for line in first.splitlines() if line.startswith("|")][:12]
    assert len(rows) == 2 + 2 * 5
    assert [row.split("|")[1].strip() for row in rows[3::2]] == ["ours"] * 5
    assert {row.count("|") for row in rows} == {1 + 8 + 1}
    assert rows[6].startswith("| **Fiedler** |")
    assert rows[6].endswith("| .694±.263 |")


def test_figures_have_the_numbers_of_the_paper(page):
    numbers = re.findall(r"^## Figure (\d)", page.read_text(), re.M)
    assert numbers == ["1", "2", "3", "4", "5", "6", "7"]


def test_every_table_is_rectangular(page):
    width = None
    for line in page.read_text().splitlines():
        if line.startswith("|"):
            assert line.count("|") == (width or line.count("|"))
            width = line.count("|")
        else:
            width = None


@pytest.mark.parametrize("name", ["scheme", "vectors", "potts", "errors", "noise", "starts", "lam"])
def test_pictures_show_something(page, name):
    path = page.parent / "paper" / f"{name}.png"
    assert f"](paper/{name}.png)" in page.read_text()
    assert path.stat().st_size < 150_000
    pixels = imread(path)[..., :3]
    assert pixels.shape[1] == 990
    for half in np.array_split(pixels, 2, axis=1):
        assert half.std() > 0.05
