"""Exports a file of another framework as a file with TOOL_SPECS.

`proposing.propose` is called when the user exports a file. It returns the tools that can be exported, and the new text
of the file. The steps, each in one module:

1. `hoisting` moves tools out of functions, such as register_tools(mcp), to the top level.
2. `spec_handlers` writes a handler for each tool. `conversion_code` writes the conversions of its arguments and result.
   `plain_classes` and `plain_contexts` replace what the tool takes from its framework, and `framework_calls` calls tools
   that take objects of it. Changes to the text are collected in `source_edits`.
3. `stripping` removes what is left of the framework: imports, decorators, servers.
4. `spec_text` writes TOOL_SPECS into the text.
5. `tidying` removes imports and packages that are no longer used, and adds those that are needed.
6. `late_imports` moves imports of modules that are not installed into the functions that use them.
"""
