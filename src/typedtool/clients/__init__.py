"""The way through each SDK's client.

In: a client of `mcp` or FastMCP, or a transport. Out: the result or the listing as the server sent it. Uses `values`
and `errors`.
"""
