"""Stand-ins, a file for each framework: `names(module)` gives the names of one of its modules. None of them does I/O."""
