"""Every tool that a server lists, through every client: `list_tools(client) -> Listing`."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct

from typedtool.clients.calls import method_of, parameters_of, session_of, through
from typedtool.clients.faults import refusal
from typedtool.errors import TypedToolError, named
from typedtool.values.guards import is_list
from typedtool.values.keys import field_of

__all__ = ["Listing", "list_tools"]

_NOTES = 20


class Listing(Struct, frozen=True):
    """What `tools/list` gave, over all pages.

    tools: the SDK's models or wire dicts, as they came; the first of each name.
    conflicts: the names that are listed more than once, with different definitions.
    fault: what stopped the listing, None where it was read to its end. What was read before stays in `tools`.
    notes: what was odd about it, in sentences.
    """

    tools: tuple[object, ...] = ()
    fault: Exception | None = None
    notes: tuple[str, ...] = ()
    conflicts: frozenset[str] = frozenset()


async def list_tools(
    client: object, *, refresh: bool = False, max_pages: int = 100, max_tools: int = 10_000
) -> Listing:
    """Every tool that the server lists, all pages, never more than `max_pages` and `max_tools`.

    refresh: past the cache of a client that has one. A listing that fails gives `fault` and what was read
    before it; cancellation passes through.
    """
    page_of = _pages(client, refresh)
    tools: dict[str, object] = {}
    notes: list[str] = []
    conflicts: set[str] = set()
    seen: set[str] = set()
    cursor: str | None = None
    for _ in range(max_pages):
        try:
            page = await page_of(cursor)
            _add(_tools_of(page), tools, notes, conflicts, max_tools)
            cursor = _cursor_of(page)
        except Exception as fault:
            why = refusal(fault, client)
            said = (*notes, why) if why else tuple(notes)
            return Listing(tuple(tools.values()), fault, said, frozenset(conflicts))
        if cursor is None or len(tools) >= max_tools:
            break
        if cursor in seen:
            notes.append(f"the server gave the cursor {named(cursor)} twice: the listing ends there")
            break
        seen.add(cursor)
    else:
        notes.append(f"the listing was left after {max_pages} pages with more to come")
    return Listing(tuple(tools.values()), None, tuple(notes), frozenset(conflicts))


def _add(
    found: list[Any], tools: dict[str, object], notes: list[str], conflicts: set[str], max_tools: int
) -> None:
    for tool in found:
        name = field_of(tool, "name")
        if not isinstance(name, str):
            _note(notes, "a tool without a name was left out")
        elif name in tools:
            if tools[name] != tool:
                conflicts.add(name)
                _note(notes, f"tool {named(name)} is listed twice, differently: the first is kept")
        elif len(tools) >= max_tools:
            notes.append(f"the listing was cut at {max_tools} tools")
            return
        else:
            tools[name] = tool


def _note(notes: list[str], note: str) -> None:
    if len(notes) < _NOTES:
        notes.append(note)


def _pages(client: object, refresh: bool) -> Callable[[str | None], Awaitable[Any]]:
    """A function that gives the page behind a cursor (None: the first)."""
    session = session_of(client)
    candidates = [
        getattr(owner, name)
        for owner, name in ((client, "list_tools_mcp"), (client, "list_tools"), (session, "list_tools"))
        if callable(getattr(owner, name, None))
    ]
    if not candidates:
        method_of(client, "list_tools")
    # FastMCP's own list_tools pages by itself, and raises where a page fails; list_tools_mcp of FastMCP 2
    # takes no cursor. Either way the next candidate does.
    function = next((f for f in candidates if parameters_of(f) & {"cursor", "params"}), candidates[0])
    accepted = parameters_of(function)
    always = {"cache_mode": "refresh"} if refresh and "cache_mode" in accepted else {}

    async def page_of(cursor: str | None) -> Any:
        if cursor is None:
            return await through(session, None, function, **always)
        if "params" in accepted:
            return await through(session, None, function, params=_page_params(cursor), **always)
        if "cursor" in accepted:
            return await through(session, None, function, cursor=cursor, **always)
        raise TypedToolError(
            f"{type(client).__name__}.list_tools takes no cursor: only the first page was read"
        )

    return page_of


def _page_params(cursor: str) -> Any:
    types = sys.modules.get("mcp_types") or sys.modules["mcp.types"]
    return types.PaginatedRequestParams(cursor=cursor)


def _tools_of(page: Any) -> list[Any]:
    tools = page if is_list(page) else field_of(page, "tools")
    if not is_list(tools):
        raise TypedToolError("the answer to tools/list holds no list of tools")
    return tools


def _cursor_of(page: Any) -> str | None:
    cursor = None if is_list(page) else field_of(page, "next_cursor", "nextCursor")
    if cursor is not None and not isinstance(cursor, str):
        raise TypedToolError("the cursor of the tools/list page is not a string")
    return cursor or None  # servers that do not leave out empty fields end with ""
