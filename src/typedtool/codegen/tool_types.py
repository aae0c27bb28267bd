"""A tool's two types, read from its definition: `read_tool(definition) -> ToolTypes`."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import UNSET, Struct

from typedtool.codegen.reading import Reader
from typedtool.codegen.scalars import Formats
from typedtool.codegen.type_tree import ANYTHING, Map, Note, RecordRef, Side, Type, records_in
from typedtool.codegen.unions import normalized
from typedtool.errors import BudgetExceeded, SchemaError, cut
from typedtool.results.definitions import Definition
from typedtool.schemas.schema import Schema, parse_schema
from typedtool.values.budgets import DEFAULT_BUDGET, Budget

__all__ = ["ToolTypes", "read_tool"]


class ToolTypes(Struct):
    """What a tool takes and gives.

    input: None where it takes no argument.
    unwrapped: the output is what the server sends inside of `{"result": ...}`.
    nodes: schemas that were read for both.
    """

    name: str
    description: str
    input: Type | None
    output: Type
    notes: tuple[Note, ...]
    unwrapped: bool = False
    nodes: int = 0

    @property
    def roots(self) -> tuple[Type, ...]:
        """Both types, without the None."""
        return (self.output,) if self.input is None else (self.input, self.output)


def read_tool(
    definition: Definition,
    *,
    formats: Formats = "exact",
    inputs: bool = True,
    budget: Budget = DEFAULT_BUDGET,
) -> ToolTypes:
    """The types of a tool. Never raises for what the server says: a schema that cannot be used gives
    `object`, an input of any properties, and a note.
    """
    notes: list[Note] = []
    nodes: list[int] = []
    tool = definition.name
    input: Type | None = Map(ANYTHING)
    if inputs and definition.input_schema is not UNSET:
        schema = _admitted(definition.input_schema, tool, "input", notes, budget)
        if schema is not None:
            input = _input(schema, _read(Reader(schema, tool, "input", formats), "#", notes, nodes))
    output: Type = ANYTHING
    unwrapped = False
    if definition.output_schema is UNSET:
        notes.append(Note(tool, "silent", "output", "the server declares no outputSchema"))
    elif (schema := _admitted(definition.output_schema, tool, "output", notes, budget)) is not None:
        unwrapped = _wraps(definition, schema)
        location = "#/properties/result" if unwrapped else "#"
        output = _read(Reader(schema, tool, "output", formats), location, notes, nodes)
    roots = normalized((output,) if input is None else (output, input), _merging(tool, notes))
    input = None if input is None else roots[1]
    told = tuple(dict.fromkeys(notes))
    return ToolTypes(tool, definition.description, input, roots[0], told, unwrapped, sum(nodes))


def _merging(tool: str, notes: list[Note]) -> Callable[[str], None]:
    def merged(text: str) -> None:
        notes.append(Note(tool, "merged", "", text))

    return merged


def _admitted(document: object, tool: str, side: Side, notes: list[Note], budget: Budget) -> Schema | None:
    try:
        return parse_schema(document, budget, tool=tool)
    except (SchemaError, BudgetExceeded) as error:
        notes.append(Note(tool, "refused", side, cut(str(error), 300)))
        return None


def _read(reader: Reader, location: str, notes: list[Note], nodes: list[int]) -> Type:
    found = reader.read(location)
    notes.extend(reader.notes)
    nodes.append(reader.nodes)
    return found


def _wraps(definition: Definition, schema: Schema) -> bool:
    """Whether the value is sent as `{"result": value}`: the type is that of the value (see `decoding`)."""
    if not (definition.wraps_result or definition.declares_result):
        return False
    try:
        schema.node("#/properties/result")
    except KeyError:
        return False
    return True


def _input(schema: Schema, found: Type) -> Type | None:
    """The arguments of a tool: None where there is nothing to say."""
    document = schema.document
    if isinstance(found, RecordRef) and not found.record.properties and found.record.closed:
        return None
    if found != Map(ANYTHING):
        return found if isinstance(found, (RecordRef, Map)) or any(records_in(found)) else Map(ANYTHING)
    open_ = isinstance(document, dict) and (
        "additionalProperties" in document or "patternProperties" in document
    )
    return found if open_ or not isinstance(document, dict) else None
