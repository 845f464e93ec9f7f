"""The page as one HTML file, with embedded pictures."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Sequence

from rankone.paper.page import TITLE, Bullets, Finding, Heading, Part, Picture, Table


def as_html(parts: Sequence[Part]) -> str:
    """Return the page as self-contained HTML."""
    body = [f"<h1>{TITLE}</h1>", *map(_html_part, parts)]
    return _FRAME.format(title=TITLE, style=_STYLE, body="\n".join(body))


def _html_part(part: Part) -> str:
    match part:
        case str():
            return f"<p>{_inline(part)}</p>"
        case Heading(text):
            return f"<h2>{_inline(text)}</h2>"
        case Finding(text):
            return f'<p class="finding">{_inline(text)}</p>'
        case Bullets(items):
            return f"<ul>{''.join(f'<li>{_inline(item)}</li>' for item in items)}</ul>"
        case Picture(_, png, caption):
            data, words = base64.b64encode(png).decode(), html.escape(caption)
            return f'<figure><img alt="{words}" src="data:image/png;base64,{data}"></figure>'
        case Table(header, rows, n_names):
            head = _html_row(header, "th", n_names)
            body = "".join(_html_row(row, "td", n_names) for row in rows)
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
