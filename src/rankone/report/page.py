"""The HTML page of a report, which contains the data and the script that draws it."""

from __future__ import annotations

import base64
import hashlib
import html
import struct
import zlib
from importlib.resources import files
from string import Template

import numpy as np
import numpy.typing as npt

from rankone.report.payload import N_CODES, Payload, decode_cells
from rankone.result import SIDES

#: The maximum number of cells per side of the static picture, shown if scripts are disabled.
STATIC = 600

_CONTROL = """<section class="panel" aria-label="Clusters of $what">
<h2>Clusters of $what</h2>
<div class="bar">
<button type="button" id="$what-fitted"></button>
<button type="button" id="$what-download" aria-label="Download labels of $what">
Download labels</button>
</div>
<label class="faint" for="$what-slider">Number of clusters of $what, $walk:</label>
<input type="range" id="$what-slider" min="0" max="1" step="1" value="0">
<p id="$what-said"></p>
<svg class="choice" id="$what-curve" role="img"
aria-label="Criterion for each number of clusters of $what"></svg>
</section>
"""

_TABLE = """<div>
<h2>Members of the clusters of $what</h2>
<div class="scroll"><table>
<thead><tr><th>cluster</th><th class="number">size</th><th class="number">mean score</th>
<th>typical members</th></tr></thead>
<tbody id="$what-table"></tbody>
</table></div>
</div>
"""


def render_page(payload: Payload, title: str, subtitle: str, provenance: dict[str, str]) -> str:
    """Return the page, which loads nothing from elsewhere and runs no script but its own.

    Names from the data occur only in the compressed block; all other texts are escaped.
    """
    style, script = (_resource(name) for name in ("report.css", "report.js"))
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
    return Template(_resource("page.html")).substitute(
        policy=policy,
        style=style,
        script=script,
        title=html.escape(title),
        subtitle=html.escape(subtitle),
        units=html.escape(_units(payload)),
        controls="".join(
            Template(_CONTROL).substitute(what=what, walk=side["walk"])
            for what, side in zip(SIDES, payload.header["sides"], strict=True)
        ),
        tables="".join(Template(_TABLE).substitute(what=what) for what in SIDES),
        provenance="".join(
            f"<dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd>"
            for name, text in provenance.items()
        ),
        picture="data:image/png;base64," + base64.b64encode(static_picture(payload)).decode(),
        data=base64.b64encode(payload.compressed()).decode(),
    )


def _resource(name: str) -> str:
    return (files("rankone.report") / name).read_text("utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _units(payload: Payload) -> str:
    sizes = [
        payload.arrays[f"{what}/units"].size / side["unit_count"]
        for what, side in zip(SIDES, payload.header["sides"], strict=True)
    ]
    if max(sizes) == 1:
        return ""
    return (
        f"The matrix is large: each cell is the mean of about {sizes[0]:.3g} rows x {sizes[1]:.3g} "
        "columns with the same label and similar scores."
    )


def static_picture(payload: Payload) -> bytes:
    """Return a PNG of the cells, ordered by the fitted labels, then by score."""
    orders, edges, sizes = [], [], []
    for what, side in zip(SIDES, payload.header["sides"], strict=True):
        units, labels = payload.arrays[f"{what}/units"], payload.arrays[f"{what}/labels"]
        count = np.bincount(units, minlength=side["unit_count"])
        label, score = (
            np.bincount(units, values, side["unit_count"]) / count
            for values in (labels, payload.arrays[f"{what}/scores"])
        )
        orders.append(np.lexsort((score, label)))
        size = min(STATIC, count.size)
        edges.append(np.arange(size) * count.size // size)
        sizes.append(max(1, round(STATIC / 2 / size)))  # pixels per cell
    shape = [side["unit_count"] for side in payload.header["sides"]]
    codes = payload.arrays["cells"].reshape(shape)[np.ix_(*orders)]
    colours = _colours(payload)[codes].astype(float)
    for axis, starts in enumerate(edges):
        widths = np.diff(starts, append=colours.shape[axis])
        wide = widths[:, None, None] if axis == 0 else widths[:, None]
        colours = np.add.reduceat(colours, starts, axis=axis) / wide
    pixels = colours.round().astype(np.uint8)
    return png(pixels.repeat(sizes[0], axis=0).repeat(sizes[1], axis=1))


def _colours(payload: Payload) -> npt.NDArray[np.uint8]:
    """Return the colour of each code."""
    numbers = np.nan_to_num(decode_cells(payload.header["values"]))
    (low, high), anchors = payload.header["limits"], np.array(payload.header["colours"], float)
    at = np.clip((numbers - low) / (high - low), 0, 1) if high > low else np.full(numbers.size, 0.5)
    places = np.linspace(0, 1, len(anchors))
    colours = np.column_stack([np.interp(at, places, channel) for channel in anchors.T])
    colours[N_CODES] = 187
    return colours.round().astype(np.uint8)


def png(pixels: npt.NDArray[np.uint8]) -> bytes:
    """Encode pixels of shape (height, width, 3) as a PNG file."""
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each row starts with filter type 0, "none"
    rows[:, 1:] = pixels.reshape(height, -1)

    def chunk(kind: bytes, content: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + content))
        return struct.pack(">I", len(content)) + kind + content + check

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", header),
            chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)),
            chunk(b"IEND", b""),
        )
    )
