"""The web page: Gradio Blocks over the instance service.

Imports evaluation's reports, instances, the catalogue, scenes and the kernel; never the API. Nothing on it
is fetched from elsewhere.
"""

import os

# Gradio reads these when it is imported, so they come first.
os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")

from ui.app import mount
from ui.pages.shell import PageSettings

__all__ = ["PageSettings", "mount"]
