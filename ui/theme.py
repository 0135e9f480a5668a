"""What every page's head carries and the Gradio theme beneath; the look itself is in `assets/css`."""

from __future__ import annotations

import gradio as gr

STYLES = ("tokens", "base", "shell", "play", "pages")

# Runs before anything is painted: a page that is light first and dark then hurts.
_EARLY = """<script>
window.auditorium = { bundle: "%(digest)s" };
(() => {
  let kept = null;
  try { kept = localStorage.getItem("auditorium:theme"); } catch { /* storage is off */ }
  const dark = kept ? kept === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
</script>"""


def head(digest: str) -> str:
    """The elements for the document's head; addresses are relative to the page's base."""
    styles = "".join(f'<link rel="stylesheet" href="bundle/{digest}/css/{name}.css">' for name in STYLES)
    fonts = "".join(
        f'<link rel="preload" as="font" type="font/woff2" crossorigin href="bundle/{digest}/fonts/{name}.woff2">'
        for name in ("plex-sans-400", "plex-sans-600", "plex-mono-400")
    )
    return f'{_EARLY % {"digest": digest}}{fonts}{styles}<meta name="color-scheme" content="light dark">'


def theme() -> gr.themes.Base:
    """Gradio's plainest theme with our fonts; names only, so that nothing is fetched for it."""
    return gr.themes.Base(
        font=["IBM Plex Sans", "system-ui", "sans-serif"],
        font_mono=["IBM Plex Mono", "ui-monospace", "monospace"],
    )
