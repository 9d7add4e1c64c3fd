"""Tools of files written for other frameworks: recognises them, and infers their specs as the framework would."""
