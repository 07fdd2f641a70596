"""How Sphinx builds the site: `make docs` puts it into build/site."""

from quartermaster import __version__

project = "Quartermaster"
release = __version__
html_title = "Quartermaster"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
html_theme = "furo"
exclude_patterns = ["_build"]
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
add_module_names = False
# Drawings of GitHub's are shown as their text here. A link that leads nowhere fails the build.
suppress_warnings = ["misc.highlighting_failure"]
nitpicky = False
