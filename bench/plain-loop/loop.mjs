/** The floor of a model's turn: a bare loop on the same library, in the page itself. It stores and shows nothing. */

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';

/**
 * @param {{baseURL: string, model: string, system: string, message: string, tools: any[], answer: string}} asked `answer`
 * is what every call returns
 */
async function run({ baseURL, model, system, message, tools, answer }) {
  const provider = createOpenAICompatible({
    name: 'plain',
    baseURL,
    apiKey: 'any',
    includeUsage: true,
  });
  const asks = provider.chatModel(model);
  const prompt = [
    { role: 'system', content: system },
    { role: 'user', content: [{ type: 'text', text: message }] },
  ];
  for (;;) {
    const { stream } = await asks.doStream({ prompt, tools });
    let text = '';
    const calls = [];
    for await (const part of stream) {
      if (part.type === 'text-delta') text += part.delta;
      if (part.type === 'tool-call') calls.push(part);
    }
    if (calls.length === 0) return text;
    const asked = calls.map(({ toolCallId, toolName, input }) => ({
      ...{ type: 'tool-call', toolCallId, toolName, input: JSON.parse(input) },
    }));
    prompt.push({ role: 'assistant', content: [{ type: 'text', text }, ...asked] });
    const results = calls.map(({ toolCallId, toolName }) => ({
      ...{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: answer } },
    }));
    prompt.push({ role: 'tool', content: results });
  }
}

Object.assign(globalThis, { plainLoop: { run } });
