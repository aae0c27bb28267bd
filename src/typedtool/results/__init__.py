"""A server's answer and a server's listing, each read once.

In: whatever an SDK, a framework or a wire hands over. Out: a `ToolResult` or a `Definition`, and the `Outcome` that a
result becomes. Uses `values` and `errors`.
"""
