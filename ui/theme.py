"""What every page's head carries and the Gradio theme beneath; the look itself is in `assets/css`."""

from __future__ import annotations

from gradio.themes import Base

STYLES = ("tokens", "base", "shell", "play", "talk", "api", "pages", "results")

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
    place = f"bundle/{digest}"
    styles = "".join(f'<link rel="stylesheet" href="{place}/css/{name}.css">' for name in STYLES)
    fonts = "".join(
        f'<link rel="preload" as="font" type="font/woff2" crossorigin href="{place}/fonts/{name}.woff2">'
        for name in ("plex-sans-400", "plex-sans-600", "plex-mono-400")
    )
    icon = f'<link rel="icon" type="image/svg+xml" href="{place}/icon.svg">'
    return f"{_EARLY % {'digest': digest}}{fonts}{styles}{icon}"


def theme() -> Base:
    """Gradio's plainest theme with our fonts; names only, so that nothing is fetched for it."""
    return Base(
        font=["IBM Plex Sans", "system-ui", "sans-serif"],
        font_mono=["IBM Plex Mono", "ui-monospace", "monospace"],
    )
