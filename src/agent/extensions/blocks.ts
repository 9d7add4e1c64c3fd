/** The blocks that renderers of extensions return. They are data: the page draws them, and nothing else. */

import { ToolError } from '../../runtime/spec/error.ts';
import { asFields, parseJson } from '../../runtime/spec/guards.ts';
import type { Json, JsonText } from '../../runtime/spec/json.ts';

export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'markdown'; readonly text: string }
  | { readonly type: 'code'; readonly text: string; readonly language: string }
  | {
      readonly type: 'table';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly Json[])[];
    }
  /** `data` is base64. */
  | {
      readonly type: 'image';
      readonly mediaType: string;
      readonly data: string;
      readonly alt: string;
    }
  | { readonly type: 'json'; readonly text: JsonText }
  | { readonly type: 'link'; readonly url: string; readonly text: string };

/**
 * Returns the blocks to draw for a message.
 * @param data the message's data as JSON
 * @param expanded whether the user wants to see all of it
 * @throws {ToolError}; the signal's reason
 */
export type Render = (
  signal: AbortSignal,
  data: JsonText,
  expanded: boolean,
) => Promise<readonly Block[]>;

/** Limits of single values, as on the Python side. */
const maxBlocks = 100;
const maxRows = 1_000;
const maxColumns = 100;
const maxChars = 100_000;
const maxImageChars = 4_000_000;
const maxCellChars = 1_000;
/** Limits of one message, since the page draws all of it. */
const maxCells = 10_000;
const maxImages = 10;
const maxCharsInAll = 400_000;

/** @throws {ToolError} if they are invalid, or more than the page can draw */
export function readBlocks(value: unknown): readonly Block[] {
  if (!Array.isArray(value) || value.length > maxBlocks) throw invalid();
  const blocks = value.map(readBlock);
  let cells = 0;
  let images = 0;
  let chars = 0;
  for (const block of blocks) {
    if (block.type === 'table') cells += (block.rows.length + 1) * block.columns.length;
    else if (block.type === 'image') images += 1;
    else chars += block.text.length;
  }
  if (cells > maxCells || images > maxImages || chars > maxCharsInAll)
    throw new ToolError(
      'limit',
      `A message has at most ${maxCells.toLocaleString('en')} cells of tables, ${maxImages} images and ${maxCharsInAll.toLocaleString('en')} characters.`,
    );
  return blocks;
}

function readBlock(value: unknown): Block {
  const block = asFields(value);
  switch (block.type) {
    case 'text':
    case 'markdown':
      return { type: block.type, text: text(block.text) };
    case 'code':
      return { type: 'code', text: text(block.text), language: text(block.language, 50) };
    case 'table': {
      const columns = unique(list(block.columns, maxColumns).map((one) => text(one, maxCellChars)));
      const rows = list(block.rows, maxRows).map((row) => list(row, maxColumns).map(cell));
      return { type: 'table', columns, rows };
    }
    case 'image': {
      const mediaType = text(block.media_type, 100);
      // An SVG could be made to take any time to draw.
      // @mutant images of renderers are no SVG => without (png|jpeg|gif|webp)$
      if (!/^image\/(png|jpeg|gif|webp)$/.test(mediaType))
        throw new ToolError('bad-input', 'An image must be a PNG, JPEG, GIF or WebP.');
      const data = text(block.data, maxImageChars);
      return { type: 'image', mediaType, data, alt: text(block.alt, 1_000) };
    }
    case 'json': {
      const json = text(block.text);
      if (parseJson(json) === undefined) throw invalid();
      return { type: 'json', text: json };
    }
    case 'link': {
      const url = text(block.url, 2_000);
      // @mutant links of renderers go to the web => without /^https?:\/\//.test(url) || !
      if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw invalid();
      return { type: 'link', url, text: text(block.text, 1_000) };
    }
    default:
      throw invalid();
  }
}

function text(value: unknown, max = maxChars): string {
  if (typeof value !== 'string' || value.length > max) throw invalid();
  return value;
}

function list(value: unknown, max: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > max) throw invalid();
  return value;
}

/** Columns are distinguished by their names. */
function unique(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name, at) => {
    const free = name === '' || taken.has(name) ? `${name} (${at + 1})`.trim() : name;
    taken.add(free);
    return free;
  });
}

function cell(value: unknown): Json {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  return text(value, maxCellChars);
}

function invalid(): ToolError {
  return new ToolError('bad-input', 'What it returned is not a list of blocks.');
}
