"""Runs the saved tests of a tools folder under plain CPython, and helps to test tools. Not part of the sandbox."""
