/**
 * Filters the lines of Anthropic's stream: removes unknown events and blocks, as its API documentation asks of clients.
 */

import { fields, type Fields } from '../../spec/guards.ts';

const events = [
  ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop'],
  ...['message_delta', 'message_stop', 'ping', 'error'],
];
/** The types of blocks that requests can lead to. */
const blocks = ['text', 'thinking', 'redacted_thinking', 'tool_use'];
const deltas = ['text_delta', 'thinking_delta', 'signature_delta', 'input_json_delta'];

/** Returns a filter for the lines of one answer. */
export function anthropicLines(): (line: string) => string {
  /** Indexes of removed blocks. */
  const removed = new Set<unknown>();
  return (line) => {
    if (!line.startsWith('data:')) return line;
    const event = parsed(line.slice('data:'.length));
    if (typeof event.type !== 'string' || event.error !== undefined) return line;
    return isKnown(event, removed) ? line : '';
  };
}

function isKnown({ type, index, content_block, delta }: Fields, removed: Set<unknown>): boolean {
  switch (type) {
    case 'content_block_start':
      if (blocks.some((known) => known === fields(content_block).type)) removed.delete(index);
      else removed.add(index);
      return !removed.has(index);
    case 'content_block_delta':
      return !removed.has(index) && deltas.some((known) => known === fields(delta).type);
    case 'content_block_stop':
      return !removed.has(index);
    default:
      return events.some((known) => known === type);
  }
}

function parsed(text: string): Fields {
  try {
    return fields(JSON.parse(text));
  } catch {
    return {};
  }
}
