"""The packaged models as weights that can be trained on, read back from its file in 8 bits. Needs torch and onnx."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

Floats = NDArray[np.float32]

# In the order in which a layer multiplies.
_LAYER = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
_MULTIPLIED, _QUANTIZED = "onnx::MatMul_", "_quantized"
_PREFIX = "encoder."


def load_linker(net: Any, file: Path) -> None:
    """Puts a linker's weights, its heads' too, into a network of its shape. Raises ValueError where one is missing."""
    load_encoder(net.encoder, file)
    held = _held(file)
    _load_head(net.heads, held, "heads", "heads.weight")
    _load_head(net.tags, held, "tags", _multiplied(held)[-1])


def load_pair_model(net: Any, file: Path) -> None:
    """Puts a pair model's weights, its heads' too, into a network of its shape. Raises ValueError where one is missing."""
    load_encoder(net.encoder, file)
    held = _held(file)
    for name in ("actions", "links"):
        _load_head(getattr(net, name), held, name, f"{name}.weight")


def load_worth(net: Any, file: Path) -> None:
    """Puts a model of worth, its head too, into a network of its shape. Raises ValueError where one is missing."""
    load_encoder(net.encoder, file)
    _load_head(net.head, _held(file), "head", "head.weight")


def _load_head(head: Any, held: dict[str, Any], name: str, weight: str) -> None:
    whole = torch.tensor(_whole(held, weight).T.copy())
    head.load_state_dict({"weight": whole, "bias": torch.tensor(held[f"{name}.bias"])})


def load_encoder(encoder: Any, file: Path) -> None:
    """Puts a model's weights into an encoder of its shape. Raises ValueError where one of them is missing."""
    held = _held(file)
    state = {name.removeprefix(_PREFIX): each for name, each in held.items() if name.startswith(_PREFIX)}
    found = {name: each for name, each in state.items() if name in encoder.state_dict()}
    for name in encoder.state_dict():
        if name + _QUANTIZED in state:
            found[name] = _whole(state, name)
    for place, name in enumerate(_multiplied(held)[: len(_LAYER) * encoder.config.num_hidden_layers]):
        layer, part = divmod(place, len(_LAYER))
        found[f"encoder.layer.{layer}.{_LAYER[part]}.weight"] = _whole(held, name).T.copy()
    missing = encoder.state_dict().keys() - found.keys()
    if missing:
        raise ValueError(f"The file {file} lacks {', '.join(sorted(missing))}.")
    encoder.load_state_dict({name: torch.tensor(each.astype(np.float32)) for name, each in found.items()})


def _held(file: Path) -> dict[str, Any]:
    import onnx
    from onnx import numpy_helper

    return {each.name: numpy_helper.to_array(each) for each in onnx.load(str(file)).graph.initializer}


def _multiplied(held: dict[str, Any]) -> list[str]:
    """The names of the weights that are multiplied, in their order."""
    return sorted(
        (
            name.removesuffix(_QUANTIZED)
            for name in held
            if name.startswith(_MULTIPLIED) and name.endswith(_QUANTIZED)
        ),
        key=lambda name: int(name.removeprefix(_MULTIPLIED)),
    )


def _whole(held: dict[str, Any], name: str) -> Floats:
    """A weight as it was before it was put into 8 bits; one scale for the whole or one for each column."""
    weight = held[name + _QUANTIZED].astype(np.float32)
    return np.asarray((weight - held[f"{name}_zero_point"].astype(np.float32)) * held[f"{name}_scale"])
