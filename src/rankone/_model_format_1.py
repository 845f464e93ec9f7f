"""Files of learners in their first format, of rankone 0.1, brought up to date."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rankone._model_checks import Implausible
from rankone.cuts import Partition
from rankone.extraction import Scores
from rankone.refinement import BlockFit
from rankone.result import Request, Result, Side
from rankone.selection import Choice


@dataclass(frozen=True, eq=False)
class Learned:
    """The result of a fit, as the first format has it: a pair of everything."""

    scores: tuple[Scores, Scores]
    partitions: tuple[Partition, Partition]
    choices: tuple[Choice | None, Choice | None]
    blocks: BlockFit
    refined: bool


def upgraded(state: dict[str, Any], cls: type[Any]) -> dict[str, Any]:
    """Return parameters and fitted attributes as learners have them now; they are not yet checked.

    Parameters
    ----------
    state : dict
        Parameters and fitted attributes of the first format.
    cls : type
        The class of the learner.
    """
    learned = state.get("_learned")
    if not (isinstance(learned, Learned) and isinstance(learned.blocks, BlockFit)):
        raise Implausible("it has no result")
    parameters = {key: state[key] for key in cls._get_param_names() if key in state}
    kept = ("n_features_in_", "feature_names_in_", "row_names_in_")
    return (
        parameters
        | {key: state[key] for key in kept if key in state}
        | {"result_": _result(learned, state, _requests(cls, parameters))}
    )


def _requests(cls: type[Any], parameters: dict[str, Any]) -> tuple[Request, Request]:
    try:
        requests: tuple[Request, Request] = cls(**parameters)._requests()
    except (ValueError, TypeError) as error:
        raise Implausible(str(error).rstrip(".")) from None
    return requests


def _result(learned: Learned, state: dict[str, Any], requests: tuple[Request, Request]) -> Result:
    pairs = (learned.scores, learned.partitions, learned.choices)
    if not all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
        raise Implausible("its result has not two sides")
    labels = learned.blocks.row_labels, learned.blocks.column_labels
    confidences = state.get("confidence_"), state.get("column_confidence_")
    rows, columns = (
        Side(*found) for found in zip(requests, *pairs, labels, confidences, strict=True)
    )
    return Result(rows, columns, learned.blocks, learned.refined)
