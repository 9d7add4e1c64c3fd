import { expect, test } from 'vitest';
import { safeName } from './save-file.ts';

test('names of downloads contain no path, control or reordering character', () => {
  expect(
    ['weather:get.json', '../../etc/passwd', '.profile', 'a\u202Egpj.exe', 'häufig.txt', '::'].map(
      safeName,
    ),
  ).toEqual(['weather-get.json', 'etc-passwd', 'profile', 'a-gpj.exe', 'häufig.txt', 'result']);
});
