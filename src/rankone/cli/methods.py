"""Parse methods as they are written on the command line: ``nmf:beta=2``."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from rankone.cli.arguments import UsageError


def parse_method(text: str, methods: Mapping[str, Callable[..., Any]]) -> Any:
    """Return a method with its parameters, or its name if it has none.

    Parameters
    ----------
    text : str
        A known short name, which a colon and parameters, separated by commas, may follow.
    methods : mapping
        The methods by their short names.

    Examples
    --------
    >>> from rankone.methods import VECTORS
    >>> parse_method("nmf:beta=2", VECTORS)
    NMF(beta=2)
    >>> parse_method("nmf", VECTORS)
    'nmf'
    """
    name, _, rest = text.partition(":")
    if name not in methods:
        raise UsageError(f"{name} has no parameters; leave out {text.removeprefix(name)!r}.")
    make = methods[name]
    known, needed = _parameters(make)
    given = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key not in known:
            what = f"has no parameter {key!r}" if equals else f"cannot read {part!r}"
            raise UsageError(f"{name} {what}; it has {', '.join(known) or 'none'}.")
        given[key] = _value(value)
    if not set(needed) <= set(given):
        raise UsageError(f"{name} needs a parameter; give {name}:{needed[0]}=...")
    if not given:
        return name
    return make(**given) if isinstance(make, type) else make().set_params(**given)


def _parameters(make: Callable[..., Any]) -> tuple[list[str], list[str]]:
    """Return the names of the parameters of a method, and of those that must be given."""
    signature = inspect.signature(make if isinstance(make, type) else type(make()))
    named = signature.parameters
    needed = [key for key, parameter in named.items() if parameter.default is parameter.empty]
    return list(named), [key for key in needed if key != "n_clusters"]  # it has its own flag


def _value(text: str) -> Any:
    """Return a number, True, False or None, or the text itself."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
    return value if value is None or isinstance(value, (bool, int, float)) else text
