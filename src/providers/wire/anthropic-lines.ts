/** Lines of Anthropic's messages: what is not known here is left out, as Anthropic asks of whoever reads them. */

import { fields, type Fields } from '../../spec/guards.ts';

const events = [
  ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop'],
  ...['message_delta', 'message_stop', 'ping', 'error'],
];
/** Of what is asked for. */
const blocks = ['text', 'thinking', 'redacted_thinking', 'tool_use'];
const deltas = ['text_delta', 'thinking_delta', 'signature_delta', 'input_json_delta'];

/** Reads the lines of one answer. */
export function anthropicLines(): (line: string) => string {
  /** Indexes of blocks that are left out. */
  const left = new Set<unknown>();
  return (line) => {
    if (!line.startsWith('data:')) return line;
    const event = parsed(line.slice('data:'.length));
    if (typeof event.type !== 'string' || event.error !== undefined) return line;
    return isKnown(event, left) ? line : '';
  };
}

function isKnown({ type, index, content_block, delta }: Fields, left: Set<unknown>): boolean {
  switch (type) {
    case 'content_block_start':
      if (blocks.some((known) => known === fields(content_block).type)) left.delete(index);
      else left.add(index);
      return !left.has(index);
    case 'content_block_delta':
      return !left.has(index) && deltas.some((known) => known === fields(delta).type);
    case 'content_block_stop':
      return !left.has(index);
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
