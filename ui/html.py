"""HTML from templates in which every value is escaped, and the Gradio component that shows it.

Gradio compiles what stands in an `html_template` after Handlebars has filled it in, so `{{ text }}` would run
a text that reads `${…}`. A part's template is therefore the one word `${value}`, whose text is not compiled,
and the value is made here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradio as gr
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ui.reward import signed

_templates = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.filters["signed"] = signed


def render(template: str, **values: object) -> str:
    """The named template filled in; markup in a value comes out as text."""
    return _templates.get_template(template).render(**values)


def part(name: str, value: str = "", functions: list[Callable[..., Any]] | None = None) -> gr.HTML:
    """A piece of the page that `assets/js/parts.js` paints under this name.

    Args:
        value: Escaped HTML, from `render`.
        functions: Coroutines that the page's scripts may call, beside Gradio's queue and API.
    """
    return gr.HTML(
        value,
        elem_id=name,
        html_template="${value}",
        apply_default_css=False,
        padding=False,
        js_on_load=(
            "import(`${window.gradio_config.root}/bundle/${window.auditorium.bundle}/js/main.js`)"
            f".then((page) => page.adopt('{name}', element, props, server));"
        ),
        server_functions=functions,
    )
