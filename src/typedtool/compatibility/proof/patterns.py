"""Forms of patterns: two are the same set only when they are the same text.

Python and ECMA-262 read a part of the language alike. In a larger part, Python matches more: its `\\d` and `\\w` know all
of Unicode, its `.` more line breaks, and its `$` also matches before a final line break.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from typedtool.compatibility.proof.forms import Form, Some, Text
from typedtool.schemas.engines import rust
from typedtool.schemas.patterns import translated

__all__ = ["longest_for_python", "pattern_text", "text_of_pattern"]

_ALIKE = re.compile(
    r"""\^?                                  # no $: Python's also matches before a final line break
    (?: [A-Za-z0-9_\-:/ ,@\#%&=!~'";<>]      # what stands for itself
      | \\[.\-/+*?()\[\]{}|^$]               # what is escaped
      | \[ \^? [A-Za-z0-9_.:/ ,@\#]+ (?: - [A-Za-z0-9_.]+ )* -? \]   # a class without escapes
      | \( (?!\?) | \(\?: | \) | \|          # groups
      | [+*?] | \{ \d+ (?: , \d* )? \}       # quantifiers
    )* """,
    re.VERBOSE,
)
_WIDER = re.compile(
    r"""\^?
    (?: [A-Za-z0-9_\-:/ ,@\#%&=!~'";<>.]
      | \\[.\-/+*?()\[\]{}|^$dw]
      | \[ (?: [A-Za-z0-9_.:/ ,@\#+] | \\[dw.\-/] )+ (?: - [A-Za-z0-9_.]+ )* -? \]
      | \( (?!\?) | \(\?: | \) | \|
      | [+*?] | \{ \d+ (?: , \d* )? \}
    )* \$? """,
    re.VERBOSE,
)
_POSSESSIVE = re.compile(r"[+*?}]\+")
_LONGEST_TRIED = 1_000


def text_of_pattern(pattern: str, *, python: bool) -> Form:
    """The form of a pattern, as Python's `re` reads it or as ECMA-262 does."""
    if not python or (_ALIKE.fullmatch(pattern) is not None and _POSSESSIVE.search(pattern) is None):
        return pattern_text(pattern)
    samples = _samples(pattern)
    test = _python(pattern)
    own = Text(("python", pattern), test, samples, "a pattern that Python reads otherwise than ECMA-262")
    wider = _WIDER.fullmatch(pattern) is not None and _POSSESSIVE.search(pattern) is None
    return Some((pattern_text(pattern), own)) if wider else own


def pattern_text(pattern: str) -> Text:
    """A pattern as ECMA-262 reads it (JSON Schema core, 6.4)."""
    return Text(("pattern", pattern), _ecma(pattern), _samples(pattern), "a pattern")


def longest_for_python(pattern: str) -> int:
    """The longest text to give to Python's matcher, which nothing can stop: short if it may backtrack without end."""
    nested = re.search(r"\)[*+{?]|\\[0-9]|\(\?", pattern) is not None
    return 20 if nested or sum(map(pattern.count, "*+")) > 3 else 200


def _python(pattern: str) -> Callable[[str], bool | None]:
    compiled = re.compile(pattern)

    def test(text: str) -> bool | None:
        return None if len(text) > longest_for_python(pattern) else compiled.search(text) is not None

    return test


def _ecma(pattern: str) -> Callable[[str], bool | None]:
    found: list[Callable[[str], bool]] = []

    def test(text: str) -> bool | None:
        if len(text) > _LONGEST_TRIED:
            return None
        try:
            found[:] = found or [rust.matcher(translated(pattern).text)]
            return found[0](text)
        except (ValueError, ImportError, rust.Exhausted):
            return None  # a pattern that no engine reads, no engine, or too many steps: not known

    return test


@functools.lru_cache(maxsize=256)
def _samples(pattern: str) -> tuple[str, ...]:
    """Strings that a simple pattern may match: the pattern with each class replaced by a member."""
    text = pattern
    text = re.sub(r"\\d", "1", text)
    text = re.sub(r"\\w", "a", text)
    text = re.sub(r"\\s", " ", text)
    text = re.sub(r"\[\^?\\?(.)[^\]]*\]", r"\1", text)
    text = re.sub(r"(.)\{(\d{1,2})(?:,\d*)?\}", lambda m: m[1] * int(m[2]), text)
    text = re.sub(r"[\^$+?*]|\\(?=[^A-Za-z0-9])|\(\?:|[()]", "", text)
    options = text.split("|")[:3]
    return tuple(dict.fromkeys([*options, pattern.strip("^$")]))[:4]
