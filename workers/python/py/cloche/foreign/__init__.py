"""Loads files of other frameworks: recognises their tools, and infers the specs as the framework would.

The path of a file without TOOL_SPECS, with the module of each step. `loading.load_foreign` runs steps 1 to 6:

1. Recognise: `source_reader` reads the source into a `Reading` (`reading`), without running it. It reads the top level
   (`definitions`), visits all nodes (`syntax_walk`, `syntax`), and notes tools (`tool_syntax`, `tool_lists`), functions
   that make them (`making_functions`, `inner_functions`), imports and calls (`source_uses`), frameworks (`frameworks`)
   and calls that fail in a browser (`browser_limits`).
2. Stand-ins: `stand_ins` finds a stand-in for each framework and missing package, and `stand_in_module` makes it. The
   package `framework_names` has the names that define tools; all other names have no effect (`inert`). A name that marks a tool
   records a `Mark` (`marks`). A name of a missing package raises an error when a tool uses it (`missing_package`).
3. Run: the file is imported. `missing_variables` and `command_line` supply what a browser lacks. `resuming_files` goes on after
   a statement that fails. What is not available raises an error on use (`unavailable`).
4. Collect: `collection` turns marks, classes (`class_tools`, `own_tool_classes`, `own_class_schemas`, `instances`), lists and
   dicts (`tool_dicts`, `described_files`, `compared_names`, `tool_objects`), servers (`low_level_servers`) and calls that register a tool
   (`registered_tools`, `pipecat_handlers`) into marks. `tool_makers` calls functions that make tools, or the needed part
   of them (`needed_code`), without statements that fail (`resuming_functions`).
5. Infer: `inferred_tools` makes a spec from each mark. `inference` infers its parameters: from annotations (`annotations`,
   `annotation_schemas`), docstrings (`docstrings`), models (`fields`) and the keys that code reads
   (`read_keys`), without those that the framework supplies (`injected_arguments`).
6. Adapt: `adapters` makes the handler. `argument_dicts` calls functions that take all arguments as one dict. Messages
   come from `no_tools` and `unusable_tools` (with `package_names`), settings from `settings`.
7. Call: the handler converts the arguments (`conversion`), calls the function, and turns its result or exception into
   one of Cloche (`results`, `plain_values`).

`loaded_file` and `place` have the records that are passed between the steps. The package `export` rewrites such a file,
with TOOL_SPECS and without its framework.

Terms that all files here use:

- Stand-in: a module of Cloche that a file gets in place of a framework or of a missing package; also a name in such a module.
- Missing: not installed, and not in the folder. A missing file is a module of the original program that is not in the folder.
- Inert: without effect. An inert class or object accepts every use, and what it returns is inert, too.
- Unavailable: inert while the file is imported; later, any use raises an error that says why the value is missing.
- Mark: one tool as the file declares it: its function, and what a decorator, a class, a list or a call says about it.
- Reading: the facts that the source of one file shows before it runs.
- Place: the module and the path of one imported file. `place.has(function)` says whether the function comes from this file.
- Instance: the object of a class to which a tool that is a method is bound. The class is the owner of the tool.
- Supply: a function that returns the value of a parameter that a model never sees, such as a context.
- Maker: a function or a method of the file that makes tools when it is called.
- Note: a message about the file, at a line.
"""
