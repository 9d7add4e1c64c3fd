import { expect, test } from 'vitest';
import type { ResourceContent } from '../../../../runtime/protocol/mcp.ts';
import { appSource, resourceResult } from './app-source.ts';

const none = { connectDomains: [], resourceDomains: [] };
const page: ResourceContent = {
  uri: 'ui://a',
  mimeType: 'text/html;profile=mcp-app',
  text: '<p>',
  blob: '',
  meta: '{}',
};

function from(contents: readonly ResourceContent[]) {
  const asked: string[][] = [];
  const deps = {
    file: (path: string) => (path === 'a.html' ? '<p>file' : undefined),
    resource: (...question: string[]) => {
      asked.push(question);
      return Promise.resolve(contents);
    },
  };
  return { asked, deps };
}

const server = { id: 's', url: 'https://mcp.example/' };

test('a tool of the folder has a file, and the origins of its spec', async () => {
  const { asked, deps } = from([]);
  const app = { file: 'a.html', connectDomains: ['https://a.example'], resourceDomains: [] };
  expect(await appSource({ app }, deps)).toMatchObject({
    html: '<p>file',
    connectDomains: ['https://a.example'],
  });
  const lost = { app: { file: 'gone.html', ...none } };
  await expect(appSource(lost, deps)).rejects.toThrow('gone.html is not in the open folder');
  await expect(appSource({}, deps)).rejects.toThrow('no app');
  expect(asked).toEqual([]);
});

test('a tool of a server has a resource, which declares its origins', async () => {
  const csp = {
    connectDomains: ['https://a.example', 7],
    resourceDomains: new Array(30).fill('https://b.example'),
  };
  const tool = { server, app: { file: 'ui://a', ...none } };
  const { asked, deps } = from([{ ...page, meta: JSON.stringify({ ui: { csp } }) }]);
  expect(await appSource(tool, deps)).toEqual({
    html: '<p>',
    connectDomains: ['https://a.example'],
    resourceDomains: new Array(20).fill('https://b.example'),
  });
  expect(asked).toEqual([['s', 'ui://a']]);
  const encoded = from([{ ...page, text: '', blob: btoa('<p>blob') }]);
  expect(await appSource(tool, encoded.deps)).toEqual({ html: '<p>blob', ...none });
});

test.for([
  [],
  [{ ...page, mimeType: 'text/plain' }],
  [{ ...page, text: '' }],
  [{ ...page, text: '', blob: '%' }],
])('what is no page is refused (%#)', async (contents) => {
  const tool = { server, app: { file: 'ui://a', ...none } };
  await expect(appSource(tool, from(contents).deps)).rejects.toThrow('not an HTML page');
});

test('a resource is passed on as MCP has it', () => {
  const blob = { uri: 'b', mimeType: '', text: '', blob: 'AA==', meta: '{"a":1}' };
  expect(resourceResult([page, blob])).toEqual({
    contents: [
      { uri: 'ui://a', mimeType: 'text/html;profile=mcp-app', text: '<p>', _meta: {} },
      { uri: 'b', blob: 'AA==', _meta: { a: 1 } },
    ],
  });
});
