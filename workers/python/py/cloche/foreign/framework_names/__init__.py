"""The names that a file gets from each framework. In a module here, `list_names(module)` returns the names of one module of a
framework.

No name does I/O. `stand_in_module` says which module here has which framework. Large frameworks have modules with their names
(`langchain`, `mcp`, `pydantic`); the others share modules, grouped by how tools are declared: `function_frameworks`,
`class_frameworks`, `single_argument_frameworks`, `model_frameworks`, `declaration_frameworks`, `voice_frameworks`. `marking`
and `tool_contexts` have what all of them share.
"""
