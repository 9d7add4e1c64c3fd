/** Recognises what a body is by its beginning, for servers that send a wrong content type. */

import { isObject, parseJson } from '../../../runtime/spec/guards.ts';

/**
 * Reads a body up to its first character that is not white space. Returns this character, and a response with the
 * whole body.
 */
export async function withBeginning(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<{ readonly beginning: string; readonly response: Response }> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const read: Uint8Array<ArrayBuffer>[] = [];
  let beginning = '';
  while (beginning === '') {
    const { done, value } = await reader.read();
    if (done) break;
    read.push(value);
    beginning = decoder.decode(value, { stream: true }).trimStart().charAt(0);
  }
  const whole = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const first = read.shift();
        const { done, value } =
          first === undefined ? await reader.read() : { done: false, value: first };
        if (value !== undefined) controller.enqueue(value);
        if (done) controller.close();
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  );
  return { beginning, response: new Response(whole) };
}

/** Returns whether the first line of a body is a JSON object, and more lines follow. */
export function isJsonLines(body: string): boolean {
  const [first = '', ...others] = body.trim().split('\n', 2);
  return others.length > 0 && isObject(parseJson(first));
}
