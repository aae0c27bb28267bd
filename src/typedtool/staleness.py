"""The public import path of `ListChanges`: see `typedtool.tools.staleness`."""

from typedtool.tools.staleness import ListChanges

__all__ = ["ListChanges"]
