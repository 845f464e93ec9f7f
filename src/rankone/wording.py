"""Words for messages: texts from files made safe to show, and numbers of things."""

from __future__ import annotations

from collections.abc import Iterable


def shown(text: str, length: int = 40) -> str:
    """Return a text from a file that is safe to show on a terminal: printable, and short."""
    kept = text if len(text) <= length else text[: length - 3]
    clean = "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in kept
    )
    return clean if len(text) <= length else clean + "..."


def without_middle(name: str, length: int) -> str:
    """Return a name without its middle, if it is long: many begin alike, or end alike.

    Examples
    --------
    >>> without_middle("Mean concentration of the control group", 17)
    'Mean co...l group'
    """
    if len(name) <= length:
        return shown(name, length)
    side = (length - 3) // 2
    start, end = (shown(part, side).strip() for part in (name[:side], name[-side:]))
    return f"{start}...{end}"


def quoted(text: str) -> str:
    """Return a text from a file in quotation marks."""
    return f'"{shown(text)}"'


def listed(texts: Iterable[str], most: int = 10, length: int = 40) -> str:
    """Return texts from a file, separated by commas; an ellipsis replaces those after `most`.

    Examples
    --------
    >>> listed(["a", "b", "c"], most=2)
    'a, b, ...'
    """
    short = [shown(text, length) for text in texts]
    return ", ".join(short[:most]) + (", ..." if len(short) > most else "")


def count(n: int, thing: str) -> str:
    """Return a number of things.

    Examples
    --------
    >>> count(1, "entry"), count(2, "entry"), count(3, "row")
    ('1 entry', '2 entries', '3 rows')
    """
    return f"{n} {thing if n == 1 else plural(thing)}"


def plural(thing: str) -> str:
    """Return what several things are called.

    Examples
    --------
    >>> plural("entry"), plural("wine"), plural("day")
    ('entries', 'wines', 'days')
    """
    ends_like_entry = thing.endswith("y") and thing[-2:-1] not in "aeiou"
    return thing[:-1] + "ies" if ends_like_entry else thing + "s"


def reason(error: BaseException) -> str:
    """Return the message of a library's error as one line that is safe to show."""
    message = str(getattr(error, "strerror", None) or error).strip()
    if len(message) > 1 and message[0] == message[-1] in "'\"":  # as those of missing keys
        message = message[1:-1]
    return shown(message.split("\n")[0].rstrip("."), 120)
