"""``rankone score``: labels compared with the truth."""

import numpy as np
import pandas as pd
import pytest

from rankone.datasets import make_paper
from tests.cli.running import failure, printed_json, run


@pytest.fixture
def truth():
    """Return the labels in ``rows.csv``; those of columns are in ``columns.csv``."""
    blocks = make_paper("D3", random_state=4)
    tables = []
    for side, labels in (("rows", blocks.row_labels), ("columns", blocks.column_labels)):
        names = [f"{side}{i}" for i in range(labels.size)]
        tables.append(pd.DataFrame({"name": names, "label": labels}))
        tables[-1].to_csv(f"{side}.csv", index=False)
    return tables[0]


def test_labels_in_another_order_are_matched_by_name(truth, capsys):
    truth.sample(frac=1, random_state=0).to_csv("mixed.csv", index=False)
    scores = printed_json(capsys, "score mixed.csv rows.csv --json")
    assert scores["rows"] == {
        "n": 300, "clusters": 2, "classes": 2, "nmi": 1.0, "ari": 1.0, "error": 0.0,
    }  # fmt: skip


def test_columns_give_the_scores_of_the_coclustering(truth, capsys):
    line = "score rows.csv rows.csv --columns columns.csv columns.csv --json"
    assert printed_json(capsys, line)["co-clustering"] == {"error": 0.0, "ari": 1.0}


def test_wrong_labels_cost_their_share(truth, capsys):
    wrong = truth.copy()
    wrong.loc[:29, "label"] = 1 - wrong.label[:30]
    wrong.to_csv("wrong.csv", index=False)
    assert printed_json(capsys, "score wrong.csv rows.csv --json")["rows"][
        "error"
    ] == pytest.approx(0.1)


def test_some_of_the_named_labels_are_enough(truth, capsys):
    truth.iloc[:5].to_csv("few.csv", index=False)
    run("score few.csv rows.csv")
    assert "n 5" in capsys.readouterr().out


def test_a_name_without_a_true_label_is_refused(truth, capsys):
    truth.iloc[:5].to_csv("few.csv", index=False)
    assert 'few.csv: it has no label for "rows5"' in failure(capsys, "score rows.csv few.csv")


def test_labels_without_names_are_matched_by_order(truth, capsys):
    truth.label.to_csv("unnamed.csv", index=False)
    assert printed_json(capsys, "score unnamed.csv rows.csv --json")["rows"]["error"] == 0.0


def test_labels_without_names_must_be_equally_many(truth, capsys):
    truth.label[:7].to_csv("short.csv", index=False)
    assert "300 labels, but short.csv has 7" in failure(capsys, "score short.csv rows.csv")


def test_repeated_names_are_refused(truth, capsys):
    pd.concat([truth, truth[:1]]).to_csv("twice.csv", index=False)
    assert "twice.csv: some names are repeated" in failure(capsys, "score rows.csv twice.csv")


def test_a_table_without_a_column_of_labels_names_the_flag(capsys):
    pd.DataFrame({"name": ["a", "b"], "x": np.arange(2)}).to_csv("t.csv", index=False)
    assert "choose the column of labels by --column" in failure(capsys, "score t.csv t.csv")
