"""The HTML page of a report: what can be read without scripts, the data, and the script."""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from rankone.contrasts import SideExplanation
from rankone.plotting.colours import COLOURS
from rankone.report.bundle import bundle
from rankone.report.payload import Payload
from rankone.report.sides import ReportSide
from rankone.report.templates import fill, resource
from rankone.typing import FloatArray
from rankone.wording import count, listed

__all__ = [
    "Page",
    "answer_of",
    "blocks_table",
    "control_of",
    "sentences_of",
    "tree_in_words",
]

#: The sum of the channels of a colour on which black can be read better than white.
BRIGHT = 380

#: The number of members that are named below a sentence; all of them, if they are few.
EXAMPLES, ALL = 3, 6


@dataclass(frozen=True)
class Page:
    """What a page consists of. All texts but the title and the subtitle are HTML.

    Attributes
    ----------
    kind : {"matrix", "vector"}
    title, subtitle : str
    answer : str
        The clusters in words.
    controls : str
        The sliders.
    figure : str
        The figure that the script draws, and what belongs to it.
    picture : str
        A picture that needs no script.
    below : str
        Tables below the figure.
    provenance : mapping
        How the result was obtained.
    """

    kind: str
    title: str
    subtitle: str
    answer: str
    controls: str
    figure: str
    picture: str
    below: str = ""
    provenance: Mapping[str, str] = field(default_factory=dict)

    def render(self, payload: Payload) -> str:
        """Return the page, which loads nothing from elsewhere and runs no script but its own."""
        style = resource("report.css") + chip_styles()
        script = bundle(self.kind)
        policy = "; ".join(
            (
                "default-src 'none'",
                f"script-src '{_hash(script)}'",
                f"style-src '{_hash(style)}'",
                "img-src data: blob:",
                "base-uri 'none'",
                "form-action 'none'",
            )
        )
        return fill(
            "page",
            policy=policy,
            style=style,
            script=script,
            kind=self.kind,
            title=html.escape(self.title),
            subtitle=html.escape(self.subtitle),
            answer=self.answer,
            controls=self.controls,
            figure=self.figure,
            picture=self.picture,
            below=self.below,
            provenance="".join(
                f"<dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd>"
                for name, text in self.provenance.items()
            ),
            data=base64.b64encode(payload.compressed).decode(),
        )


def chip_styles() -> str:
    """Return the colours of clusters as styles, for pages whose scripts do not run."""
    lines = []
    for i, colour in enumerate(COLOURS):
        bright = sum(int(colour[k : k + 2], 16) for k in (1, 3, 5)) > BRIGHT
        ink = "#000" if bright else "#fff"
        lines.append(f".colour-{i} {{ background: {colour}; color: {ink}; }}\n")
    return "".join(lines)


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def answer_of(side: ReportSide, sentences: Sequence[str]) -> str:
    """Return the clusters of a side in words: a sentence for each of them."""
    walk, sizes = side.walk, np.bincount(side.labels)
    clusters = []
    for label, sentence in enumerate(sentences):
        examples = ""
        if side.names is not None:
            few = sizes[label] <= ALL
            members = [side.names[i] for i in side.typical(label, ALL if few else EXAMPLES + 1)]
            names = listed(members, ALL if few else EXAMPLES, 28)
            such_as = "" if few else "such as "
            examples = f'\n<p class="faint examples">{such_as}{html.escape(names)}</p>'
        clusters.append(
            fill(
                "cluster",
                label=label,
                colour=label % len(COLOURS),
                size=html.escape(count(int(sizes[label]), side.thing)),
                sentence=html.escape(sentence),
                examples=examples,
            )
        )
    note = walk.answer.note
    return fill(
        "answer",
        what=side.what,
        heading=html.escape(f"{count(walk.chosen, 'cluster')} of {side.things}"),
        said=html.escape(f"{walk.reason}; {note}" if note else walk.reason),
        clusters="\n".join(clusters),
    )


def sentences_of(explanation: SideExplanation) -> list[str]:
    """Return what sets each cluster apart."""
    return [cluster.words for cluster in explanation.clusters]


def control_of(side: ReportSide) -> str:
    """Return the slider of a side; nothing if it has one stop only."""
    if len(side.walk.stops) == 1:
        return ""
    return fill("control", what=side.what, things=html.escape(side.things))


def blocks_table(means: FloatArray) -> str:
    """Return the means of the blocks as a table."""
    head = "<th>rows \\ columns</th>" + "".join(
        f'<th scope="col">{j}</th>' for j in range(means.shape[1])
    )
    body = "".join(
        f'<tr><th scope="row">{i}</th>'
        + "".join(f'<td class="number">{_number(mean)}</td>' for mean in row)
        + "</tr>"
        for i, row in enumerate(means)
    )
    return fill("blocks", head=head, body=body)


def _number(mean: float) -> str:
    return "\N{EN DASH}" if np.isnan(mean) else f"{mean:.4g}".replace("-", "\N{MINUS SIGN}")


def tree_in_words(what: str, words: str) -> str:
    """Return a tree as text, which opens on demand."""
    return fill("tree", what=what, words=html.escape(words))
