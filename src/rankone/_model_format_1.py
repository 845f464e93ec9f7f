"""Files of learners in their first format, of rankone 0.1, brought up to date."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.base import clone

from rankone._model_checks import Implausible
from rankone.cuts import Partition
from rankone.extraction import Scores
from rankone.preparation import Prepare
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
    prepare = _prepare(state)
    parameters = {key: state[key] for key in cls._get_param_names() if key in state}
    parameters["prepare"] = None if prepare is None else clone(prepare)
    kept = ("n_features_in_", "feature_names_in_", "row_names_in_")
    return (
        parameters
        | {key: state[key] for key in kept if key in state}
        | {"prepare_": prepare}
        | {"result_": _result(learned, state, _requests(cls, parameters), prepare)}
    )


def _prepare(state: dict[str, Any]) -> Prepare | None:
    """Return what the command line did to the entries, which it left as attributes."""
    log, scaling = state.get("logarithm_", False), state.get("scaling_")
    if not log and scaling is None:
        return None
    prepare = Prepare(
        log=log,
        standardise=None if scaling is None else "columns",
        missing=state.get("missing", "nan"),
    )
    prepare.n_features_in_ = state.get("n_features_in_")
    if scaling is not None:
        if not (isinstance(scaling, tuple) and len(scaling) == 2):
            raise Implausible("scaling_ makes no sense")
        prepare.mean_, prepare.scale_ = scaling
    return prepare


def _requests(cls: type[Any], parameters: dict[str, Any]) -> tuple[Request, Request]:
    try:
        requests: tuple[Request, Request] = cls(**parameters)._requests()
    except (ValueError, TypeError) as error:
        raise Implausible(str(error).rstrip(".")) from None
    return requests


def _result(
    learned: Learned,
    state: dict[str, Any],
    requests: tuple[Request, Request],
    prepare: Prepare | None,
) -> Result:
    pairs = (learned.scores, learned.partitions, learned.choices)
    if not all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
        raise Implausible("its result has not two sides")
    labels = learned.blocks.row_labels, learned.blocks.column_labels
    confidences = state.get("confidence_"), state.get("column_confidence_")
    rows, columns = (
        Side(*found) for found in zip(requests, *pairs, labels, confidences, strict=True)
    )
    described = "" if prepare is None else prepare.describe()
    return Result(rows, columns, learned.blocks, learned.refined, described)
