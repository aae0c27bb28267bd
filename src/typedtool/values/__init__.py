"""JSON that comes from elsewhere, before anything knows what it is for.

In: Python values and JSON text from a server. Out: the same, parsed, bounded by a `Budget`, narrowed by guards, and
located by a path. Uses only `errors`.
"""
