"""The page one plays on: the picker, and an instance with its two tabs."""

from __future__ import annotations

import gradio as gr

from instances.service import Service
from ui import api_panel
from ui.desk import Desk
from ui.html import part, render
from ui.painting import picker


def build(desk: Desk, service: Service) -> None:
    """Declares the parts; `assets/js/desk.js` says which of them are seen."""
    part("wire", functions=desk.functions())
    with gr.Column(elem_id="lobby"):
        part("picker", picker(desk.catalog))
        part("recent")
    with gr.Column(elem_id="table"):
        part("tabs", render("tabs.html"))
        with gr.Column(elem_id="tab-play"):
            part("line")
            with gr.Column(elem_id="cols"):
                part("scene", render("loading.html"))
                with gr.Column(elem_id="side"):
                    part("act")
                    part("reward")
                part("timeline")
        with gr.Column(elem_id="tab-api"):
            api_panel.build(service)
