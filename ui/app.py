"""The page as a whole: Blocks, its routes, and the mount into the server."""

from __future__ import annotations

import warnings

import gradio as gr
from fastapi import FastAPI
from starlette.routing import Mount

from instances.service import Service
from ui import bundle
from ui.desk import Desk
from ui.door import Door
from ui.pages import about, play, plots, reports, results, soon
from ui.pages.shell import PageSettings, shell
from ui.results.files import Downloads
from ui.results.kept import Shelves
from ui.theme import head, theme

PATH = "/ui"
SESSIONS = 256


def blocks(service: Service, settings: PageSettings) -> gr.Blocks:
    """All pages: Play with its API tab at the root, each other page under its own address."""
    with gr.Blocks(title="Auditorium", fill_width=True, analytics_enabled=False) as page:
        shell("play")
        play.build(Desk(service), service)
    shelves = Shelves(service, settings.results)
    for name, title, paint in (("reports", "Reports", reports.paint), ("plots", "Plots", plots.paint)):
        with page.route(title, f"/{name}", show_in_navbar=False):
            shell(name)
            results.build(name, paint, shelves)
    for name, title, build in soon.PAGES:
        with page.route(title, f"/{name}", show_in_navbar=False):
            shell(name)
            build(settings)
    with page.route("About", "/about", show_in_navbar=False):
        shell("about")
        about.build(settings, service.catalog)
    # With a Space's id Gradio loads fonts and an avatar from elsewhere when it is not framed.
    page.space_id = None
    # Gradio keeps something for every session that a caller names; the page needs none of it.
    page.state_session_capacity = SESSIONS
    return page


def mount(app: FastAPI, service: Service, settings: PageSettings = PageSettings()) -> FastAPI:  # noqa: B008 - frozen
    """Puts the page under `/ui`; call it after every other route is declared."""
    files = bundle.load()
    app.add_api_route(
        f"{PATH}/bundle/{{digest}}/{{path:path}}", files.answer, methods=["GET"], include_in_schema=False
    )
    for path, answer in Downloads(Shelves(service, settings.results)).routes:
        app.add_api_route(PATH + path, answer, methods=["GET"], include_in_schema=False)
    app.add_api_route("/favicon.ico", files.icon, methods=["GET"], include_in_schema=False)
    with warnings.catch_warnings():
        # Gradio says that several pages rule out a mode which is not asked for.
        warnings.filterwarnings("ignore", message="SSR mode is not supported")
        gr.mount_gradio_app(
            app,
            blocks(service, settings),
            path=PATH,
            ssr_mode=False,
            run_history=False,
            footer_links=[],
            show_error=False,
            theme=theme(),
            head=head(files.digest),
        )
    mounted = next(route for route in app.routes if isinstance(route, Mount) and route.path == PATH)
    mounted.app = Door(mounted.app, PATH)
    return app
