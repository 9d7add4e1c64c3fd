"""Serves the tools of a folder over MCP under ordinary Python. Not part of the sandbox."""
