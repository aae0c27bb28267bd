"""A JSON Schema made safe.

In: a schema from a server. Out: a `Schema` that validates values within a `Budget`, in its dialect. Uses `values` and
`errors`.
"""
