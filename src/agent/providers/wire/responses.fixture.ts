/** Frames of the Responses API for tests. */

import { frame, inPieces, utf8, type Read } from './streams.fixture.ts';

export const hi = '{"text":"hi"}';
export const bye = '{"text":"bye"}';
export const usage = { input_tokens: 3, output_tokens: 2 };
export const created = { type: 'response.created', response: { id: 'r', output: [] } };
export const parts = (text: string): object[] => [{ type: 'output_text', text, annotations: [] }];
export const message = { type: 'message', id: 'msg', role: 'assistant' };
export const call = { type: 'function_call', id: 'fc', call_id: 'c', name: 'sess__echo' };
export const added = (item: object, more: object = { output_index: 0 }): object => ({
  type: 'response.output_item.added',
  ...more,
  item,
});
export const done = (item: object, more: object = { output_index: 0 }): object => ({
  type: 'response.output_item.done',
  ...more,
  item,
});
export const text = (
  delta: string,
  more: object = { item_id: 'msg', output_index: 0 },
): object => ({
  type: 'response.output_text.delta',
  ...more,
  delta,
});
export const args = (delta: string, more: object = { item_id: 'fc', output_index: 0 }): object => ({
  type: 'response.function_call_arguments.delta',
  ...more,
  delta,
});
export const whole = (output: object[] = [], more: object = {}): object => ({
  type: 'response.completed',
  response: { id: 'r', object: 'response', output, usage, ...more },
});
export const thought = (kind: string, members: object): object => ({
  type: `response.reasoning_${kind}`,
  item_id: 'rs',
  output_index: 0,
  ...members,
});
export const reasoning = { type: 'reasoning', id: 'rs', summary: [] };

export function answerOf(...frames: readonly (object | string)[]): Promise<Read> {
  const sent = frames.map((one) => (typeof one === 'string' ? one : frame(one)));
  return inPieces('openai-responses', [utf8(sent.join(''))]);
}
