"""A Python type, read once.

In: a type as its author wrote it. Out: its shape, a converter from JSON values to values of the type, what the decode
rules ask of it, and what is wrong with a value that does not fit. Uses `values` and `errors`.

`hints` (the type as written) > `reading` (into `shapes`) > `unions`, `lowering` (to what msgspec decodes) >
`conversion`. A class that msgspec leaves to a hook is added in `hooks`, a union that it refuses in `unions`.
"""
