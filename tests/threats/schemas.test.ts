/** docs/decisions/attacks.md row 26: extreme schemas and specs get a limit and a message, and the page stays responsive. */

import { callInPage, listing, openFolder } from '../support/app.ts';
import { hello } from '../support/hello.ts';
import { expectNoStall } from '../support/stalls.ts';
import { expect, test } from '../support/test.ts';

const spec = (
  name: string,
  parameters: string,
  { description = '"Takes it."', seconds = 60 } = {},
): string =>
  `{"name": "schemas:${name}", "description": ${description}, "parameters": ${parameters}, "handler": take, "timeout_s": ${seconds}}`;

const source = `
def take(**values) -> str:
    return "taken"

PROPERTIES = {f"property_{number}": {"type": "string"} for number in range(100_000)}
TOOL_SPECS = [
    ${spec('pattern', '{"type": "object", "properties": {"text": {"type": "string", "pattern": "^(a+)+$"}}}', { seconds: 3 })},
    ${spec('recursive', '{"type": "object", "properties": {"child": {"$ref": "#"}}}')},
    ${spec('circular', '{"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}}')},
    ${spec('remote', '{"type": "object", "properties": {"a": {"$ref": "http://localhost:9/schema.json"}}}')},
    ${spec('properties', '{"type": "object", "properties": PROPERTIES}')},
    ${spec('description', '{"type": "object", "properties": {}}', { description: '"x" * 10_000_000' })},
    ${spec('plain', '{"type": "object", "properties": {}}')},
]
`;

test('row 26: excessive schemas', async ({ page, folder }) => {
  const { path } = await folder({ 'schemas.py': source });
  await page.goto('./');
  await expectNoStall(page, async () => {
    await openFolder(page, path);
  });
  const { tools, problems } = await listing(page);
  expect(tools.map(({ name }) => name)).toEqual([
    'schemas:pattern',
    'schemas:recursive',
    'schemas:remote',
    'schemas:plain',
  ]);
  const messages = problems.map(({ severity, message }) => `${severity}: ${message.slice(0, 200)}`);
  expect(messages).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^error: .*leads back to itself/),
      expect.stringMatching(/^warning: .*points outside the schema/),
      expect.stringMatching(/^error: parameters is .* KB of JSON/),
      expect.stringMatching(/^error: the description/),
    ]),
  );

  const call = async (tool: string, args: Record<string, unknown>): Promise<string | undefined> =>
    (await callInPage(page, `schemas:${tool}`, args)).result.error;
  let child: Record<string, unknown> = {};
  for (let level = 0; level < 50; level += 1) child = { child };
  expect(await call('recursive', child)).toBeUndefined();
  expect(await call('recursive', { child: 5 })).toMatch(/^ValidationError/);
  await expectNoStall(page, async () => {
    expect(await call('pattern', { text: `${'a'.repeat(40)}b` })).toBe('timeout');
  });
  expect(await call('plain', {})).toBeUndefined();
});

const forged = `
import json, cloche.report
spec = {"name": "forged:f", "label": "F", "description": "d", "parameters": {"type": "object",
        "properties": {f"p{n}": {} for n in range(500_000)}},
        "source": {"file": "forged.py", "line": 1, "column": None},
        "handler": {"kind": "function", "name": "f", "file": None, "line": None}, "takesContext": False, "timeout_s": 1,
        "requires_approval": False, "concurrency_safe": False, "stateless": False, "background_safe": False,
        "interrupt": "cancel", "deferred": False, "prompt_hint": "", "prompt_guides": [], "examples": [], "returns": None,
        "annotations": {}}
text = json.dumps({"file": "forged.py", "tools": [spec], "problems": [], "noSpecs": False, "imports": [], "output": "",
                   "durationMs": 1})
cloche.report.Report.to_json = lambda self: text
TOOL_SPECS = []
`;

test('row 26: a huge forged report', async ({ page, folder }) => {
  const { path } = await folder({ 'forged.py': forged, 'greet.py': hello });
  // A slow machine needs more than the usual ten seconds to make and check the report.
  await page.addInitScript(() => {
    if (self === top) localStorage.setItem('cloche:limits', '{"importMs": 60000}');
  });
  await page.goto('./');
  await expectNoStall(page, async () => {
    await openFolder(page, path);
  });
  const { tools, problems } = await listing(page);
  expect(tools.map(({ name }) => name)).toEqual(['greet:hello']);
  expect(problems.map(({ code, file }) => [code, file])).toEqual([
    ['import-protocol', 'forged.py'],
  ]);
});
