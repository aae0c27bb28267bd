"""Compatibility of types and schemas, proved: `compare(Out, schema) -> Comparison`.

Both sides become forms, one language for sets of JSON values (`typeforms`, `schemaforms`, `forms`); whether the one lies
within the other is whether the one without the other is empty, which a search decides (`solving`). A witness is checked
by the real engines before anybody sees it.
"""

from __future__ import annotations

from typedtool.subsumption.comparing import compare
from typedtool.subsumption.verdicts import Comparison, Proved, Refuted, Unknown, Verdict

__all__ = ["Comparison", "Proved", "Refuted", "Unknown", "Verdict", "compare"]
