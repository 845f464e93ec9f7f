"""Equations as MathML, which browsers draw by themselves: no script, no font, no network."""

from __future__ import annotations

import re

from docutils import nodes
from latex2mathml.converter import convert as mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)

#: What the converter does not know, or sets too tightly.
REWRITTEN = {r"\arg": r"\operatorname{arg}", r"\log ": r"\log\,"}


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer, as ``html_math_renderer = "mathml"``."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def visit_inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write an equation within a sentence."""
    translator.body.append(convert(node, "inline"))
    raise nodes.SkipNode


def visit_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write an equation on a line of its own."""
    translator.body.append(f'<div class="math">{convert(node, "block")}</div>')
    raise nodes.SkipNode


def convert(node: nodes.Element, display: str) -> str:
    """Convert the TeX of a node; a command that is not known is a warning of the build."""
    text = node.astext()
    for command, replacement in REWRITTEN.items():
        text = text.replace(command, replacement)
    converted = str(mathml(text, display=display))
    unknown = re.search(r">(\\\w+)<", converted)
    if unknown:
        logger.warning("unknown command %s in %r", unknown.group(1), text, location=node)
    return converted
