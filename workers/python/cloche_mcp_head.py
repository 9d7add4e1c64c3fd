"""Serves the tools of a Cloche tools folder to MCP clients under ordinary Python. Needs neither Cloche nor packages.

    python3 cloche_mcp.py FOLDER              over standard input and output
    python3 cloche_mcp.py FOLDER --http 8000  over HTTP, for clients of this machine

The tools run WITHOUT a sandbox, with your rights: serve only files that you trust. Needs Python 3.10 or later. Cloche's
build generates this file from the modules that also run tools in the browser.
"""

from __future__ import annotations

from packed_head import _HERE, os, sys  # the build puts that file here: _HERE is then this file, and _cloche the packed modules

_VERSION = "0"  # the build writes Cloche's

if __name__ == "__main__":
    from _cloche.serving.command import main

    # This file's folder must not come before the tools folder.
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != os.path.dirname(_HERE)]
    sys.exit(main(sys.argv[1:], _VERSION, os.path.dirname(_HERE)))
