"""JSON Schemas of servers, safe to validate with.

In: a schema as a server gives it. Out: a `Schema`, which validates values in its dialect and within a `Budget`, and
explains what it refuses as `Problem`s. `keywords` is the one table of JSON Schema's keywords, for every room above.
Uses `values` and `errors`.
"""
