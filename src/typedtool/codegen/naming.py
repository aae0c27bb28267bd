"""Python identifiers from a server's text, `identifier`, and the scopes that keep them apart."""

from __future__ import annotations

import builtins
import keyword
import unicodedata
from collections.abc import Iterable

__all__ = ["IMPORTED", "IMPORTS", "IN_CLASSES", "Scope", "class_name", "identifier", "singular", "words"]

LONGEST = 60

IMPORTS: dict[str, tuple[str, ...]] = {
    "decimal": ("Decimal",),
    "typing": ("Annotated", "Literal"),
    "uuid": ("UUID",),
    "msgspec": ("UNSET", "Meta", "Struct", "UnsetType", "field"),
    "typedtool": ("OneOf", "Toolset", "TypedTool"),
}
"""What a generated module imports by name, in isort's order. `datetime` is imported as `dt`."""

IMPORTED: frozenset[str] = frozenset({"annotations", "dt"}.union(*IMPORTS.values()))
"""No name of a server's may hide what the module imports."""

IN_CLASSES = frozenset(["str", "int", "float", "bool", "list", "dict", "tuple", "object", "field", "dt"])
"""What the annotations of a class look up, which a field of the same name would hide."""

_BUILTINS = frozenset(dir(builtins))


def words(text: str) -> list[str]:
    """The words of a name, in lower case, whatever they were joined with; accents are dropped.

    Example:
        >>> words("get-weatherForecast v2"), words("HTTPServer"), words("")
        (['get', 'weather', 'forecast', 'v2'], ['http', 'server'], [])
    """
    plain = "".join(c for c in unicodedata.normalize("NFKD", text[:500]) if not unicodedata.combining(c))
    plain = unicodedata.normalize("NFKC", plain)
    found: list[str] = []
    current = ""
    for i, char in enumerate(plain):
        after = plain[i + 1] if i + 1 < len(plain) else ""
        starts = char.isupper() and (current[-1:].islower() or current[-1:].isdigit() or after.islower())
        if not char.isalnum() or starts:
            found.append(current)
            current = ""
        current += char if char.isalnum() else ""
    return [word.lower() for word in (*found, current) if word]


def identifier(text: str, style: str, empty: str) -> str:
    """A Python identifier for any text of a server's. No other function makes one.

    style: "snake" for fields and tools, "pascal" for classes. empty: the identifier for a text without any usable
        character, and what stands before a digit.

    The identifier is no keyword, does not begin with an underscore, and has at most `LONGEST` characters.

    Example:
        >>> identifier("API-post-page", "snake", "tool"), identifier("class", "snake", "field")
        ('api_post_page', 'class_')
        >>> identifier("2fa", "pascal", "Type")
        'Type2fa'
    """
    parts = words(text)
    made = ""
    for part in parts:
        piece = part[:1].upper() + part[1:] if style == "pascal" else part
        joined = made + piece if style == "pascal" or not made else f"{made}_{piece}"
        if len(joined) > LONGEST and made:
            break
        made = joined[:LONGEST]
    if style == "pascal" and not ("A" <= made[:1] <= "Z"):
        made = empty + made
    elif not made or made[0].isdigit():
        made = f"{empty}_{made}" if made else empty
    if unicodedata.normalize("NFKC", made) != made or not made.isidentifier():
        made = empty
    return made + "_" if keyword.iskeyword(made) else made


def class_name(*parts: str) -> str:
    """The name of a class, from the pieces of a path."""
    return identifier(" ".join(parts), "pascal", "Type")


_UNCHANGED = {"series", "species", "news", "status", "address", "access", "process"}.union(
    ("progress", "bus", "gas", "lens", "canvas", "analysis")
)


def singular(name: str) -> str:
    """The name for one item of a list of this name.

    Example:
        >>> [singular(n) for n in ("entities", "matches", "hours", "status", "data")]
        ['entity', 'match', 'hour', 'status', 'data']
    """
    parts = words(name)
    if not parts or parts[-1] in _UNCHANGED or not parts[-1].isascii():
        return " ".join(parts)
    last = parts[-1]
    if last.endswith("ies") and len(last) > 4:
        last = last[:-3] + "y"
    elif last.endswith(("sses", "shes", "ches", "xes", "zzes", "uses")) and len(last) > 5:
        last = last[:-2]
    elif last.endswith("s") and not last.endswith(("ss", "us", "is")) and len(last) > 2:
        last = last[:-1]
    return " ".join((*parts[:-1], last))


class Scope:
    """Identifiers that must differ: the first claim of a name gets it, later ones get another."""

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self.reserved: frozenset[str] = frozenset(reserved)
        self.taken: set[str] = set()
        self.counts: dict[str, int] = {}

    @classmethod
    def of_module(cls) -> Scope:
        """The names of a generated module: none hides a builtin or an import."""
        return cls(_BUILTINS | IMPORTED)

    def free(self, name: str) -> bool:
        """Whether a name can still be claimed."""
        return self.safe(name) not in self.taken

    def safe(self, name: str) -> str:
        """The name, with an underscore behind it where it would hide something."""
        return name + "_" if name in self.reserved else name

    def claim(self, *candidates: str) -> str:
        """The first candidate that is free; the last one with a number where none is."""
        for candidate in candidates:
            if self.free(candidate):
                return self.take(candidate)
        last = candidates[-1].rstrip("_")
        count = self.counts.get(last, 1) + 1
        while not self.free(f"{last}_{count}"):
            count += 1
        self.counts[last] = count
        return self.take(f"{last}_{count}")

    def take(self, name: str) -> str:
        safe = self.safe(name)
        self.taken.add(safe)
        return safe
