"""Stand-ins, one file for each framework: `names(module)` returns the names of one of its modules. None of them does
I/O."""
