"""The page: sections of text, tables and pictures, as Markdown and as one HTML file."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rankone import __version__
from rankone._atomic import replacing


@dataclass(frozen=True)
class Table:
    """A table of texts, whose first `n_names` columns are names and the others figures."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    n_names: int = 1


@dataclass(frozen=True)
class Picture:
    """A picture, with the name of its file and a caption."""

    name: str
    png: bytes
    caption: str


@dataclass(frozen=True)
class Section:
    """One result: the paper's claim, how far it holds, and the evidence.

    Texts may contain ``code``, **bold** and links, as in Markdown.

    Attributes
    ----------
    title : str
    claim : str
        The paper's claim, in one sentence.
    holds : float
        The share of comparisons that confirm the claim; see `in_words`.
    finding : str
        The result obtained here, in a few sentences.
    parts : sequence of texts, tables and pictures
        The evidence.
    """

    title: str
    claim: str
    holds: float
    finding: str
    parts: Sequence[str | Table | Picture]


TITLE = "The paper, reproduced"

#: The shares of comparisons from which on a claim holds, and holds in part.
HOLDS, IN_PART = 0.9, 0.5

#: Why the values may differ from the published ones, and in some cases must.
REASONS = (
    "**The paper does not state the parameters of D1 to D4.** Its authors published parameters for "
    "data sets of the same names, sizes and shapes, which are used here "
    "(`rankone.datasets.PAPER`). Three statements in the paper do not fit them: that the "
    "proportions of D3 are equal (those of the columns are .5, .2, .1, .2), that D3 and D4 are "
    "ill-separated (without noise, their groups are far apart), and the row scores of D4, plotted "
    "between 2.4 and 2.9 (here, they lie between 1.5 and about 2.5).",
    "**The level of the white noise is not published.** All results are shown for standard "
    "deviations s = 0, 0.5, 1, 2, 3, and no level was selected afterwards. Noise leads to negative "
    "entries, for which the factorisation is not defined; the minimum of the matrix is subtracted "
    "first.",
    "**The rank-one factors with the Kullback-Leibler loss are the marginals** of a complete "
    "matrix, in closed form and from every start. `NMF` and `Marginal` therefore give the same "
    "clusters here, and averaging over 100 starts changes nothing. The paper's objective does not "
    "explain the differences between the two in its table.",
    "**Some draws cannot be identified from their marginals:** the column means of the first two "
    "groups of D3 are equal if 6/13 of the rows are in the first group. The number of such draws "
    "is given in the section on Table 1; they are included in all averages.",
    "**Errors are averaged over all draws.** Earlier papers averaged over the draws in which both "
    "numbers of clusters were correct; the share of these draws is shown with every error.",
    "**Settings that the paper does not specify** are the defaults of our methods, for all data "
    "sets: Gaussian similarities whose width is set by the mean distance (Fiedler and CCOT-GW), "
    "epsilon = 1, and the largest mean silhouette over 2 to 20 clusters. Nothing is tuned to a "
    "data set. Only the examples of the first two figures were selected by eye, as stated there.",
)


def in_words(share: float) -> str:
    """Describe how far a claim holds, given the share of comparisons that confirm it.

    Examples
    --------
    >>> [in_words(share) for share in (1.0, 0.6, 0.2)]
    ['holds', 'in part', 'does not hold']
    """
    return "holds" if share >= HOLDS else "in part" if share >= IN_PART else "does not hold"


def write(folder: Path, sections: Sequence[Section], draws: int, seed: int) -> Path:
    """Write the page and its pictures into a folder, and return the path of the Markdown file.

    Parameters
    ----------
    folder : Path
    sections : sequence of Section
    draws : int
        The number of draws behind the tables, 0 if no result uses draws.
    seed : int
        The seed of the first draw.
    """
    pictures = [part for section in sections for part in section.parts if isinstance(part, Picture)]
    if pictures:
        (folder / "paper").mkdir(exist_ok=True)
    files = {f"paper/{picture.name}.png": picture.png for picture in pictures}
    files["paper.html"] = as_html(sections, draws, seed).encode()
    files["paper.md"] = as_markdown(sections, draws, seed).encode()
    for name, content in files.items():
        with replacing(folder / name) as file:
            file.write(content)
    return folder / "paper.md"


def _introduction(draws: int, seed: int) -> str:
    text = (
        "The tables, figures and claims of "
        "[Rank-one partitioning](https://arxiv.org/abs/2009.00365) (Laclau, Iutzeler and Redko, "
        "2020), recomputed and compared with the published values. Written by `rankone.paper` "
        f"(rankone {__version__}); figures show seed {seed}. All statements about the results are "
        "computed from them."
    )
    if not draws:
        return text
    return text + (
        f" Tables are based on {draws} {'draw' if draws == 1 else 'draws'} of each data set at "
        f"each level of noise, with seeds {seed} to {seed + draws - 1}. A *cell* is a data set at "
        "a level of noise. One method is *better* than another in a cell if the mean difference on "
        "the same draws exceeds two standard errors and 0.001; if two methods are equally good, "
        "about one comparison in twenty differs by chance."
    )


