/** Reads the actions that extensions ask for. Everything in them comes from foreign code. */

import type { Power } from '../grants/powers.ts';
import { ToolError } from '../spec/error.ts';
import { fields, isCount } from '../spec/guards.ts';
import type { JsonText } from '../spec/json.ts';

export type Action =
  | {
      readonly action: 'notify' | 'show_message' | 'send_message' | 'set_title';
      readonly text: string;
    }
  /** A message of a kind that a renderer draws; `text` is shown without it. */
  | {
      readonly action: 'show_data';
      readonly kind: string;
      readonly data: JsonText;
      readonly text: string;
    }
  | { readonly action: 'set_status'; readonly key: string; readonly text: string }
  | { readonly action: 'open_file'; readonly path: string; readonly line: number | null }
  /** `run` is the number of the function. */
  | { readonly action: 'run_async'; readonly run: number };

/** The power that each action needs; null if it needs none. */
export const powerFor: Readonly<Record<Action['action'], Power | null>> = {
  notify: 'show',
  show_message: 'show',
  show_data: 'show',
  set_status: 'show',
  open_file: 'show',
  send_message: 'send',
  set_title: 'send',
  run_async: null,
};

/** Limit of a shown or sent text; characters. */
const mostChars = 100_000;

/** @throws {ToolError} for anything else */
export function readAction(value: unknown): Action {
  const { action, text, key, path, line, run, kind, data } = fields(value);
  switch (action) {
    case 'notify':
    case 'show_message':
    case 'send_message':
    case 'set_title':
      if (isText(text)) return { action, text };
      break;
    case 'show_data':
      if (isText(kind) && isText(data) && isText(text) && isJson(data))
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
  }
  throw new ToolError('bad-input', 'It asked for an unknown action.');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= mostChars;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
