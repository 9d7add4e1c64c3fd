import { expect, test } from 'vitest';
import type { StepEntry } from '../../../../agent/session/session-state.ts';
import { stepEndWords, triesWords } from './step-words.ts';

const fault = { fault: 'network', message: 'No answer.' } as const;

test('the words say how an answer ended, unless it is complete', () => {
  const text = { type: 'text', text: 'Hello.' } as const;
  const reasoning = { type: 'reasoning', text: 'Hm.' } as const;
  const words = (finish: StepEntry['finish'], ...parts: Parameters<typeof stepEndWords>[1]) =>
    stepEndWords({ finish, fault: finish === 'cut' ? fault : null }, parts, false);
  expect([
    words(null),
    words('stop', reasoning, text),
    words('calls', reasoning),
    words('stop', reasoning),
    words('stop', reasoning, { type: 'text', text: '' }),
    words('cut', text),
    stepEndWords({ finish: 'cut', fault }, [text], true),
  ]).toEqual([
    '',
    '',
    '',
    'The model stopped after its reasoning and gave no answer.',
    'The model stopped after its reasoning and gave no answer.',
    'Not finished: No answer.',
    'Not finished.',
  ]);
});

test('a call that the server left in the text is pointed out, a quoted one is not', () => {
  const call = '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>';
  const words = (text: string) =>
    stepEndWords({ finish: 'stop', fault: null }, [{ type: 'text', text }], false);
  expect(words(`I look it up.\n\n${call}`)).toContain('so no tool ran');
  for (const text of [`\`\`\`\n${call}\n\`\`\``, `${call}\nThat is a call.`, `Write ${call}`])
    expect(words(text)).toBe('');
});

test('failed requests are counted, including the last one', () => {
  expect([
    triesWords({ count: 1, ms: 200, fault }),
    triesWords({ count: 5, ms: 15_000, fault: null }),
  ]).toEqual(['1 failed request: No answer.', '5 failed requests in 15.00 s']);
});
