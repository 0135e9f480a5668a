"""The web page: Gradio Blocks over the instance service.

Imports instances, the catalogue, scenes and the kernel; never the API. Nothing on it is fetched from another machine.
"""

import os

# Gradio reads these when it is imported, so they come first.
os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")

from ui.app import mount  # noqa: E402
from ui.pages.shell import PageSettings  # noqa: E402

__all__ = ["PageSettings", "mount"]
