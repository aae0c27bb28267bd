"""A Python type, read once.

In: a type as its author wrote it. Out: its shape, and a converter from JSON values to values of the type. Uses
`values` and `errors`.
"""
