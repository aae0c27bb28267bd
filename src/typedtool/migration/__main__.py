"""`python -m typedtool.migration`: the same as `typedtool migrate`."""

from __future__ import annotations

from typedtool.migration.command import main

if __name__ == "__main__":
    raise SystemExit(main())
