import { expect, test } from 'vitest';
import { FakePage, task } from './plan-runs.fixture.ts';
import { runPage, runReport, spanText, type TaskEvidence } from './run-report.ts';
import type { RunState } from './run-record.ts';

const hostile = '</pre><script>alert(1)</script>\n# Not a heading\n```';

async function run(): Promise<RunState> {
  const page = new FakePage();
  const outputs = ['"first"', JSON.stringify(hostile)];
  page.behave = (_, own) => {
    own.calls += 2;
    page.browser.time += 1_500;
    return { end: 'finished', output: outputs.shift() ?? 'null' };
  };
  page.check = (_, output) => Promise.resolve(output === '"first"' ? 'too short' : null);
  const { id } = await page.start({
    goal: `Write\n${hostile}`,
    tasks: [task('a', [], { title: 'The <b>letter</b>', check: { judge: 'It is long.' } })],
  });
  return page.ended(id);
}

const evidence = new Map<string, TaskEvidence>([
  [
    'a',
    {
      spans: [
        span('model', 'large', 1_000, 2_000, { tokens: 1_200, cost: 0.0123 }),
        span('call', 'm:f', 2_000, 2_500, { isFailed: true }),
      ],
      calls: `m__f({})\n→ ${hostile}`,
    },
  ],
]);

test('the report says what was done, checked, used, and when', async () => {
  const text = runReport(await run(), evidence);
  expect(text.match(/^- State: .*$/gm)).toEqual([
    '- State: Done',
    '- State: Done. The check has passed.',
  ]);
  expect(text).toContain('- Check: a model judges “It is long.”');
  expect(text).toContain('- Attempts: 2');
  expect(text).toMatch(/- Took: 3\.\d s/);
  expect(text).toContain('- Used: 4 calls, 20 tokens');
  expect(text).toContain('### Failed attempts\n\n- too short');
  expect(text).toContain('- After 0.0 s: Model large, 1.0 s, 1,200 tokens, $0.0123');
  expect(text).toContain('- After 1.0 s: Call m:f, 0.5 s, failed');
  expect(text).toContain('### Calls and their results');
});

test('the report names states as the page does', async () => {
  const page = new FakePage(undefined, () => ({ end: 'interrupted', reason: 'No answer.' }));
  const { id } = await page.start({ tasks: [task('a')] });
  const text = runReport(await page.ended(id), new Map());
  expect(text.match(/^- State: .*$/gm)).toEqual([
    '- State: Needs attention. The task a was interrupted: No answer.',
    '- State: Interrupted. No answer.',
  ]);
});

test('texts of models and tools cannot change the form of a report', async () => {
  const state = await run();
  const text = runReport(state, evidence);
  // In a code block that is longer than any in the text.
  expect(text).toContain(`\`\`\`\`\nm__f({})\n→ ${hostile}\n\`\`\`\``);
  expect(text.split('\n').filter((line) => line.startsWith('# '))).toHaveLength(2);
  expect(text.startsWith('# Write </pre>')).toBe(true);
  const page = runPage(state, evidence);
  expect(page).not.toContain('<script');
  expect(page).not.toContain('<b>');
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).toContain("default-src 'none'");
  expect(page).toContain('<li>After 1.0 s: Call m:f, 0.5 s, failed</li>');
});

test('a long record makes a report that can be opened', async () => {
  const long = new Map([['a', { ...evidence.get('a'), calls: 'x'.repeat(1_000_000) }]]);
  const text = runReport(await run(), long as ReadonlyMap<string, TaskEvidence>);
  expect(text.length).toBeLessThan(30_000);
  expect(text).toContain('x…');
});

test('a step without an end is running only while its task is carried out', () => {
  const open = { ...span('call', 'm:f', 0, 1_000, {}), to: null };
  const texts = [true, false].map((goesOn) => spanText(open, String, goesOn));
  expect([...texts, spanText({ ...open, to: 7 }, String, true)]).toEqual([
    'Call m:f, running',
    'Call m:f, not ended',
    'Call m:f, 7',
  ]);
});

function span(
  kind: 'model' | 'call',
  name: string,
  from: number,
  to: number,
  more: object,
): TaskEvidence['spans'][number] {
  return { kind, name, from, to, tokens: 0, cost: null, isFailed: false, ...more };
}
