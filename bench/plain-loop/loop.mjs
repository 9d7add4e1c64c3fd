/** The floor of a model's turn: a bare loop on the same library, in the page itself. It stores and shows nothing. */

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';

/**
 * @param {{baseURL: string, model: string, system: string, message: string, tools: any[], answer: string, most?: number}} asked
 * `answer` is what every call returns; at most `most` questions
 */
async function run({ baseURL, model, system, message, tools, answer, max = Infinity }) {
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
  for (let asked = 1; ; asked += 1) {
    const { stream } = await asks.doStream({ prompt, tools });
    let text = '';
    const calls = [];
    for await (const part of stream) {
      if (part.type === 'text-delta') text += part.delta;
      if (part.type === 'tool-call') calls.push(part);
    }
    if (calls.length === 0 || asked === max) return text;
    const made = calls.map(({ toolCallId, toolName, input }) => ({
      type: 'tool-call',
      toolCallId,
      toolName,
      input: JSON.parse(input),
    }));
    prompt.push({ role: 'assistant', content: [{ type: 'text', text }, ...made] });
    const results = calls.map(({ toolCallId, toolName }) => ({
      type: 'tool-result',
      toolCallId,
      toolName,
      output: { type: 'text', value: answer },
    }));
    prompt.push({ role: 'tool', content: results });
  }
}

Object.assign(globalThis, { plainLoop: { run } });
