/** Reads the actions that extensions ask for. Everything in them comes from foreign code. */

import type { Power } from '../../runtime/grants/powers.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import { asFields, isCount, isRecord, parseJson } from '../../runtime/spec/guards.ts';
import type { JsonText } from '../../runtime/spec/json.ts';

export type Action =
  | {
      readonly action:
        'notify' | 'show_message' | 'send_message' | 'follow_up' | 'set_title' | 'run_background';
      readonly text: string;
    }
  /** A message of a kind that a renderer draws; without a renderer, `text` is shown. */
  | {
      readonly action: 'show_data';
      readonly kind: string;
      readonly data: JsonText;
      readonly text: string;
    }
  | { readonly action: 'set_status'; readonly key: string; readonly text: string }
  | { readonly action: 'open_file'; readonly path: string; readonly line: number | null }
  /** `run` is the number of the function. */
  | { readonly action: 'run_async'; readonly run: number }
  | {
      readonly action: 'attach_image';
      /** Base64. */
      readonly data: string;
      readonly mediaType: string;
      /** Name by which the extension can detach the image. */
      readonly name: string;
    }
  /** All that the extension has attached, if `name` is null. */
  | { readonly action: 'detach_image'; readonly name: string | null }
  /** `run` is called with the index of the chosen item, or with null. */
  | {
      readonly action: 'show_picker';
      readonly title: string;
      readonly items: readonly PickerItem[];
      readonly run: number;
    }
  /** Null for a new session. */
  | { readonly action: 'swap_session'; readonly session: string | null }
  | { readonly action: 'quit' };

export interface PickerItem {
  readonly label: string;
  readonly detail: string;
}

/** The power that each action needs; null if it needs none. */
export const powerFor: Readonly<Record<Action['action'], Power | null>> = {
  notify: 'show',
  show_message: 'show',
  show_data: 'show',
  set_status: 'show',
  open_file: 'show',
  show_picker: 'show',
  quit: 'show',
  send_message: 'send',
  follow_up: 'send',
  set_title: 'send',
  attach_image: 'send',
  detach_image: 'send',
  swap_session: 'sessions',
  run_background: 'spend',
  run_async: null,
};

/** Actions that cost tokens. */
export const costlyActions: ReadonlySet<Action['action']> = new Set([
  'send_message',
  'follow_up',
  'run_background',
]);

/** Actions that take the user away from what is in view. */
export const intrusiveActions: ReadonlySet<Action['action']> = new Set([
  'show_picker',
  'open_file',
  'swap_session',
  'quit',
]);

/** Limits of a shown or sent text, and of an image in base64; characters. */
const maxChars = 100_000;
const maxImageChars = 7_000_000;
/** Limits of a picker: items, and characters of each text. */
const maxItems = 500;
const maxItemChars = 500;
const mediaTypes: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/bmp',
];

/** @throws {ToolError} for anything else */
export function readAction(value: unknown): Action {
  const given = asFields(value);
  const { action, text, key, path, line, run, name, session, kind, data } = given;
  switch (action) {
    case 'notify':
    case 'show_message':
    case 'send_message':
    case 'follow_up':
    case 'set_title':
    case 'run_background':
      if (isText(text)) return { action, text };
      break;
    case 'show_data':
      if (isText(kind) && isText(data) && isText(text) && parseJson(data) !== undefined)
        return { action, kind: kind.slice(0, 200), data, text };
      break;
    case 'set_status':
      if (isText(text) && isText(key)) return { action, key, text: text.slice(0, 1_000) };
      break;
    case 'open_file':
      if (isText(path)) return { action, path, line: isCount(line) ? line : null };
      break;
    case 'run_async':
      if (isCount(run)) return { action, run };
      break;
    case 'attach_image':
      return { action, ...readImage(given) };
    case 'detach_image':
      if (name === null || isText(name)) return { action, name };
      break;
    case 'show_picker':
      if (isCount(run)) return { action, run, ...readPicker(given) };
      break;
    case 'swap_session':
      if (session === null || isText(session)) return { action, session };
      break;
    case 'quit':
      return { action };
  }
  throw new ToolError('bad-input', 'It asked for an unknown action.');
}

function readImage({ data, media_type: mediaType, name }: ReturnType<typeof asFields>) {
  if (typeof mediaType !== 'string' || !mediaTypes.includes(mediaType))
    throw new ToolError('bad-input', `An image must be one of ${mediaTypes.join(', ')}.`);
  if (typeof data !== 'string' || data.length > maxImageChars)
    throw new ToolError('limit', 'An image has at most 5 MB.');
  if (!isText(name)) throw new ToolError('bad-input', 'The name of an image is not a text.');
  return { data, mediaType, name: name.slice(0, 200) };
}

function readPicker({ title, items }: ReturnType<typeof asFields>) {
  if (!isText(title) || !Array.isArray(items) || items.length === 0)
    throw new ToolError('bad-input', 'A picker needs a title and items.');
  if (items.length > maxItems)
    throw new ToolError('limit', `A picker has at most ${maxItems} items.`);
  const read = items.map((item: unknown): PickerItem => {
    const { label, detail } = asFields(item);
    if (!isRecord(item) || !isText(label) || !isText(detail))
      throw new ToolError('bad-input', 'An item of a picker is not in the expected form.');
    return { label: label.slice(0, maxItemChars), detail: detail.slice(0, maxItemChars) };
  });
  return { title: title.slice(0, maxItemChars), items: read };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxChars;
}

/** The extension from which something comes, as the page shows it. */
export interface Origin {
  readonly extension: string;
  readonly file: string;
}
