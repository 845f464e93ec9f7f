"""What else is known of rows: classes, or numbers."""

import numpy as np
import pandas as pd
import pytest

from rankone.report.annotations import UNKNOWN, Track, read_tracks

LABELS = np.array([0, 0, 1, 1, 2, 2])


@pytest.mark.parametrize(
    ("values", "classes"),
    [
        (["a", "b", "a", None, "", "b"], ("a", "b")),
        ([1, 2, 1, 2, 1, 2], ("1", "2")),
        ([True, False, True, True, False, True], ("False", "True")),
        ([1.5, 2.0, np.nan, 0.0, 1.0, 2.0], None),
        (list(np.arange(6) * 10) * 3, ("0", "10", "20", "30", "40", "50")),
        (list(range(18)), None),
        ([None] * 6, ()),
    ],
)
def test_few_codes_and_texts_are_classes_and_others_numbers(values, classes):
    track = Track.of("x", values, np.resize(LABELS, len(values)))
    assert track.classes == classes
    if classes is None:
        np.testing.assert_allclose(track.values, np.array(values, np.float32))
    else:
        known = track.values != UNKNOWN
        assert [classes[code] for code in track.values[known]] == [
            str(value) for value in values if value not in (None, "")
        ]


def test_classes_have_the_colours_of_their_clusters():
    track = Track.of("x", ["c", "c", "a", "a", "b", "b"], LABELS)
    assert track.classes == ("a", "b", "c")
    assert track.colours == (1, 2, 0)


def test_frames_and_mappings_are_read():
    frame = pd.DataFrame({"kind": list("aabbcc"), "size": np.linspace(0, 1, 6)})
    for given in (frame, {"kind": list("aabbcc"), "size": np.linspace(0, 1, 6)}):
        kind, size = read_tracks(given, 6, LABELS, "row_annotations")
        assert (kind.name, size.name) == ("kind", "size")
        assert kind.classes == ("a", "b", "c")
        assert size.classes is None
    assert read_tracks(None, 6, LABELS, "row_annotations") == ()
    categories = pd.DataFrame({"kind": pd.Categorical([*"aabbc", None])})
    assert read_tracks(categories, 6, LABELS, "x")[0].values[-1] == UNKNOWN


def test_long_names_of_classes_are_cut():
    track = Track.of("x", ["y" * 10**6, *"abcde"], LABELS)
    assert max(map(len, track.classes)) == 200
