"""All limits of the Python side."""

from __future__ import annotations

MEGABYTE = 1_000_000
MEBIBYTE = 1_024 * 1_024

# One call.
PRINTED_CHARACTERS = 1 * MEGABYTE  # stdout, stderr and log together; the rest is only counted
LOG_LINE_CHARACTERS = 10_000
LOG_LINES = 1_000  # kept; the rest is counted as printed text
UPDATES_KEPT = 1_000  # sent one by one; later ones are merged
UPDATE_CHARACTERS = 1 * MEGABYTE  # of one update's JSON text
WAITING_UPDATE_CHARACTERS = 4 * MEGABYTE  # of one batch, quoted; the rest is merged
WAITING_PRINTED_CHARACTERS = 8_192  # printed text without a line end waits up to this length
BATCH_SECONDS = 0.05  # at most one stream message in this time, for all running calls
STREAM_CHARACTERS_PER_SECOND = 20 * MEGABYTE
BREATH_SECONDS = 0.02  # a generator handles incoming messages this often
VALUE_CHARACTERS = 64 * MEBIBYTE  # text and base64 of one result
WRITTEN_CHARACTERS = 2 * VALUE_CHARACTERS  # of one result as JSON text, as it is sent
LONG_TEXT = 20_000  # characters; one longer text of a result is sent beside its JSON
PARTS = 1_000  # of one result
FRAME_CELLS = 2_000_000  # of a data frame that is a result
METADATA_CHARACTERS = 1 * MEGABYTE
JSON_NESTING = 500  # Pyodide crashes between 2,500 and 6,000 levels, depending on the browser's stack
DECISION_SECONDS = 1.0  # for a spec's own callable
ERROR_CHARACTERS = 10_000
TRACEBACK_CHARACTERS = 50_000
FRAMES = 100
FRAME_CHARACTERS = 1_000  # of a file's or function's name in a frame

# One tool file.
IMPORT_PRINTED_CHARACTERS = 1 * MEGABYTE
IMPORT_OUTPUT_CHARACTERS = 10_000  # of what an import printed, in the report
REPORT_CHARACTERS = 8 * MEGABYTE
PROBLEMS = 200

# One tool spec.
NAME_CHARACTERS = 256
LABEL_CHARACTERS = 1_000
DESCRIPTION_CHARACTERS = 100_000
PROMPT_LINE_CHARACTERS = 10_000
SCHEMA_CHARACTERS = 256 * 1_024
SCHEMA_NESTING = 64
APP_ORIGINS = 20  # of each kind that the app of a tool declares
LIST_ITEMS = 1_000  # of prompt_guides and examples
SPEC_VALUES = 50_000  # in all of its schemas, examples and lists together, nested ones included

# One extension.
REGISTRATIONS = 1_000
REGISTERED_CHARACTERS = 100_000  # of one registered text
KEPT_FUNCTIONS = 10_000  # functions given to run_async that have not run yet
MODELS = 200  # of one provider
STREAM_ITEM_CHARACTERS = 100_000  # of one part that a stream provider yields
STREAM_BATCH_CHARACTERS = 200_000  # of the parts that are sent together
STREAM_BATCH_ITEMS = 256
BLOCKS = 100  # that a renderer returns
BLOCK_CHARACTERS = 100_000
BLOCK_ROWS = 1_000  # of a table
IMAGE_BLOCK_CHARACTERS = 4_000_000  # of base64
ASKED_CHARACTERS = 8 * MEGABYTE  # of what is asked of the page at once
PENDING_ACTIONS = 100  # given to enqueue_action
PICKER_ITEMS = 500
IMAGE_BYTES = 5 * MEGABYTE  # of one attached image
