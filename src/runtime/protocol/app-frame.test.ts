import { expect, test } from 'vitest';
import { appFrameAddress, readReachedOrigins } from './app-frame.ts';

test('the address of an app’s frame carries origins, and nothing that means something in a header', () => {
  const origins = ['https://a.example', 'wss://b.example:8443', 'http://[::1]:80'];
  const [page, query = ''] = appFrameAddress(origins).split('?');
  expect([page, readReachedOrigins(query)]).toEqual(['mcp-app.html', origins]);
  expect(readReachedOrigins('')).toEqual([]);
  const forged = ['https://*', 'https://a"b', 'response-origin', 'https://a.example/;x', 'data:'];
  expect(readReachedOrigins(`reach=${encodeURIComponent(forged.join(' '))}`)).toEqual([]);
});
