"""The public import path of `AllowHosts`: see `typedtool.schemas.fetching`."""

from typedtool.schemas.fetching import AllowHosts

__all__ = ["AllowHosts"]
