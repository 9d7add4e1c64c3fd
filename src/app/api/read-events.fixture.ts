/** Parses server-sent events as the HTML standard defines, for tests. */

export interface ReadEvent {
  readonly name: string;
  readonly id: string;
  readonly data: unknown;
}

/** Returns the events in order, with JSON data parsed. Skips comments and events without data. */
export function readEvents(text: string): ReadEvent[] {
  const events: ReadEvent[] = [];
  let id = '';
  for (const block of text.split(/(?:\r\n|\r|\n){2}/)) {
    let name = 'message';
    const data: string[] = [];
    for (const line of block.split(/\r\n|\r|\n/)) {
      const [, field, value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'event') name = value;
      if (field === 'id') id = value;
      if (field === 'data') data.push(value);
    }
    if (data.length > 0) events.push({ name, id, data: parseData(data.join('\n')) });
  }
  return events;
}

function parseData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
