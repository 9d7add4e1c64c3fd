"""The names that a file gets from each framework: `list_names(module)` of a file here returns those of a framework's module.

No name does I/O. `stand_in_module` says which file has which framework. Large frameworks have files with their names
(`langchain`, `mcp`, `pydantic`); the others share files by what makes a tool: `function_frameworks`, `class_frameworks`,
`single_argument_frameworks`, `model_frameworks`, `declaration_frameworks`, `voice_frameworks`. `marking` and
`tool_contexts` have what all of them share.
"""
