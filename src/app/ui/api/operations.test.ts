/** The explorer's operations, requests and code, from the real OpenAPI document. */

import { expect, test } from 'vitest';
import { openApiPieces } from '../../api/openapi/document.ts';
import { fakeTool } from '../../../runtime/scan/tool.fixture.ts';
import {
  toolOfOperation,
  firstDraft,
  filterOperations,
  operationsIn,
  requestOf,
  type Operation,
} from './operations.ts';
import { clientSnippet, fetchSnippet } from './snippets.ts';

const address = 'https://cloche.test/app/';

function operations(): readonly Operation[] {
  const tool = {
    ...fakeTool('a:größe', { label: 'Size', examples: [{ n: 1 }] }),
    hash: '',
    loadedAt: 0,
    state: 'ready' as const,
  };
  const listing = { state: 'ready', folder: 'tools', folderId: 'f1', revision: '1' } as const;
  const recorded = {
    name: 'a call',
    arguments: '{"n": 2}',
    text: '4',
    resultType: 'success' as const,
  };
  const pieces = openApiPieces({ ...listing, tools: [tool], problems: [] }, () => [recorded]);
  return operationsIn(JSON.parse([...pieces].join('')));
}

function find(id: string): Operation {
  const found = operations().find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

test('an operation of a tool has its examples, and begins with the first', () => {
  const operation = find('a_gr__e');
  expect(operation).toMatchObject({
    method: 'POST',
    path: '/tools/a:gr%C3%B6%C3%9Fe/invoke',
    summary: 'Size',
    group: 'a.py',
    streams: true,
    takesBody: true,
    parameters: [{ name: 'folder', in: 'query', required: false }],
    examples: [
      { label: 'example 1', body: '{\n  "arguments": {\n    "n": 1\n  }\n}' },
      { label: 'a call', body: '{\n  "arguments": {\n    "n": 2\n  }\n}' },
    ],
  });
  expect(requestOf(operation, { ...firstDraft(operation), values: { folder: 'f 1' } })).toEqual({
    method: 'POST',
    path: 'tools/a:gr%C3%B6%C3%9Fe/invoke?folder=f+1',
    headers: { Accept: 'text/event-stream' },
    body: operation.examples[0]?.body,
  });
});

test('a call without an example begins with the same arguments as the form', () => {
  const operation = { ...find('a_gr__e'), examples: [] };
  expect(toolOfOperation(operation)).toBe('a:größe');
  expect(firstDraft(operation, '{\n  "n": 3.0\n}').body).toBe(
    '{\n  "arguments": {\n    "n": 3.0\n  }\n}',
  );
  expect(firstDraft(operation).body).toBe('{\n  "arguments": {}\n}');
  expect([toolOfOperation(find('get_tool')), firstDraft(find('start_run')).body]).toEqual([
    null,
    '{}',
  ]);
});

test('what is missing or wrong is said', () => {
  const tool = find('get_tool');
  expect(requestOf(tool, firstDraft(tool))).toEqual({ fault: 'Enter “name”.' });
  const run = find('start_run');
  expect(requestOf(run, { ...firstDraft(run), body: '{' })).toMatchObject({
    fault: expect.stringContaining('The body is not JSON') as string,
  });
});

test('every operation makes a request of its address and method', () => {
  for (const operation of operations()) {
    const values = Object.fromEntries(
      operation.parameters.filter(({ required }) => required).map(({ name }) => [name, 'x/y']),
    );
    const request = requestOf(operation, { ...firstDraft(operation), values });
    if ('fault' in request) throw new Error(request.fault);
    expect(request.method).toBe(operation.method);
    expect(request.path).toBe(operation.path.slice(1).replace(/\{\w+\}/g, 'x%2Fy'));
    expect('body' in request).toBe(operation.method === 'POST');
    const draft = { ...firstDraft(operation), values };
    expect(() => clientSnippet(operation, draft, request, address)).not.toThrow();
  }
});

test('the code to copy sends the same request', () => {
  const operation = find('a_gr__e');
  const draft = {
    ...firstDraft(operation),
    asEvents: false,
    body: '{"arguments": {"n": 3},\n "session": "s1"}',
  };
  const request = requestOf(operation, draft);
  if ('fault' in request) throw new Error(request.fault);
  expect(fetchSnippet(request, address))
    .toBe(`const response = await fetch("https://cloche.test/app/api/tools/a:gr%C3%B6%C3%9Fe/invoke", {
  method: 'POST',
  headers: {"Content-Type":"application/json"},
  body: "{\\"arguments\\": {\\"n\\": 3}, \\"session\\": \\"s1\\"}",
});
console.log(await response.json());`);
  expect(clientSnippet(operation, draft, request, address))
    .toBe(`import { connect } from 'cloche'; // or from "https://cloche.test/app/cloche-client.js"
const cloche = await connect("https://cloche.test/app/");
const result = await cloche.call("a:größe", {"n":3}, {"session":"s1"});
console.log(result.textResultForLlm);`);
});

test('operations are found by method, address, name and file', () => {
  const ids = (query: string): string[] =>
    filterOperations(operations(), query).map(({ id }) => id);
  expect(ids('a.py')).toEqual(['a_gr__e']);
  expect(ids('delete runs')).toEqual(['stop_run']);
  expect(ids('nothing like it')).toEqual([]);
  expect(ids(' ').length).toBe(operations().length);
});
