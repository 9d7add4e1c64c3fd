"""Stand-ins, one file for each framework: `list_names(module)` returns the names of a module. None of them does I/O."""
