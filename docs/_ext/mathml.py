"""Equations as MathML, which browsers draw by themselves: no script, no font, no network."""

from __future__ import annotations

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)

#: Commands that the converter does not know, and what they stand for.
SYNONYMS = {r"\dots": r"\ldots", r"\Big(": r"\left(", r"\Big)": r"\right)"}


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer, as ``html_math_renderer = "mathml"``."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def visit_inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write an equation within a sentence."""
    translator.body.append(convert(node, as_block=False))
    raise nodes.SkipNode


def visit_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write an equation on a line of its own."""
    translator.body.append(f'<div class="math">{convert(node, as_block=True)}</div>')
    raise nodes.SkipNode


def convert(node: nodes.Element, as_block: bool) -> str:
    """Convert the TeX of a node; what cannot be converted is a warning of the build."""
    text = node.astext()
    for command, synonym in SYNONYMS.items():
        text = text.replace(command, synonym)
    try:
        return str(tex2mathml(text, as_block=as_block))
    except MathError as error:
        logger.warning("%s in %r", error, text, location=node)
        return f"<code>{text}</code>"
