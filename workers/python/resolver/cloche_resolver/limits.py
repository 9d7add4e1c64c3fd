"""All limits of the resolver. What exceeds them is rejected with a clear message."""

from __future__ import annotations

# Requirements and files.
REQUIREMENT_CHARACTERS = 2_000
REQUIREMENT_BRACKETS = 50  # of a marker, which may be nested
REQUIREMENTS_OF_FILE = 300
REQUIREMENTS = 1_000  # of all files together
BLOCK_CHARACTERS = 50_000  # of a script block
BLOCK_DOTS = 100  # in one of its lines; the TOML parser is slow with long dotted keys
BLOCK_OPENINGS = 20  # of blocks of any kind in one file
PROBLEMS_OF_FILE = 50

# Metadata of packages.
HEADER_CHARACTERS = 1_000_000  # of METADATA, before its description
DEPENDENCIES = 1_000  # of one wheel, extras included
FILENAME_CHARACTERS = 300
VERSION_CHARACTERS = 100
SPECIFIER_CHARACTERS = 500
LISTED_FILES = 20_000  # of one project on the index

# The search.
PACKAGES = 300  # in one solution
ROUNDS = 3_000  # of one attempt
STEPS = 1_500_000  # of all attempts together
SECONDS = 8.0  # the same in seconds, for slow machines
SHARE = 3  # an attempt may use one third of what is left
SHARE_ALONE = 12  # the same for one file, if all together took too long
ASKED_AT_ONCE = 100  # projects, and as many METADATA files
KNOWN = 1_500  # projects and METADATA files; a file that needs more fails
FAILED_METADATA = 3  # of one project; after these, no more are requested
