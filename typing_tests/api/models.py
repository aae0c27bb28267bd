"""The types that the other files use."""

from __future__ import annotations

from typing import Generic, TypeVar, Union

from msgspec import Struct
from typing_extensions import TypedDict

T = TypeVar("T")


class Query(Struct):
    city: str = "Paris"
    days: int = 1


class FieldQuery(Struct, kw_only=True):
    city: str
    days: int = 1


class Hour(Struct):
    hour: int
    temp: float


class Cat(Struct, tag="cat"):
    lives: int


class Dog(Struct, tag="dog"):
    good: bool


class Page(Struct, Generic[T]):
    item: T
    number: int = 1


class Quota(Struct):
    used: int


class QueryDict(TypedDict):
    city: str


Pet = Union[Cat, Dog]
