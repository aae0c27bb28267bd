"""A server's result and a server's listing, each read once.

In: what an SDK, a framework or the wire hands over. Out: a `ToolResult` or a `Definition`; and the `Outcome`s that a
result may become. Uses `values` and `errors`.
"""
