"""The runner of attack campaigns, and one case of every campaign that takes no time."""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
import pytest

from attacks import __main__ as command
from attacks import _running

#: Campaigns whose cases start processes of their own, which `make attack` has the time for.
SLOW = {"bombs", "kills"}


@pytest.fixture
def campaign(monkeypatch):
    """Register a campaign in which every case with a number above one half fails."""
    module = ModuleType("attacks.coin")

    def attack(rng: np.random.Generator) -> None:
        number = rng.random()
        assert number <= 0.5, f"the number is {number}"

    module.attack = attack
    monkeypatch.setitem(sys.modules, "attacks.coin", module)
    return "coin"


def test_failures_are_counted_with_the_case_that_repeats_them(campaign):
    tally = _running.run(campaign, seed=7, seconds=0.05)
    assert 0 < len(tally.failures) < tally.cases
    case, message = tally.failures[0]
    assert "the number is" in message
    with pytest.raises(AssertionError, match="the number is"):
        _running.run_case(campaign, 7, case)


def test_the_same_seed_draws_the_same_cases(campaign):
    first, second = (_running.run(campaign, seed=3, seconds=0.05) for _ in range(2))
    shared = min(first.cases, second.cases)
    cases = [[case for case, _ in tally.failures if case < shared] for tally in (first, second)]
    assert cases[0] == cases[1]


def test_helper_modules_are_not_campaigns():
    names = _running.campaigns()
    assert {"sorted_cuts", "fits", "symmetry", "files", "models"} <= set(names)
    assert not [name for name in names if name.startswith("_")]


def test_an_unknown_campaign_is_refused_by_name(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["attacks", "nonsense"])
    with pytest.raises(SystemExit, match="2"):
        command.main()
    assert "unknown campaign 'nonsense'; choose from" in capsys.readouterr().err


@pytest.mark.parametrize("name", sorted(set(_running.campaigns()) - SLOW))
def test_every_campaign_runs(name):
    _running.run_case(name, seed=0, case=0)
