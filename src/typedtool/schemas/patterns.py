r"""Patterns of ECMA-262 (JSON Schema core, 6.4), translated so that the regex engine matches the same texts.

The engine knows the classes, anchors and escapes of ECMA-262. Translated is what it refuses or reads otherwise: named
backreferences, `[^]`, the leniencies of Annex B (`\:`, `[\w-.]`, a `{` that opens no quantifier), characters that
have a meaning in a class for Rust alone, and Python's `(?P<name>...)`.
"""

from __future__ import annotations

import re

from msgspec import Struct

__all__ = ["Pattern", "translated"]


class Pattern(Struct, frozen=True):
    """A pattern for the engine: its `text`, and how an ambiguous original was read (`decided`), a sentence or ""."""

    text: str
    decided: str = ""


_TOKEN = re.compile(
    r"""
    (?P<named_reference> \\k<(?P<reference>[A-Za-z_$][\w$]*)> | \(\?P=(?P<python_reference>[A-Za-z_]\w*)\) )
  | (?P<escape> \\ (?: c[A-Za-z] | x[0-9A-Fa-f]{2} | u\{[0-9A-Fa-f]{1,6}\} | u[0-9A-Fa-f]{4}
        | [pP]\{[^{}]{1,80}\} | [0-9]{1,3} | . | $ ) )
  | (?P<named_group> \(\?P?<(?P<name>[A-Za-z_$][\w$]*)> )
  | (?P<group> \( (?: \?[a-zA-Z-]*: | \?<?[=!] )? )
  | (?P<quantifier> \{ [0-9]+ (?: , [0-9]* )? \} )
  | (?P<open> \[ \^? \]? )
  | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_SYNTAX = frozenset("^$\\.*+?()[]{}|/-")
_MEANINGFUL = frozenset("bBdDwWsSfnrtv0123456789cxupPk")
_SETS = frozenset("dDwWsSpP")


def translated(pattern: str) -> Pattern:
    r"""`pattern` translated for the engine. Raises `ValueError` for what is invalid or ambiguous, such as `\A`.

    Example:
        >>> translated(r"^(?<year>\d{4})-\k<year>$").text
        '^(\\d{4})-\\1$'
    """
    names = _group_names(pattern)
    by_name = bool(re.search(r"\\k<|\(\?P=", pattern))
    out: list[str] = []
    decided: list[str] = []
    at = 0
    while at < len(pattern):
        token = _TOKEN.match(pattern, at)
        if token is None:  # only a lone surrogate could be here, and a schema has none
            raise ValueError("it cannot be read")
        kind, text = token.lastgroup, token.group()
        if token.group("named_reference"):
            name = token.group("reference") or token.group("python_reference")
            if name not in names:
                raise ValueError(f"no group has the name of the backreference {text[:60]!r}")
            text = (
                f"(?:\\{names[name]})"
                if pattern[token.end() : token.end() + 1].isdigit()
                else f"\\{names[name]}"
            )
        elif token.group("named_group"):
            if text.startswith("(?P"):
                decided.append("a Python group (?P<name>...) is read as ECMA-262's (?<name>...)")
            text = (
                "(" if by_name else text.replace("(?P", "(?", 1)
            )  # metaschemas up to draft-07 refuse `(?P<`
        elif token.group("open"):
            text, at = _class(pattern, at)
            out.append(text)
            continue
        elif token.group("escape"):
            text = _escape(text)
        elif text == "{":
            text = "\\{"
        elif text == ".":
            text = "[^\\n\\r\\u2028\\u2029]"  # as later versions of the engine read it by themselves
        elif text == "(" and kind == "group" and pattern.startswith("(?", at):
            decided.append(f"{pattern[at : at + 8]!r} is not ECMA-262: it is read as Python and Rust read it")
        out.append(text)
        at = token.end()
    return Pattern("".join(out), "; ".join(dict.fromkeys(decided)))


def _group_names(pattern: str) -> dict[str, int]:
    """The number of each named group."""
    names: dict[str, int] = {}
    number = at = 0
    while at < len(pattern):
        token = _TOKEN.match(pattern, at)
        if token is None:
            break
        at = token.end()
        if token.group("open"):
            at = _class_end(pattern, token.start())
        elif token.group("named_group"):
            number += 1
            names[token.group("name")] = number
        elif token.group() == "(" and not pattern.startswith("?", at):
            number += 1
    return names


def _class_end(pattern: str, at: int) -> int:
    """Where the class that opens at `at` ends. `[]` and `[^]` are whole classes in ECMA-262."""
    at += 2 if pattern.startswith("[^", at) else 1
    while at < len(pattern) and pattern[at] != "]":
        at += 2 if pattern[at] == "\\" else 1
    return at + 1


def _class(pattern: str, start: int) -> tuple[str, int]:
    end = _class_end(pattern, start)
    negated = pattern.startswith("[^", start)
    body = pattern[start + (2 if negated else 1) : end - 1]
    if end > len(pattern):
        raise ValueError("a character class is not closed")
    if not body:
        return ("[\\s\\S]" if negated else "[^\\s\\S]"), end
    out: list[str] = []
    at, was_set = 0, False
    while at < len(body):
        token = _TOKEN.match(body, at)
        text = token.group() if token is not None and body[at] == "\\" else body[at]
        at += len(text)
        is_set = text[0] == "\\" and text[1:2] in _SETS
        if text == "\\b":
            text = "\\x08"
        elif text[0] == "\\":
            text = _escape(text)
        elif text in "[&~":
            text = "\\" + text  # Rust: a nested class, an intersection, a symmetric difference
        elif text == "-" and (was_set or (body[at : at + 1] == "\\" and body[at + 1 : at + 2] in _SETS)):
            text = "\\-"  # Annex B: a class such as \w is no end of a range
        out.append(text)
        was_set = is_set
    return "[" + ("^" if negated else "") + "".join(out) + "]", end


def _escape(text: str) -> str:
    letter = text[1:2]
    if letter in ("A", "Z", "z"):
        raise ValueError(f"\\{letter} is a letter in ECMA-262 and an anchor in Python: write ^ or $")
    if not letter or letter in _MEANINGFUL or letter in _SYNTAX:
        return text
    if letter.isascii() and letter.isalnum():
        raise ValueError(f"\\{letter} is not an escape of ECMA-262")
    return letter if letter.isalnum() or letter == "_" else re.escape(letter)
