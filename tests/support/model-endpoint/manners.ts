/** Rules of OpenAI-compatible chat completions that are stricter than OpenAI's. */

import { fields, list, word, type Fields } from './read-body.ts';
import type { Manners, Refusal } from './script.ts';

export function mannersRefusal(messages: readonly Fields[], manners: Manners): Refusal | undefined {
  switch (manners) {
    case 'openai':
      return undefined;
    case 'deepseek':
      return deepseekRefusal(messages);
    case 'mistral':
      return mistralRefusal(messages);
  }
}

/** From the first calls on, in all later requests. */
function deepseekRefusal(messages: readonly Fields[]): Refusal | undefined {
  const first = messages.findIndex(({ tool_calls }) => list(tool_calls).length > 0);
  const lacks = messages.some(
    ({ role, reasoning_content }, index) =>
      role === 'assistant' && index >= first && typeof reasoning_content !== 'string',
  );
  return first === -1 || !lacks
    ? undefined
    : refused('The `reasoning_content` in the thinking mode must be passed back to the API.');
}

function mistralRefusal(messages: readonly Fields[]): Refusal | undefined {
  for (const [index, { role, tool_calls, tool_call_id }] of messages.entries()) {
    const ids = [
      ...list(tool_calls).map(({ id }) => id),
      ...(role === 'tool' ? [tool_call_id] : []),
    ];
    const wrong = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(word(id)));
    if (wrong !== undefined)
      return refused(
        `Tool call id was ${word(wrong)} but must be a-z, A-Z, 0-9, with a length of 9.`,
        '3280',
      );
    const before = fields(messages[index - 1]).role;
    if (role === 'user' && before === 'tool')
      return refused("Unexpected role 'user' after role 'tool'", '3230');
  }
  return undefined;
}

function refused(message: string, code = 'invalid_request_error'): Refusal {
  return { status: 400, error: { message, type: 'invalid_request_error', code } };
}
