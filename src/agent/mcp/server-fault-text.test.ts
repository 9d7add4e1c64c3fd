import { expect, test } from 'vitest';
import { bridgeLine } from './server-fault-text.ts';

test('the bridge is told which page may use it, unless it allows that page by itself', () => {
  expect(bridgeLine('node server.js', 'http://localhost:4747')).toBe(
    'npx cloche bridge -- node server.js',
  );
  expect(bridgeLine('node server.js', 'https://tools.example')).toBe(
    'npx cloche bridge --allow-origin https://tools.example -- node server.js',
  );
});
