"""Where the shared material lies: other people's data, never kept in this repository."""

from __future__ import annotations

import os
import pathlib

ROOT = pathlib.Path(__file__).parents[2]


def find_shared() -> pathlib.Path | None:
    """The folder `shared`: `TYPEDTOOL_SHARED`, or beside the checkout; None where there is none."""
    places = [os.environ.get("TYPEDTOOL_SHARED"), ROOT / "../shared", ROOT / "../../shared"]
    found = [pathlib.Path(place).resolve() for place in places if place and pathlib.Path(place).is_dir()]
    return found[0] if found else None