def _verdict(sections: Sequence[Section]) -> str:
    """Count how many claims hold."""
    words = [in_words(section.holds) for section in sections]
    counts = ", ".join(
        f"{words.count(word)} {singular if words.count(word) == 1 else plural}"
        for word, singular, plural in (
            ("holds", "holds", "hold"),
            ("in part", "holds in part", "hold in part"),
            ("does not hold", "does not hold", "do not hold"),
        )
        if word in words
    )
    return (
        f"Of {len(sections)} {'claim' if len(sections) == 1 else 'claims'}, {counts}. A claim "
        f"*holds* if at least {HOLDS:.0%} of the comparisons in its section confirm it, and holds "
        f"*in part* if at least {IN_PART:.0%} do."
    )


def _summary(sections: Sequence[Section]) -> Table:
    return Table(
        ("", "claim of the paper", "", "result obtained here"),
        [
            (section.title, section.claim, f"**{in_words(section.holds)}**", section.finding)
            for section in sections
        ],
        n_names=4,
    )


# Markdown


def as_markdown(sections: Sequence[Section], draws: int, seed: int) -> str:
    """Return the page as Markdown, with pictures in a folder ``paper`` next to it."""
    lines = [f"# {TITLE}", _introduction(draws, seed), "## Summary"]
    lines += [_verdict(sections), _markdown_part(_summary(sections))]
    lines.append("## Why values may differ")
    lines.append("\n".join(f"- {reason}" for reason in REASONS))
    for section in sections:
        lines.append(f"## {section.title}")
        lines += [_markdown_part(part) for part in section.parts]
        lines.append(f"> **{in_words(section.holds).capitalize()}.** {section.finding}")
    return "\n\n".join(lines) + "\n"


def _markdown_part(part: str | Table | Picture) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Picture):
        return f"![{part.caption}](paper/{part.name}.png)"
    marks = ["---" if i < part.n_names else "--:" for i in range(len(part.header))]
    lines = [_markdown_row(part.header), f"|{'|'.join(marks)}|"]
    return "\n".join(lines + [_markdown_row(row) for row in part.rows])


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


# HTML


def as_html(sections: Sequence[Section], draws: int, seed: int) -> str:
    """Return the page as self-contained HTML, with embedded pictures."""
    body = [f"<h1>{TITLE}</h1>", _html_part(_introduction(draws, seed)), "<h2>Summary</h2>"]
    body += [_html_part(_verdict(sections)), _html_part(_summary(sections))]
    body.append("<h2>Why values may differ</h2><ul>")
    body += [f"<li>{_inline(reason)}</li>" for reason in REASONS]
    body.append("</ul>")
    for section in sections:
        body.append(f"<h2>{html.escape(section.title)}</h2>")
        body += [_html_part(part) for part in section.parts]
        finding = f"**{in_words(section.holds).capitalize()}.** {section.finding}"
        body.append(f'<p class="finding">{_inline(finding)}</p>')
    return _FRAME.format(title=TITLE, style=_STYLE, body="\n".join(body))


def _html_part(part: str | Table | Picture) -> str:
    if isinstance(part, str):
        return f"<p>{_inline(part)}</p>"
    if isinstance(part, Picture):
        data = base64.b64encode(part.png).decode()
        caption = html.escape(part.caption)
        return f'<figure><img alt="{caption}" src="data:image/png;base64,{data}"></figure>'
    head = _html_row(part.header, "th", part.n_names)
    body = "".join(_html_row(row, "td", part.n_names) for row in part.rows)
    table = f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"
    return f'<div class="table">{table}</div>'


def _html_row(cells: Sequence[str], tag: str, n_names: int) -> str:
    classes = ["" if i < n_names else ' class="figure"' for i in range(len(cells))]
    shown = (
        f"<{tag}{kind}>{_inline(cell)}</{tag}>" for cell, kind in zip(cells, classes, strict=True)
    )
    return f"<tr>{''.join(shown)}</tr>"


def _inline(text: str) -> str:
    """Escape a text and convert its inline Markdown to tags."""
    text = html.escape(text)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"\*(\w[^*]*)\*", r"<em>\1</em>", text)
    return re.sub(r"\[([^\]]+)\]\((https://[^)\s]+)\)", r'<a href="\2">\1</a>', text)


_FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""

_STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --line: #ddd; --shade: #f4f6f8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ddd; --paper: #16181b; --line: #3a3f45; --shade: #1f2327; }
}
body { max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink);
  background: var(--paper); font: 16px/1.55 system-ui, sans-serif; }
h1, h2 { line-height: 1.2; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
a { color: #0072b2; }
@media (prefers-color-scheme: dark) { a { color: #56b4e9; } }
code { background: var(--shade); padding: 0 .2em; border-radius: 3px; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .9rem; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
.figure { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tbody tr:nth-child(odd) { background: var(--shade); }
figure { margin: 1rem 0; }
img { max-width: 100%; background: #fff; border-radius: 6px; }
.finding { border-left: 4px solid #0072b2; padding: .4rem .8rem; background: var(--shade); }
"""
