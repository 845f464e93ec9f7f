"""Settings of Sphinx; ``make docs`` builds the site into ``build/site``."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

import rankone

project = "rankone"
author = copyright = "the rankone developers"
version = release = rankone.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "command_help",
    "elsewhere",
    "mathml",
    "named",
    "offline",
    "reference",
    "stacked",
]
exclude_patterns = ["_ext", "_templates", "**/sg_execution_times.rst", "sg_execution_times.rst"]
templates_path = ["_templates"]
nitpicky = True  # a name in single quotes must be one that the reference lists
nitpick_ignore_regex = [("py:obj", r"sklearn\..*")]
highlight_language = "none"
default_role = "py:obj"  # `SortedPotts` in a docstring is a link
html_math_renderer = "mathml"
smartquotes_action = "qe"  # quotes and ellipses; the two dashes of a flag stay two
toc_object_entries_show_parents = "hide"

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "attrs_block"]
myst_heading_anchors = 3

autosummary_generate = True
# Files whose names differ by case alone are one file on Windows and macOS.
autosummary_filename_map = {"rankone.report.Report": "rankone.report.Report_class"}
autodoc_typehints = "none"  # the docstrings say it in words
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    "within_subsection_order": "ordering.Order",
    "doc_module": ("rankone",),
    "reference_url": {"rankone": None},
    "backreferences_dir": "gallery/backreferences",
    "abort_on_example_error": True,
    "remove_config_comments": True,
    "image_srcset": ["2x"],
    "show_signature": False,
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "rankone"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_show_search_summary = False  # it fetches pages, which browsers refuse for files
html_sidebars = {"index": [], "coming": [], "paper": []}
html_theme_options = {
    "show_toc_level": 2,
    "navbar_align": "left",
    "navbar_persistent": ["search-button"],
    "header_links_before_dropdown": 6,
    "secondary_sidebar_items": {
        "*": ["page-toc"],
        "api/*": ["page-toc"],
        "gallery/*": [],
        "accuracy": [],
    },
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": True,
}
