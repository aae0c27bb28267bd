"""A type against a schema: what fits, what may fail, what changed.

In: a type and a schema. Out: a `Comparison`, findings for a `Report`, and the residual that decoding leaves to check.
Uses `decoding` and all below it.
"""
