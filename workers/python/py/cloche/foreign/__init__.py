"""Loads files of other frameworks: recognises their tools, and infers the specs as the framework would.

The path of a file without TOOL_SPECS. `loading.load_foreign` runs steps 1 to 6:

1. Recognise: `source_reader` reads the source into a `Reading`, without running it. It uses `syntax_walk`,
   `tool_syntax`, `source_uses`, `browser_limits`, `frameworks`.
2. Stand-ins: `stand_ins` gives the file stand-ins for frameworks and missing packages. `modules` has the names that
   define tools, `inert` makes all others. A name that marks a tool records a `Mark` (`marks`).
3. Run: the file is imported. `missing_variables` and `command_line` supply what a browser lacks; `resuming` goes on
   after a statement that fails.
4. Collect: `collection` turns marks, classes (`tool_classes`, `instances`), lists and dicts (`schema_lists`,
   `compared_names`, `registries`) and servers (`low_level_servers`) into marks of tools. `registering` calls functions
   that make tools, with the help of `needed_code` and `partial_calls`.
5. Infer: `inferred_tools` makes a spec of each mark. `inference` infers the parameters, with `annotations` (types →
   JSON Schema), `docstrings`, `fields` (models) and `injection` (arguments that the framework supplies).
6. Adapt: `adapters` makes the handler. Messages come from `no_tools` and `unusable_tools`, settings from `settings`.
7. Call: the handler converts the arguments (`conversion`), calls the function, and turns its result or exception into
   one of Cloche (`results`, `plain_values`).

`records` and `place` have the records that are passed between the steps. `export` writes such a file anew, with
TOOL_SPECS and without its framework.
"""
