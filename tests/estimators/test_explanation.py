"""What drives the splits of a tree, as data and in words."""

import numpy as np
import pandas as pd
import pytest

from rankone import RankOneTree

WORDS = ["goal", "team", "match", "vote", "party", "law", "star", "orbit", "moon", "the", "of", "a"]


def documents():
    """Return counts of words in documents about sports, politics and space."""
    rng = np.random.default_rng(0)
    rates = np.full((3, 12), 0.1)
    for topic in range(3):
        rates[topic, 3 * topic : 3 * topic + 3] = 3.0
    rates[:, 9:] = 4.0
    return pd.DataFrame(rng.poisson(rates[np.arange(90) % 3]), columns=WORDS)


def gradient():
    """Return rows along a line, without groups."""
    rng = np.random.default_rng(0)
    return np.outer(np.linspace(-3, 3, 200), np.ones(10)) + rng.normal(scale=0.3, size=(200, 10))


def names(drivers):
    return {driver.name for driver in drivers}


TOPICS = [{*WORDS[:3]}, {*WORDS[3:6]}, {*WORDS[6:9]}]


def test_the_words_of_each_side_are_those_of_its_topics():
    model = RankOneTree().fit(documents())
    explained = model.explain()
    assert model.n_clusters_ == 3
    last = explained.splits[min(explained.splits)]  # of the two topics that are parted last
    assert names(last.lower[:3]) in TOPICS
    assert names(last.upper[:3]) in TOPICS
    root = model.explain(2 * model.n_leaves_ - 2)
    alone = next(side for side in (root.lower, root.upper) if names(side[:3]) in TOPICS)
    assert names(alone[:3]) not in (names(last.lower[:3]), names(last.upper[:3]))


def test_drivers_are_signed_and_ranked():
    split = RankOneTree().fit(documents()).explain().splits.popitem()[1]
    lower = [driver.difference for driver in split.lower]
    upper = [driver.difference for driver in split.upper]
    assert lower == sorted(lower)
    assert upper == sorted(upper, reverse=True)
    assert lower[-1] < 0.0 < upper[-1]
    assert sum(driver.share for driver in (*split.lower, *split.upper)) <= 1.0
    assert [WORDS[driver.index] for driver in split.upper] == [d.name for d in split.upper]


def test_differences_of_means_are_found_although_entries_are_missing():
    rng = np.random.default_rng(0)
    truth = np.arange(120) % 2
    a = (
        100.0
        + np.outer(truth, [5.0, -5.0, 5.0, -5.0, 0.0, 0.0, 0.0, 0.0])
        + rng.normal(size=(120, 8))
    )
    a[(rng.random(a.shape) < 0.3) & (truth == 1)[:, None]] = np.nan  # in one of the groups only
    model = RankOneTree(2).fit(a)
    scale = model.tree_.views.margins.scale
    drivers = scale * model.tree_.drivers(2 * model.n_leaves_ - 2)
    sign = 1.0 if model.labels_[1] == 1 else -1.0
    np.testing.assert_allclose(sign * drivers, [5, -5, 5, -5, 0, 0, 0, 0], atol=0.7)


def test_at_most_n_columns_are_named_on_each_side():
    split = RankOneTree().fit(documents()).explain(n=2).splits.popitem()[1]
    assert len(split.lower) == len(split.upper) == 2


def test_columns_without_names_are_numbered():
    split = RankOneTree().fit(documents().to_numpy()).explain().splits.popitem()[1]
    assert all(driver.name == str(driver.index) for driver in split.upper)


def test_columns_are_explained_by_rows():
    frame = documents().rename(index="d{}".format)
    split = RankOneTree(2, axis="columns").fit(frame).explain().splits.popitem()[1]
    assert {driver.name[0] for driver in (*split.lower, *split.upper)} == {"d"}
    assert "12 columns" in str(split)


def test_the_text_draws_the_tree_with_sizes_and_words():
    model = RankOneTree().fit(documents())
    *drawn, blank, summary = str(model.explain(n=3)).splitlines()
    assert drawn[0].startswith("90 rows | groups (p < 0.001, replication ")
    assert len(drawn) == 5
    assert blank == ""
    assert summary == "3 clusters: all are groups."
    for label in range(3):
        line = next(line for line in drawn if f"cluster {label}, 30 rows: " in line)
        assert {*line.split(": ")[1].split(", ")} in TOPICS


def test_the_tree_can_be_explained_beyond_its_clusters():
    model = RankOneTree(max_clusters=8).fit(documents())
    explained = model.explain(n_clusters=8)
    assert len(explained.splits) == 7
    assert sum(explained.sizes) == 90
    assert str(explained).count("cluster ") == 8


def test_a_split_in_words_has_its_nodes_and_sizes():
    model = RankOneTree().fit(documents())
    root = model.explain(2 * model.n_leaves_ - 2)
    first, *sides = str(root).splitlines()
    assert first.startswith(f"node {root.split.node}: 90 rows, groups (p < 0.001")
    for line, child, size in zip(sides, root.split.children, root.split.sizes, strict=True):
        assert line.startswith(f"  node {child}, {size} rows: ")


def test_sections_of_a_gradient_are_called_so():
    assert RankOneTree(3).fit(gradient()).summary() == (
        "3 clusters: all are sections of a gradient."
    )


def test_groups_and_sections_are_counted_apart():
    a = np.r_[gradient(), np.full((100, 10), 40.0)]
    a[200:] += np.random.default_rng(1).normal(scale=0.3, size=(100, 10))
    assert RankOneTree(3).fit(a).summary() == (
        "3 clusters: 1 is a group, 2 are sections of a gradient."
    )


def test_a_side_that_is_higher_nowhere_is_named_by_what_it_lacks():
    assert ": less of " in str(RankOneTree(2).fit(gradient()).explain())


def test_hostile_names_are_made_safe_to_show():
    frame = documents().rename(columns={"goal": "goal\x1b[31m", "team": "t" * 500})
    text = str(RankOneTree().fit(frame).explain())
    assert "\x1b" not in text
    assert "t" * 100 not in text


@pytest.mark.parametrize("node", [-1, 0, 19, 39])
def test_nodes_that_are_no_split_are_refused(node):
    model = RankOneTree().fit(documents())
    with pytest.raises(ValueError, match=r"node must be .*, but it is "):
        model.explain(node)


def test_a_tree_of_one_leaf_has_no_split_to_explain():
    model = RankOneTree().fit(np.ones((4, 3)))
    assert str(model.explain()) == "cluster 0, 4 rows\n\n1 cluster: the rows are not divided."
    with pytest.raises(ValueError, match="node must be None in a tree of one leaf"):
        model.explain(0)
