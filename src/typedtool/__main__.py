"""`python -m typedtool`: the command line."""

from __future__ import annotations

from typedtool.cli.main import main

raise SystemExit(main())
