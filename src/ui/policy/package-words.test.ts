import { expect, test } from 'vitest';
import { usualIndex } from '../../grants/folder-policy.ts';
import { hostsOf } from './package-words.ts';

test('the hosts that hear of packages are all named', () => {
  expect(hostsOf(usualIndex)).toEqual(['pypi.org', 'files.pythonhosted.org', 'cdn.jsdelivr.net']);
  expect(hostsOf('http://localhost:8000/simple/')).toEqual([
    'localhost:8000',
    'hosts that localhost:8000 names',
    'cdn.jsdelivr.net',
  ]);
  expect(hostsOf('https://cdn.jsdelivr.net/simple/')).toEqual([
    'cdn.jsdelivr.net',
    'hosts that cdn.jsdelivr.net names',
  ]);
});
