"""onnxruntime, which runs the small models, without its telemetry."""

from __future__ import annotations

import os
from typing import Any


def onnxruntime() -> Any:
    """The package. When it is imported it leaves an id of the machine in the user's cache folder, unless it is told before."""
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime as runtime

    return runtime
