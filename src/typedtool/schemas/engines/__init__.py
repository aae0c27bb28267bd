"""The engines that validate: `rust` (jsonschema-rs, fast and not to be stopped) and `counted` (jsonschema, its steps counted)."""
