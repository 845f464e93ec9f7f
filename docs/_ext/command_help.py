"""The directive ``command-help``: what ``rankone COMMAND --help`` prints, for all commands."""

from __future__ import annotations

import os
from argparse import _SubParsersAction

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from rankone.cli.commands import COMMANDS, build_parser


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class CommandHelp(SphinxDirective):  # type: ignore[misc]
    """A section for each command."""

    def run(self) -> list[nodes.Node]:
        """Return the sections, with help as wide as a page."""
        os.environ["COLUMNS"] = "90"
        (parsers,) = (
            dict(action.choices or ())
            for action in build_parser()._actions
            if isinstance(action, _SubParsersAction)
        )
        sections: list[nodes.Node] = []
        for name, summary in COMMANDS.items():
            section = nodes.section(ids=[f"rankone-{name}"])
            section += nodes.title(text=f"rankone {name}")
            section += nodes.paragraph(text=f"{summary[0].upper()}{summary[1:]}.")
            text = parsers[name].format_help().rstrip()
            section += nodes.literal_block(text, text, language="none")
            sections.append(section)
        return sections
