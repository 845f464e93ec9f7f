"""The page: sections of words, tables and pictures, as Markdown and as one HTML file."""

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
    """A table of texts. The first `n_names` columns are names, the others figures."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    n_names: int = 1


@dataclass(frozen=True)
class Picture:
    """A picture, with the name of its file and what it shows in words."""

    name: str
    png: bytes
    caption: str


@dataclass(frozen=True)
class Section:
    """One result: what the paper says, how far it holds, and what shows it.

    Texts may contain ``code``, **bold** and links, as in Markdown.

    Attributes
    ----------
    title : str
    claim : str
        What the paper says, in a sentence.
    holds : float
        The share of comparisons in which it was found to be so; see `in_words`.
    finding : str
        What was found, in a sentence.
    parts : sequence of texts, tables and pictures
    """

    title: str
    claim: str
    holds: float
    finding: str
    parts: Sequence[str | Table | Picture]


TITLE = "The paper, reproduced"

#: From this share of comparisons on, a claim holds; from the other on, in part.
HOLDS, IN_PART = 0.9, 0.5

#: Why values need not agree, and in some cases cannot.
REASONS = (
    "**The parameters of D1 to D4 are not printed in the paper.** Its authors published parameters "
    "for data sets of the same names, sizes and shapes; these are used here "
    "(`rankone.datasets.PAPER`). Three things in the paper do not fit them: it calls the "
    "proportions of D3 equal (they are .5, .2, .1, .2 of the columns), calls D3 and D4 "
    "ill-separated (without noise, their groups stand far apart), and plots the row scores of D4 "
    "between 2.4 and 2.9 (they are between 1.5 and about 2.5).",
    "**The level of the white noise is not published.** The grid s = 0, 0.5, 1, 2, 3 of standard "
    "deviations is shown instead, and no level is picked afterwards. Noise makes negative entries, "
    "which the factorisation has no meaning for; the minimum of the matrix is subtracted first.",
    "**The rank-one factors with Kullback-Leibler loss are the marginals** on a complete matrix, "
    "in closed form and from every start. So `NMF` and `Marginal` give the same clusters here, and "
    "averaging 100 starts changes nothing. The paper's table shows differences between the two "
    "that its objective cannot explain.",
    "**Some draws cannot be identified from their marginals:** the column means of the first two "
    "groups of D3 are equal when 6/13 of the rows are in the first group. Such draws are counted "
    "(in the section of Table 1), not hidden, and not left out.",
    "**Errors are averaged over all draws.** Earlier papers averaged over those in which both "
    "numbers of clusters were right; the share of these stands beside every error.",
    "**What else the paper leaves open** is what our methods do by default, for all data alike: "
    "Gaussian similarities whose width follows from the mean distance (Fiedler and CCOT-GW), "
    "epsilon = 1, and the largest mean silhouette of 2 to 20 clusters. Nothing is tuned for a data "
    "set. Chosen by eye are the examples of the first two figures, which say so.",
)


def in_words(share: float) -> str:
    """Say how far a claim holds that was found to be so in a share of comparisons.

    Examples
    --------
    >>> [in_words(share) for share in (1.0, 0.6, 0.2)]
    ['holds', 'in part', 'does not hold']
    """
    return "holds" if share >= HOLDS else "in part" if share >= IN_PART else "does not hold"


def write(folder: Path, sections: Sequence[Section], draws: int, seed: int) -> Path:
    """Write the page and its pictures into a folder, and return the Markdown file.

    Parameters
    ----------
    folder : Path
    sections : sequence of Section
    draws : int
        How many draws the tables are made of; 0 if there are none.
    seed : int
        The random state of the first.
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
        "2020), computed anew, with the paper's values beside ours. Written by `rankone.paper` "
        f"(rankone {__version__}); figures show seed {seed}. What is said about them is computed "
        "from them."
    )
    if not draws:
        return text
    return text + (
        f" Tables are made of {draws} {'draw' if draws == 1 else 'draws'} of each data set and "
        f"level of noise, seeds {seed} to {seed + draws - 1}. One thing is *better* than another "
        "in a cell (a data set at a level of noise) if the mean difference on the same draws "
        "exceeds two standard errors and 0.001; of things that are equally good, one comparison in "
        "twenty would call one better by chance."
    )


def _verdict(sections: Sequence[Section]) -> str:
    """Count how many claims hold."""
    words = [in_words(section.holds) for section in sections]
    counts = ", ".join(
        f"{words.count(word)} {what}"
        for word, what in (
            ("holds", "hold" if words.count("holds") != 1 else "holds"),
            ("in part", "in part"),
            ("does not hold", "do not" if words.count("does not hold") != 1 else "does not"),
        )
        if word in words
    )
    return (
        f"Of {len(sections)} {'result' if len(sections) == 1 else 'results'}, {counts}: *holds* "
        f"means in {HOLDS:.0%} of the comparisons that a section makes, or more, *in part* in "
        f"{IN_PART:.0%} or more."
    )


def _summary(sections: Sequence[Section]) -> Table:
    return Table(
        ("", "the paper", "", "here"),
        [
            (section.title, section.claim, f"**{in_words(section.holds)}**", section.finding)
            for section in sections
        ],
        n_names=4,
    )


# Markdown


def as_markdown(sections: Sequence[Section], draws: int, seed: int) -> str:
    """Return the page as Markdown, with pictures in a folder ``paper`` beside it."""
    lines = [f"# {TITLE}", _introduction(draws, seed), "## In short"]
    lines += [_verdict(sections), _markdown_part(_summary(sections))]
    lines.append("## What differs, and why")
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
    """Return the page as HTML that needs no other file: pictures are part of it."""
    body = [f"<h1>{TITLE}</h1>", _html_part(_introduction(draws, seed)), "<h2>In short</h2>"]
    body += [_html_part(_verdict(sections)), _html_part(_summary(sections))]
    body.append("<h2>What differs, and why</h2><ul>")
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
    """Return a text with all special characters escaped, and its few marks as tags."""
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
