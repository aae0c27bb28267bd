"""The engines that judge values: `rust` (jsonschema-rs), `ticked` (jsonschema, counted)."""
