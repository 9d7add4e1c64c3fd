import { expect, test } from 'vitest';
import { bridgeLine } from './server-fault-text.ts';

test('the command of the bridge names the page, unless the bridge allows that page by default', () => {
  expect(bridgeLine('node server.js', 'http://localhost:4747')).toBe(
    'npx cloche bridge -- node server.js',
  );
  expect(bridgeLine('node server.js', 'https://tools.example')).toBe(
    'npx cloche bridge --allow-origin https://tools.example -- node server.js',
  );
});
