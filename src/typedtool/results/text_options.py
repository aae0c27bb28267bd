"""Text options: ways to find JSON in a text. They are guesses, so each is off unless a tool asks for it (`text=`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, TypeAlias, get_args

from typedtool.results.result import ToolResult
from typedtool.values.keys import field_of

__all__ = ["TextOption", "alternatives", "text_options"]

TextOption: TypeAlias = Literal["any-block", "fenced", "prefixed", "resource"]
"""`"any-block"`: of several text blocks, the only one that decodes. `"fenced"`: the one fenced code block of a text.
`"prefixed"`: the JSON at the end of a text, after prose. `"resource"`: the one embedded resource of a JSON type."""

_FENCE = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)^[ \t]*```[ \t]*$", re.MULTILINE | re.DOTALL)
_STARTS = 20


def text_options(text: str | Sequence[str] | None) -> tuple[TextOption, ...]:
    """The options given as `text=`. ValueError for an unknown one."""
    given = () if text is None else (text,) if isinstance(text, str) else tuple(text)
    known: tuple[TextOption, ...] = get_args(TextOption)
    for option in given:
        if option not in known:
            raise ValueError(f"text={option!r}: expected one or several of {', '.join(map(repr, known))}")
    return tuple(option for option in known if option in given)


def alternatives(text: str, result: ToolResult, options: tuple[TextOption, ...]) -> tuple[str, ...]:
    """The texts that may be JSON, where `text` as a whole is not."""
    return tuple(_found(text, result, options)) if options else ()


def _found(text: str, result: ToolResult, options: tuple[TextOption, ...]) -> Iterator[str]:
    if "fenced" in options:
        fenced = _FENCE.findall(text)
        if len(fenced) == 1:
            yield fenced[0]
    if "prefixed" in options:
        starts = [m.start() for m in re.finditer(r"^[ \t]*[\[{]", text, re.MULTILINE)]
        starts += [m.start() for m in re.finditer(r"[\[{]", text)]
        yield from (text[start:] for start in list(dict.fromkeys(starts))[:_STARTS])
    if "resource" in options:
        resources = [
            r for block in result.content if block.type == "resource" and (r := _json_resource(block.raw))
        ]
        if len(resources) == 1:
            yield resources[0]


def _json_resource(block: Any) -> str:
    resource = field_of(block, "resource")
    mime, text = field_of(resource, "mime_type", "mimeType"), field_of(resource, "text")
    is_json = isinstance(mime, str) and (
        mime.split(";")[0].strip() == "application/json" or mime.endswith("+json")
    )
    return text if is_json and isinstance(text, str) else ""
