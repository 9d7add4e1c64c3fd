"""The names that a file gets from each framework. In a module here, `list_names(module)` returns the names of one module of a
framework.

No name does I/O. `stand_in_module` says which module here has which framework. Large frameworks have modules with their names
(`langchain`, `mcp`, `pydantic`); the others share modules, grouped by how tools are declared: `function_frameworks`,
`class_frameworks`, `single_argument_frameworks`, `model_frameworks`, `declaration_frameworks`, `voice_frameworks`. `marking`
and `tool_contexts` have what all of them share.

A name that makes a tool records a `Mark` (see `marks`). What only matters to an agent or a server is accepted and ignored.

The other modules of `foreign` recognise stand-ins, and what a file makes of them, by these attributes:

- `__cloche_tools__(instance=None)`: a class method that returns the marks of a tool class, or of its methods. `class_tools`
  calls it for each class of the file that inherits it, and for each object that the file makes of a stand-in. `instance` is
  the object that the file has made, if any. A class that is no tool itself, such as a base class, has no marks.
- `__cloche_instance__`: True for a class whose marks only an object can tell. `class_tools` makes one if the file has none.
- `__cloche_name__`: the name that a decorator gives a class.
- `__cloche_server__`: True for servers, to which a function of a missing file may add tools.
- `__cloche_injected__`: the supply of all parameters that have this class, marker or default (see `injected_arguments`).
- `__cloche_recoverable__`: True for exceptions after which the model may try again (see `results`).
- `__cloche_content__()`: returns the part of a result that shows the object (see `results`).
"""
