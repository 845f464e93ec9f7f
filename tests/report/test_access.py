"""The page for everybody: by search, keys, touch, links, paper, and without scripts."""

import re

import numpy as np
import pytest

from rankone import RankOneCoclustering
from tests.report import models

SIZES = pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844)])


def colours_in(page, selector):
    """Return how many colours a canvas has."""
    return page.evaluate(
        """(selector) => {
          const canvas = document.querySelector(selector);
          const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
          const seen = new Set();
          for (let i = 0; i < data.length; i += 4) {
            seen.add(data[i] + 256 * data[i + 1] + 65536 * data[i + 2]);
          }
          return seen.size;
        }""",
        selector,
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@SIZES
def test_the_page_fits_the_screen(opened, scheme, width, height):
    page = opened(models.blocks().report(), width, height, scheme)
    assert colours_in(page, "#matrix") > 150
    assert colours_in(page, "#scale") > 20
    for side in ("rows", "columns"):
        assert page.locator(f"#{side}-curve circle").count() == 20
        assert len(page.get_attribute(f"#{side}-curve polyline", "points").split()) == 20
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.problems == []


def test_on_a_phone_sliders_stay_in_reach_and_the_legend_has_one_line(opened):
    page = opened(models.counts().report(), 390, 844, has_touch=True, is_mobile=True)
    for place in ("rows-words", "columns-words", "figure"):
        page.evaluate(f"document.getElementById('{place}').scrollIntoView(); scrollBy(0, 100)")
        for side in ("rows", "columns"):
            box = page.locator(f"#{side}-slider").bounding_box()
            assert 0 <= box["y"] < 200
            assert box["width"] > 120
    parts = page.locator(".legend > div").first.locator("> *:not([hidden])")
    tops = parts.evaluate_all(
        "all => all.map((x) => x.getBoundingClientRect()).map((b) => b.y + b.height / 2)"
    )
    assert max(tops) - min(tops) < 6
    assert page.locator(".hint.touch").is_visible()
    assert not page.locator(".hint.mouse").is_visible()
    table = page.locator("#blocks .scroll")
    assert table.evaluate("box => box.scrollWidth > 0 && box.clientWidth <= 390")


def test_on_a_phone_sliders_change_the_words_below_them(opened):
    page = opened(models.counts().report(), 390, 844, has_touch=True, is_mobile=True)
    words = page.locator("#rows-words").bounding_box()
    assert page.locator("#rows-slider").bounding_box()["y"] < words["y"] < 844
    page.tap("#rows-more")
    assert page.inner_text("#rows-heading").startswith("4 clusters")
    label = page.locator("label[for=columns-slider]")
    assert label.evaluate("text => text.scrollWidth <= text.clientWidth + 1")


def test_taps_show_values_and_zoom(opened):
    page = opened(models.blocks().report(), 390, 844, has_touch=True, is_mobile=True)
    page.evaluate("document.getElementById('figure').scrollIntoView({block: 'center'})")
    point = page.cell(150, 100)
    page.touchscreen.tap(*point)
    page.wait_for_selector("#tip", state="visible")
    assert "block mean" in page.inner_text("#tip")
    page.touchscreen.tap(*point)
    assert not page.evaluate("rankone.axes.some((axis) => axis.whole)")
    page.tap("#zoom-all")
    assert page.evaluate("rankone.axes.every((axis) => axis.whole)")


def test_keys_read_cells_and_zoom(opened):
    page, model = opened(models.blocks().report()), models.blocks()
    page.focus("#figure")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    units = page.evaluate("rankone.sides.map((side) => Array.from(side.unitMembers.slice(0, 2)))")
    spoken = page.inner_text("#spoken")
    assert f"row r{units[0][1]}: cluster 0" in spoken
    assert f"column c{units[1][1]}: cluster 0" in spoken
    assert re.search(r"value \S+|missing", spoken)
    assert page.locator("rect.cursor").count() == 1
    page.keyboard.press("Shift+ArrowDown")  # leaps to the next cluster
    first = page.evaluate("rankone.sides[0].unitMembers[rankone.sides[0].edges[1]]")
    assert f"row r{first}: cluster 1" in page.inner_text("#spoken")
    page.keyboard.press("Enter")
    share = np.bincount(model.row_labels_)[1] / 300
    low, high = page.evaluate("rankone.axes[0].window")
    assert high - low == pytest.approx(share)
    page.keyboard.press("0")
    assert page.evaluate("rankone.axes[0].whole")
    page.keyboard.press("+")
    assert page.evaluate("rankone.axes[0].window[1] - rankone.axes[0].window[0]") == pytest.approx(
        0.7
    )
    page.keyboard.press("Escape")
    assert page.locator("rect.cursor").count() == 0
    assert page.problems == []


def test_wheel_and_drag_move_the_picture(opened):
    page = opened(models.blocks().report())
    page.mouse.move(*page.cell(150, 100))
    page.mouse.wheel(0, -300)
    assert page.evaluate("rankone.axes[0].whole")  # the page scrolls, until the figure is chosen
    page.evaluate("scrollTo(0, 0)")
    page.focus("#figure")
    page.mouse.move(*page.cell(150, 100))
    page.mouse.wheel(0, -300)
    page.until("!rankone.axes[0].whole")
    before = page.evaluate("rankone.axes.map((axis) => axis.window[0])")
    page.mouse.down()
    page.mouse.move(*(x - 40 for x in page.cell(150, 100)), steps=3)
    page.mouse.up()
    after = page.evaluate("rankone.axes.map((axis) => axis.window[0])")
    assert after[0] > before[0]
    assert after[1] > before[1]


def test_search_finds_exact_names_first_and_shows_them(opened):
    rows, columns = ["r10", "r1", *models.ROWS[2:]], ["r1", *models.COLUMNS[1:]]
    model = RankOneCoclustering(2, 4).fit(models.FRAME.set_axis(rows).set_axis(columns, axis=1))
    page = opened(model.report())
    page.fill("#search", "r1")
    found = page.locator("#results button").all_inner_texts()
    assert found[0] == f"row r1: cluster {model.row_labels_[1]}"
    assert found[1] == f"column r1: cluster {model.column_labels_[0]}"
    assert found[2].startswith("row r10: ")
    page.fill("#search", "R17")
    found = page.locator("#results button").all_inner_texts()
    assert found[0] == f"row r17: cluster {model.row_labels_[17]}"
    page.keyboard.press("Enter")
    assert page.locator("text.found").first.text_content() == "r17"
    assert page.locator("rect.mark").count() == 1
    unit = page.evaluate("rankone.sides[0].units[17]")
    low, high = page.evaluate("rankone.axes[0].window")
    share = (unit + 0.5) / 300
    assert low < share < high
    if high < 1 and low > 0:
        assert (low + high) / 2 == pytest.approx(share, abs=0.01)
    assert page.evaluate(f"rankone.axes[0].at({unit + 1}) - rankone.axes[0].at({unit})") >= 11
    page.move("rows", 1)
    assert page.locator("#results button").first.inner_text() == "row r17: cluster 0"
    page.fill("#search", "1")
    assert "more rows" in page.inner_text("#results")
    page.fill("#search", "nobody")
    assert "no matching row or column" in page.inner_text("#results")
    page.fill("#search", "")
    assert page.locator("rect.mark").count() == 0


def test_a_link_shows_the_same(opened):
    page = opened(models.counts().report())
    page.move("rows", 5)
    page.select_option("#show", "means")
    page.select_option("#scale-of", "log")
    page.select_option("#sizing", "root")
    page.locator("#contrast").fill("1")
    page.click("#rows-words li:nth-child(2) .chip")
    page.click("text=Rename")
    page.fill("#new-name", "names & = # signs")
    page.keyboard.press("Enter")
    page.click("#zoom-in")
    page.until("location.hash.includes('see.columns')")
    fragment = page.evaluate("location.hash")
    again = opened(models.counts().report(), fragment=fragment)
    for each in ("#rows-words", "#rows-said", "#blocks-body", "#scale-high"):
        assert again.inner_text(each) == page.inner_text(each)
    assert again.input_value("#rows-slider") == "5"
    seen = "rankone.axes.map((axis) => axis.window)"
    np.testing.assert_allclose(again.evaluate(seen), page.evaluate(seen), atol=1e-5)
    texts = [each.locator("#overlay text").all_text_contents() for each in (page, again)]
    assert texts[0] == texts[1]
    for choice in ("show", "scale-of", "sizing", "contrast"):
        assert again.input_value(f"#{choice}") == page.input_value(f"#{choice}")
    assert again.problems == []


def test_addresses_that_are_not_understood_are_ignored(opened):
    fragment = (
        "#rows=99&columns=x&show=<b>&scale=cubic&contrast=0&size=huge&see.rows=2-1"
        "&select=rows.999&name.rows.3=" + "x" * 500 + "&nonsense"
    )
    page = opened(models.counts().report(), fragment=fragment)
    assert page.number("rows") == 3
    assert page.input_value("#scale-of") == "ratio"
    assert page.evaluate("rankone.axes.every((axis) => axis.whole)")
    assert page.problems == []


def test_without_scripts_there_are_words_a_picture_and_tables(opened):
    model = models.wine()
    page = opened(model.report(), java_script_enabled=False)
    assert "Enable scripts" in page.inner_text("#failed")
    assert not page.locator("#explore").is_visible()
    assert page.sentences("rows") == [cluster.words for cluster in model.explain().rows.clusters]
    assert not page.locator("#rows-download").is_visible()
    picture = page.locator("svg.static")
    assert picture.bounding_box()["width"] > 500
    texts = picture.locator("text").all_text_contents()
    assert {"0", "1", "2", "flavanoids"} <= set(texts)
    assert any(text.startswith("0 · color_intensity") for text in texts)
    assert picture.locator("path").count() > 30  # the trees
    blocks = page.locator("#blocks-body td").all_inner_texts()
    expected = [f"{mean:.4g}" for mean in model.block_values_.ravel()]
    assert [text.replace("\N{MINUS SIGN}", "-") for text in blocks] == expected
    chip = page.locator("#rows-words .chip").first
    assert chip.evaluate("x => getComputedStyle(x).backgroundColor") == "rgb(0, 114, 178)"
    page.locator("summary").first.click()
    assert str(model.row_tree_.n_clusters) in page.inner_text("pre")
    assert page.problems == []


def test_on_paper_there_are_no_controls_and_the_colours_are_light(opened):
    page = opened(models.wine().report(), scheme="dark")
    page.emulate_media(media="print")
    page.until("!rankone.scale.dark")
    for hidden in ("#rows-slider", ".toolbar", "#zoom-all", ".hint.mouse", "#rows-download"):
        assert not page.locator(hidden).first.is_visible()
    for shown in ("#rows-words", "#matrix", "#scale", "#blocks"):
        assert page.locator(shown).first.is_visible()
    assert len(page.pdf()) > 10_000


def test_in_a_notebook(browser, tmp_path):
    """The frame that notebooks show is the page, kept apart from the notebook."""
    shown = models.blocks().report()._repr_html_()
    (tmp_path / "notebook.html").write_text(f"<!doctype html><body>{shown}</body>")
    page = browser.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto((tmp_path / "notebook.html").as_uri())
    frame = page.frame_locator("iframe")
    frame.locator("html[data-ready=yes]").wait_for(timeout=20_000)
    frame.locator("#rows-slider").fill("4")
    assert frame.locator("#rows-heading").inner_text() == "4 clusters of rows"
    with page.expect_download() as download:
        frame.locator("#rows-download").click()
    assert download.value.suggested_filename == "rows.csv"
    with page.expect_download() as download:
        frame.locator("#save-png").click()
    assert download.value.suggested_filename == "clusters.png"
    assert problems == []
    page.close()


def test_damaged_pages_say_so(browser, tmp_path):
    html = models.blocks().report().html
    start = html.index('id="data">') + 500
    for content, why in (
        (html[: start + 1000], "truncated or damaged"),
        (html[:start] + "AAAAAAAA" + html[start + 8 :], "The file is damaged"),
    ):
        (tmp_path / "bad.html").write_text(content)
        page = browser.new_page()
        page.goto((tmp_path / "bad.html").as_uri())
        page.wait_for_function(f"document.getElementById('failed').innerText.includes('{why}')")
        assert page.locator("svg.static").is_visible()
        page.close()
    page = browser.new_page()
    page.add_init_script("delete window.DecompressionStream")
    (tmp_path / "old.html").write_text(html)
    page.goto((tmp_path / "old.html").as_uri())
    page.wait_for_selector("html[data-ready=failed]")
    assert "too old" in page.inner_text("#failed")
    page.close()


def test_without_scripts_clusters_of_many_columns_are_captioned_by_their_members(opened):
    model = models.counts()
    page = opened(model.report(), java_script_enabled=False)
    texts = page.locator("svg.static text").all_text_contents()
    captions = [text for text in texts if " · word" in text]
    columns = [text for text in captions if text.startswith("0 ·")][-1]
    members = np.array([f"word{j}" for j in range(90)])[model.column_labels_ == 0]
    assert {name.strip() for name in columns.partition("·")[2].split(",")} <= set(members)
