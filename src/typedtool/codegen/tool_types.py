"""A tool's two types, read from its definition: `read_tool(definition) -> ToolTypes`."""

from __future__ import annotations

from msgspec import UNSET, Struct

from typedtool.codegen.reading import Reader
from typedtool.codegen.scalars import Formats
from typedtool.codegen.type_tree import ANYTHING, Kind, Map, Note, RecordRef, Side, Type, records_in
from typedtool.codegen.unions import normalized
from typedtool.errors import BudgetExceeded, SchemaError, cut
from typedtool.results.definitions import Definition
from typedtool.schemas.schema import parse_schema
from typedtool.values.budgets import DEFAULT_BUDGET, Budget
from typedtool.values.guards import is_object

__all__ = ["ToolTypes", "read_tool"]


class ToolTypes(Struct):
    """What a tool takes and gives.

    input: None where it takes no argument.
    unwrapped: the output is what the server sends inside of `{"result": ...}`.
    nodes: how many subschemas were read for both.
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
    """The types of a tool. Never raises for what the server says: a schema that cannot be used gives `object`, an input
    of any properties, and a note.
    """
    both = _Both(definition.name, formats, budget)
    input: Type | None = Map(ANYTHING)
    if inputs and definition.input_schema is not UNSET:
        found = both.read("input", definition.input_schema, "#")
        input = input if found is None else _arguments(definition.input_schema, found)
    output: Type | None = None
    unwrapped = _wraps(definition)
    if definition.output_schema is UNSET:
        both.note("silent", "output", "the server declares no outputSchema")
    else:
        location = "#/properties/result" if unwrapped else "#"
        output = both.read("output", definition.output_schema, location)
    roots = [output or ANYTHING] if input is None else [output or ANYTHING, input]
    output, *others = normalized(roots, lambda text: both.note("merged", "", text))
    input = None if input is None else others[0]
    notes = tuple(dict.fromkeys(both.notes))
    return ToolTypes(definition.name, definition.description, input, output, notes, unwrapped, both.nodes)


class _Both:
    """What reading the two schemas of a tool gives beside their types."""

    def __init__(self, tool: str, formats: Formats, budget: Budget) -> None:
        self.tool = tool
        self.formats: Formats = formats
        self.budget = budget
        self.notes: list[Note] = []
        self.nodes = 0

    def note(self, kind: Kind, where: str, text: str) -> None:
        self.notes.append(Note(self.tool, kind, where, text))

    def read(self, side: Side, document: object, location: str) -> Type | None:
        """The type of the subschema at a location, None where the schema cannot be used."""
        try:
            schema = parse_schema(document, self.budget, tool=self.tool)
        except (SchemaError, BudgetExceeded) as error:
            self.note("refused", side, cut(str(error), 300))
            return None
        reader = Reader(schema, self.tool, side, self.formats)
        found = reader.read(location)
        self.notes += reader.notes
        self.nodes += reader.nodes
        return found


def _wraps(definition: Definition) -> bool:
    """Whether the server sends the value as `{"result": value}`: the type is that of the value."""
    schema = definition.output_schema
    properties = schema.get("properties") if is_object(schema) else None
    wraps = definition.describes_wrapper
    return wraps and is_object(properties) and "result" in properties


def _arguments(document: object, found: Type) -> Type | None:
    """The type of the arguments: None where the tool takes none, or its schema says nothing of them."""
    if isinstance(found, RecordRef) and not found.record.properties and found.record.closed:
        return None
    if found != Map(ANYTHING):
        return found if isinstance(found, (RecordRef, Map)) or any(records_in(found)) else Map(ANYTHING)
    open_ = not is_object(document) or "additionalProperties" in document or "patternProperties" in document
    return found if open_ else None
