"""Cloche's Python side: imports tool files, checks their specs and runs their handlers."""
