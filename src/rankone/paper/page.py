"""The page: sections of text, tables and pictures, in one order, and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rankone.paper.words import REASONS, introduction


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
class Bullets:
    """A list of texts."""

    items: Sequence[str]


@dataclass(frozen=True)
class Heading:
    """The title of a section."""

    text: str


@dataclass(frozen=True)
class Finding:
    """What a section found, with the verdict on the paper's claim if there is one."""

    text: str


Part = str | Table | Picture | Bullets | Heading | Finding


@dataclass(frozen=True)
class Section:
    """One result: the paper's claim, how far it holds, and the evidence.

    Texts may contain ``code``, **bold** and links, as in Markdown.

    Attributes
    ----------
    title : str
    claim : str
        The paper's claim, in one sentence; empty if the section tests none.
    holds : float
        The share of comparisons that confirm the claim; see `in_words`.
    finding : str
        The result obtained here, in a few sentences.
    parts : sequence of texts, tables and pictures
        The evidence.
    draws : int
        The number of draws of each cell that the verdict is based on.
    leads : bool
        Whether the section comes before the summary.
    """

    title: str
    claim: str
    holds: float
    finding: str
    parts: Sequence[Part]
    draws: int = 1
    leads: bool = False

    @property
    def verdict(self) -> str:
        """How far the claim holds, and how many draws say so."""
        return f"**{in_words(self.holds)}** ({count_draws(self.draws)})"

    def content(self) -> list[Part]:
        """Return the parts of the section, from its heading to its finding."""
        finding = self.finding
        if self.claim:
            verdict = in_words(self.holds).capitalize()
            finding = f"**{verdict}** ({count_draws(self.draws)}). {finding}"
        return [Heading(self.title), *self.parts, *([Finding(finding)] if finding else [])]


TITLE = "The paper, reproduced"

#: The shares of comparisons from which on a claim holds, and holds in part.
HOLDS, IN_PART = 0.9, 0.5

#: With fewer draws, the page says that its verdicts are preliminary.
ENOUGH_DRAWS = 30


def in_words(share: float) -> str:
    """Describe how far a claim holds, given the share of comparisons that confirm it.

    Examples
    --------
    >>> [in_words(share) for share in (1.0, 0.6, 0.2)]
    ['holds', 'in part', 'does not hold']
    """
    return "holds" if share >= HOLDS else "in part" if share >= IN_PART else "does not hold"


def count_draws(number: int) -> str:
    """Return a number of draws in words."""
    return "one draw" if number == 1 else f"{number} draws"


def arrange(sections: Sequence[Section], draws: int, seed: int) -> list[Part]:
    """Return all parts of the page in order.

    Parameters
    ----------
    sections : sequence of Section
    draws : int
        The number of draws behind the tables, 0 if no result uses draws.
    seed : int
        The seed of the first draw.
    """
    parts: list[Part] = [introduction(draws, seed)]
    for section in sections:
        parts += section.content() if section.leads else []
    claims = [section for section in sections if section.claim]
    if claims:
        parts += [Heading("Summary"), _verdict(claims, draws), _summary(claims)]
    parts += [Heading("Why values may differ"), Bullets(REASONS)]
    for section in sections:
        parts += [] if section.leads else section.content()
    return parts


def _verdict(sections: Sequence[Section], draws: int) -> str:
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
    text = (
        f"Of {len(sections)} {'claim' if len(sections) == 1 else 'claims'}, {counts}. A claim "
        f"*holds* if at least {HOLDS:.0%} of the comparisons in its section confirm it, and holds "
        f"*in part* if at least {IN_PART:.0%} do. The number of draws behind each verdict is "
        "printed with it."
    )
    if 0 < draws < ENOUGH_DRAWS:
        text += (
            f" **These are verdicts from {count_draws(draws)} per cell**, for a first look: they "
            "may change with the 100 draws that the paper uses."
        )
    return text


def _summary(sections: Sequence[Section]) -> Table:
    return Table(
        ("", "claim of the paper", "", "result obtained here"),
        [(section.title, section.claim, section.verdict, section.finding) for section in sections],
        n_names=4,
    )


def as_markdown(parts: Sequence[Part]) -> str:
    """Return the page as Markdown, with pictures in a folder ``paper`` next to it."""
    return "\n\n".join([f"# {TITLE}", *map(_markdown_part, parts)]) + "\n"


def _markdown_part(part: Part) -> str:
    match part:
        case str():
            return part
        case Heading(text):
            return f"## {text}"
        case Finding(text):
            return f"> {text}"
        case Bullets(items):
            return "\n".join(f"- {item}" for item in items)
        case Picture(name, _, caption):
            return f"![{caption}](paper/{name}.png)"
        case Table(header, rows, n_names):
            marks = ["---" if i < n_names else "--:" for i in range(len(header))]
            lines = [_markdown_row(header), f"|{'|'.join(marks)}|"]
            return "\n".join(lines + [_markdown_row(row) for row in rows])


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
