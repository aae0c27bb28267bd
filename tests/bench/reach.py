"""How far the proof reaches: types written by hand for real tools, against the schemas that those tools declare.

    python tests/bench/reach.py

The schemas are other people's and stay outside of the project; the types are written here, as their users would.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, Literal, Optional, Union

from msgspec import Struct

from typedtool import Comparison, Unknown, compare, parse_schema


class Base(Struct):
    id: str
    name: str


class Bases(Struct):
    bases: list[Base]


class Author(Struct):
    id: str
    email: str


class Comment(Struct, rename="camel"):
    id: str
    text: str
    author: Author
    last_updated_time: Optional[str]


class NewComment(Struct):
    comment: Comment


class DocHit(Struct):
    title: str
    url: str
    content: Optional[str] = None


class DocHits(Struct, rename="camel"):
    searched_version: float
    results: list[DocHit]


class Example(Struct):
    title: str
    content: str
    keywords: list[str] = []


class Examples(Struct):
    examples: list[Example]


class ApifyHit(Struct):
    url: str
    content: str = ""


class ApifyHits(Struct):
    results: list[ApifyHit]


class Dataset(Struct, rename="camel"):
    dataset_id: str
    items: list[dict[str, Any]]
    item_count: int


class Recommendation(Struct):
    url: str
    title: str
    context: Optional[str] = None


class User(Struct):
    user_name: str
    arn: str
    create_date: str
    password_last_used: Optional[str] = None


class Users(Struct):
    users: list[User]
    count: int
    is_truncated: bool = False


class Policy(Struct):
    policy_name: str
    policy_arn: str


class UserDetails(Struct):
    user: User
    attached_policies: list[Policy] = []
    groups: list[str] = []


class Database(Struct):
    database_name: str
    database_owner: Optional[int] = None


class RedshiftSchema(Struct):
    database_name: str
    schema_name: str
    schema_type: Optional[str] = None


class Image(Struct):
    title: str
    url: str
    confidence: Literal["low", "medium", "high"]


class Images(Struct):
    items: list[Image]
    count: int


class Added(Struct, rename="camel", forbid_unknown_fields=True):
    success: bool
    staged_files: list[str]
    total_files: int
    status: dict[str, Any]


class BlameLine(Struct, rename="camel"):
    line_number: int
    author: str
    content: str


class Blame(Struct, rename="camel"):
    success: bool
    lines: list[BlameLine]


class Weather(Struct, forbid_unknown_fields=True):
    temperature: float
    conditions: str
    humidity: float


class Hour(Struct, forbid_unknown_fields=True):
    hour: str
    temp: float
    conditions: str


class Named(Struct):
    name: str
    comment: Optional[str] = None


Cell = Union[str, float, bool, None]


class Range(Struct):
    range: str
    values: list[list[Cell]]
    next_range: Optional[str] = None


class Cells(Struct):
    matches: dict[str, dict[str, Cell]]
    truncated: bool = False


class Build(Struct):
    success: bool
    output: str
    errors: list[str] = []


class Entity(Struct, rename="camel"):
    name: str
    entity_type: str
    observations: list[str]


class Entities(Struct):
    entities: list[Entity]


class Relation(Struct, rename={"source": "from", "target": "to", "kind": "relationType"}):
    source: str
    target: str
    kind: str


class Relations(Struct):
    relations: list[Relation]


class Documents(Struct):
    documents: list[Any]
    count: Union[int, Literal["indeterminate"]]


class Records(Struct):
    records: list[dict[str, Any]]
    total: int
    skipped_fields: Optional[list[str]] = None


class Citation(Struct):
    pmid: str
    citations: dict[str, str]
    title: str = ""


class Citations(Struct):
    citations: list[Citation]


class Article(Struct):
    pmid: str
    title: Optional[str] = None


class Related(Struct, rename="camel"):
    source_pmid: str
    relationship: Literal["similar", "cited_by", "references"]
    articles: list[Article]


class Thought(Struct, rename="camel"):
    thought_number: float
    total_thoughts: float
    next_thought_needed: bool
    branches: list[str]


class TestCase(Struct):
    __test__ = False  # not one of pytest's
    id: str
    key: str
    summary: str


class Place(Struct):
    timezone: str
    datetime: str
    is_dst: bool


class Converted(Struct):
    source: Place
    target: Place
    time_difference: str


class LogPatterns(Struct):
    top_patterns: dict[str, Any]


class Approvals(Struct):
    metadata: Optional[dict[str, Any]] = None
    data: Optional[dict[str, Any]] = None


class Discovery(Struct):
    discovery_role: Optional[str] = None
    settings: dict[str, Any] = {}


class State(Struct, rename="camel"):
    platform: str
    app_name: str


class Device(Struct):
    platform: str
    device: str
    booted: bool


TYPES: dict[tuple[str, str], Any] = {
    ("airtable", "list_bases"): Bases,
    ("airtable", "create_comment"): NewComment,
    ("angular-cli", "search_documentation"): DocHits,
    ("angular-cli", "find_examples"): Examples,
    ("apify", "search-apify-docs"): ApifyHits,
    ("apify", "get-dataset-items"): Dataset,
    ("agent-device", "appstate"): State,
    ("agent-device", "boot"): Device,
    ("automox", "patch_approvals_summary"): Approvals,
    ("aws-cloudwatch", "analyze_log_group"): LogPatterns,
    ("aws-docs", "recommend"): list[Recommendation],
    ("aws-iam", "list_users"): Users,
    ("aws-iam", "get_user"): UserDetails,
    ("aws-redshift", "list_databases"): list[Database],
    ("aws-redshift", "list_schemas"): list[RedshiftSchema],
    ("brave-search", "brave_image_search"): Images,
    ("cyanheads-git", "git_add"): Added,
    ("cyanheads-git", "git_blame"): Blame,
    ("everything-sep834", "get-structured-content"): Weather,
    ("everything-sep834", "get-weather-forecast"): list[Hour],
    ("exasol", "list_exasol_schemas"): list[Named],
    ("exasol", "list_exasol_tables_and_views"): list[Named],
    ("excel-haris", "read_range"): Range,
    ("excel-haris", "find_cells"): Cells,
    ("lean-lsp", "lean_build"): Build,
    ("mcp-atlas-zscaler", "ztw_get_discovery_settings"): Discovery,
    ("memory", "create_entities"): Entities,
    ("memory", "create_relations"): Relations,
    ("mongodb", "aggregate"): Documents,
    ("odoo", "search_records"): Records,
    ("pubmed-cyanheads", "pubmed_format_citations"): Citations,
    ("pubmed-cyanheads", "pubmed_find_related"): Related,
    ("sequential-thinking", "sequentialthinking"): Thought,
    ("smartbear", "qtm4j_create_test_case"): TestCase,
    ("time", "get_current_time"): Place,
    ("time", "convert_time"): Converted,
}


def listed(corpus: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """The tools of the real servers that declare an outputSchema."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for path in sorted(corpus.glob("*.json")):
        for tool in json.loads(path.read_text("utf-8"))["tools"]:
            if tool.get("outputSchema") is not None:
                found[path.stem, tool["name"]] = tool
    return found


def by_hand(corpus: Path) -> dict[tuple[str, str], Comparison]:
    """The verdicts about the types above."""
    tools = listed(corpus)
    return {
        key: compare(tp, parse_schema(tools[key]["outputSchema"]))
        for key, tp in TYPES.items()
        if key in tools
    }


def shares(found: list[Comparison]) -> dict[str, Counter[str]]:
    """How many of each verdict, and the reasons of the Unknowns."""
    return {
        "accepts": Counter(type(c.accepts).__name__ for c in found),
        "guarantees": Counter(type(c.guarantees).__name__ for c in found),
        "why": Counter(v.why for c in found for v in (c.accepts, c.guarantees) if isinstance(v, Unknown)),
    }


def main() -> None:
    from shared_material import find_shared

    shared = find_shared()
    if shared is None:
        raise SystemExit("the shared material is not here: set TYPEDTOOL_SHARED")
    found = by_hand(shared / "corpus")
    for key, comparison in found.items():
        print(*key, comparison.accepts, comparison.guarantees, sep="  ")
    for what, counted in shares(list(found.values())).items():
        print(what, dict(counted))


if __name__ == "__main__":
    main()
