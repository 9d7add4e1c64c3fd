import { expect, test } from 'vitest';
import type { ProviderAccess } from '../../protocol/models.ts';
import { secretsOf, withoutSecrets } from './access.ts';
import { modelFault } from './fault-words.ts';

const access: ProviderAccess = {
  ...{ kind: 'openai-compatible', name: 'Mine', baseUrl: 'https://mine.example/v1' },
  ...{ key: 'sk-"secret"/1234', headers: [['authorization', 'Bearer other-secret-5678']] },
};

test('secrets are hidden in every spelling, in parts of a header, and where a text was cut', () => {
  const hide = (text: string): string => withoutSecrets(text, secretsOf(access));
  expect([
    hide(`The key ${access.key} is wrong.`),
    hide(`{"said": "key ${JSON.stringify(access.key).slice(1, -1)}"`),
    hide(String.raw`{"said": "key sk-\"secret\"\/1234"`),
    hide(`?key=${encodeURIComponent(access.key)}&x`),
    hide('Authorization: Bearer other-secret-5678.'),
    hide('The token other-secret-5678 is wrong.'),
    hide('The token other-secre'),
    hide('The bearer has an other-s.'),
  ]).toEqual([
    'The key [secret] is wrong.',
    '{"said": "key [secret]"',
    '{"said": "key [secret]"',
    '?key=[secret]&x',
    'Authorization: [secret].',
    'The token [secret] is wrong.',
    'The token [secret]',
    'The bearer has an other-s.',
  ]);
});

test('a message is cut behind its secrets, not through them', () => {
  const message = `${'x'.repeat(591)} ${access.key} and more`;
  const told = { status: 400, codes: '', message, inShape: true };
  expect(modelFault(access, 'm', told).message).toBe(
    `Mine could not make sense of the request (400): ${'x'.repeat(591)} [secret]`,
  );
});
