import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { exampleTool } from './example-tool.ts';
import { recordedAnswer, recordedArguments, recordedResult } from './recorded-session.ts';

test('the played session shows what its tool returns', () => {
  const program = `${exampleTool}
import base64, json, types
parts = savings_chart(**json.loads(${JSON.stringify(recordedArguments)}),
                      context=types.SimpleNamespace(result=lambda parts: parts))
print(json.dumps([base64.b64encode(parts[0]["data"]).decode(), parts[1]]))`;
  const [picture, text] = JSON.parse(
    execFileSync('python3', ['-c', program], { encoding: 'utf8' }),
  ) as [string, string];
  expect(recordedResult.content).toEqual([
    { type: 'image', mediaType: 'image/svg+xml', data: picture },
    { type: 'text', text },
  ]);
  const [interest] = /[\d,]+(?= is interest)/.exec(text) ?? [];
  expect(recordedAnswer).toContain(interest);
});
