"""The decode rules: a `ToolResult` and a `Contract` become an `Outcome`.

In: a result as read, and a type with what is known of its tool. Out: an outcome. Uses `types`, `schemas`, `results`,
`values` and `errors`.
"""
