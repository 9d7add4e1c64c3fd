/** Results of calls: an odd or hostile part of a result fails neither the call nor the other parts. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { McpOutcome } from '../../../runtime/protocol/mcp.ts';
import { deeperThan, type Json } from '../../../runtime/spec/json.ts';
import type { ContentPart } from '../../../runtime/spec/result.ts';
import {
  answerTo,
  sloppyServer,
  stream,
  typed,
  valueOf,
  type SloppyServer,
} from './leniency/sloppy-server.fixture.ts';
import { contentsOf, messagesOf, outcomeOf } from './call-outcome.ts';

const deep = '['.repeat(10_000) + ']'.repeat(10_000);
const kept = '{"type":"text","text":"kept"}';

/** A server whose calls return this result. @param result JSON */
function returning(result: string): SloppyServer {
  return sloppyServer({
    'tools/call': (id) => typed(answered(id, `"result":${result}`), 'application/json'),
  });
}

function answered(id: unknown, members: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${members}}`;
}

/** Expects parts that are texts, JSON of a bounded depth, or bytes. */
function expectReadable(content: readonly ContentPart[]): void {
  for (const part of content) {
    expect(typeof ('text' in part ? part.text : part.data)).toBe('string');
    if (part.type === 'json') expect(deeperThan(JSON.parse(part.text) as Json, 200)).toBe(false);
  }
}

test.each([
  ['structuredContent', `{"content":[${kept}],"structuredContent":{"a":${deep}}}`],
  ['structuredContent that is a list', `{"content":[${kept}],"structuredContent":${deep}}`],
  ['a block of an unknown type', `{"content":[${kept},{"type":"odd","data":${deep}}]}`],
  ['the text of a block', `{"content":[${kept},{"type":"text","text":${deep}}]}`],
  ['a list in place of a block', `{"content":[${kept},${deep}]}`],
  ['_meta', `{"content":[${kept}],"_meta":{"a":${deep}}}`],
  ['an unknown member', `{"content":[${kept}],"a":${deep}}`],
  ['a result with another fault', `{"content":${kept},"isError":0,"structuredContent":${deep}}`],
])('%s may be nested 10,000 levels deep, and the rest is kept', async (_, result) => {
  const server = returning(result);
  const { content, textResultForLlm, isError } = valueOf(await server.call());
  expect(textResultForLlm).toContain('kept');
  expect(isError).toBe(false);
  expectReadable(content);
  expect(await server.problems()).toContain(
    'tools/call: anything nested more than 200 levels deep is left out.',
  );
});

test('a value that is nested less deeply is kept whole', async () => {
  const value = '['.repeat(150) + ']'.repeat(150);
  const server = returning(`{"content":[],"structuredContent":{"a":${value}}}`);
  expect(valueOf(await server.call()).textResultForLlm).toBe(`{"a":${value}}`);
  expect(await server.problems()).toEqual([]);
});

test('an event and the data of an error may be nested too deeply', async () => {
  const result = `"result":{"content":[${kept}],"a":${deep}}`;
  const inEvent = sloppyServer({
    'tools/call': (id) => stream(`data: ${answered(id, result)}\n\n`),
  });
  expect(valueOf(await inEvent.call()).textResultForLlm).toBe('kept');
  const error = `"error":{"code":-32000,"message":"Sold out","data":${deep}}`;
  for (const status of [200, 400]) {
    const headers = { 'Content-Type': 'application/json' };
    const refused = sloppyServer({
      'tools/call': (id) => new Response(answered(id, error), { status, headers }),
    });
    expect(await refused.call()).toMatchObject({
      ok: false,
      fault: { message: expect.stringContaining('Sold out') as string },
    });
  }
});

test('the name and the address of a linked resource are bounded', () => {
  const linked = (name: string, uri: string): McpOutcome =>
    outcomeOf({ content: [{ type: 'resource_link', name, uri }] });
  expect(linked('Notes', 'file:///notes.md').textResultForLlm).toBe('Notes: file:///notes.md');
  const { textResultForLlm } = linked('n'.repeat(100_000), `data:,${'x'.repeat(1_000_000)}`);
  expect(textResultForLlm.length).toBeLessThan(8_300);
  expect(textResultForLlm).toMatch(
    /^n{200}… \(100000 characters\): data:,x+… \(1000006 characters\)$/,
  );
});

const json = fc.jsonValue();
const resource = fc.record(
  { uri: json, text: json, blob: json, mimeType: json },
  { requiredKeys: [] },
);
const types = ['text', 'image', 'audio', 'resource', 'resource_link', 'video'];
const block = fc.record(
  {
    type: fc.constantFrom<Json>(...types, null, 7),
    text: fc.oneof(fc.string(), json),
    data: fc.oneof(fc.base64String(), json),
    mimeType: fc.oneof(fc.constant('image/png'), json),
    uri: fc.oneof(fc.webUrl(), json),
    name: json,
    resource: fc.oneof(resource, json),
    annotations: json,
    _meta: json,
  },
  { requiredKeys: [] },
);
const meta = fc.record(
  { progressToken: json, 'io.modelcontextprotocol/related-task': json, view: json },
  { requiredKeys: [] },
);
const result = fc.record(
  {
    content: fc.oneof(fc.array(fc.oneof(block, json)), block, json),
    structuredContent: json,
    isError: fc.constantFrom<Json>(true, false, null, 'true', 0),
    _meta: fc.oneof(meta, json),
  },
  { requiredKeys: [] },
);

test('a call whose result has any JSON in its members is answered', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(result, json), async (value) => {
      const server = sloppyServer({
        'tools/call': (id) => typed(answerTo(id, value), 'application/json'),
      });
      const { content, metadata } = valueOf(await server.call());
      expectReadable(content);
      expect(typeof JSON.parse(metadata)).toBe('object');
    }),
  );
});

test('any JSON is read as a result, as a resource and as a prompt', () => {
  fc.assert(
    fc.property(fc.oneof(result, json), fc.array(fc.oneof(block, json)), (value, items) => {
      expectReadable(outcomeOf(value).content);
      expectReadable(contentsOf({ contents: items }));
      const messages = items.map((content) => ({ content }));
      expectReadable(messagesOf({ messages: [...items, ...messages] }).map(({ part }) => part));
    }),
  );
});

test('an error without a text says that there is none', () => {
  for (const content of [[], null, [{ type: 'text', text: ' ' }]]) {
    const { isError, textResultForLlm } = outcomeOf({ content, isError: true });
    expect([isError, textResultForLlm.trim()]).toEqual([
      true,
      'The server reported an error, but did not say what went wrong.',
    ]);
  }
  expect(outcomeOf({ content: [], structuredContent: { code: 4 }, isError: true })).toMatchObject({
    textResultForLlm: '{"code":4}',
  });
});
