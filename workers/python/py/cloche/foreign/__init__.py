"""Recognises tools in files of other frameworks, and infers their specs as the framework would."""
