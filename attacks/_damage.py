"""What happens to bytes: some are changed, some are lost, some are added."""

from __future__ import annotations

import numpy as np

#: What looks plausible where it does not belong.
NASTY = (b"999999999", b"-1", b'\n,"', b"\x00", b"\xff\xff\xff\xff", b"nan", b"1e999", b"\r", b"{}")


def damaged(content: bytes, rng: np.random.Generator) -> bytes:
    """Return the bytes of a file after one to four accidents."""
    for _ in range(rng.integers(1, 5)):
        at = int(rng.integers(len(content) + 1))
        length = int(rng.integers(1, 5))
        new = rng.bytes(length) if rng.random() < 0.5 else NASTY[rng.integers(len(NASTY))]
        match rng.integers(6):
            case 0:
                content = content[:at] + new + content[at + len(new) :]
            case 1:
                content = content[:at]
            case 2:
                content = content[:at] + new + content[at:]
            case 3:
                content = content[:at] + content[at + length :]
            case 4:
                content = content[:at] + 3 * content[at : at + 20] + content[at:]
            case _ if at < len(content):
                flipped = content[at] ^ (1 << int(rng.integers(8)))
                content = content[:at] + bytes([flipped]) + content[at + 1 :]
    return content


def check_sentence(error: ValueError, name: str) -> None:
    """Demand one printable line that names the file, and is not a mere number or a word."""
    text = str(error)
    assert name in text, f"it does not name the file: {text!r}"
    assert text.isprintable(), f"it is not printable: {text!r}"
    assert len(text) < 700, f"it is too long: {text!r}"
    assert text.endswith("."), f"it is not a sentence: {text!r}"
