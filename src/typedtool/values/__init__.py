"""JSON from a server, before anything knows what it is for.

In: JSON text, and Python values that stand for JSON. Out: the same, parsed, held to a `Budget`, walked, narrowed by
guards, located by pointers and paths, and named in words that may be shown. Uses only `errors`.
"""
