/** Reads server-sent events from the body of an answer. */

export interface ServerEvent {
  readonly name: string;
  readonly id: string;
  readonly data: string;
}

/** Yields the events of a body. An event that is cut off at the end is left out. */
export async function* serverEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let pending: string[] = [];
  let lines: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const [first = '', ...more] = decoder.decode(value, { stream: true }).split('\n');
      pending.push(first);
      for (const next of more) {
        // A long line arrives in many chunks; joining them once keeps that linear.
        const line = pending.join('');
        pending = [next];
        if (line !== '') lines.push(line);
        else if (lines.length > 0) {
          const event = eventIn(lines);
          lines = [];
          if (event !== null) yield event;
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventIn(lines: readonly string[]): ServerEvent | null {
  let name = 'message';
  let id = '';
  const data: string[] = [];
  for (const line of lines) {
    const at = line.indexOf(':');
    const field = line.slice(0, at);
    const value = line.slice(at + 1).replace(/^ /, '');
    if (field === 'event') name = value;
    if (field === 'id') id = value;
    if (field === 'data') data.push(value);
  }
  return data.length === 0 ? null : { name, id, data: data.join('\n') };
}
