import { expect, test } from 'vitest';
import type { ProviderAccess } from '../../../runtime/protocol/models.ts';
import { ModelError } from '../../../runtime/spec/model-error.ts';
import { secretsOf, removeSecrets } from './access.ts';
import { toSentError } from './buffered-answer.ts';
import { refusalOf } from './fault-words.ts';
import { Refusal } from './refusal.ts';

const access: ProviderAccess = {
  kind: 'openai-compatible',
  name: 'Mine',
  baseUrl: 'https://mine.example/v1',
  key: 'sk-"secret"/1234',
  headers: [['authorization', 'Bearer other-secret-5678']],
};

test('secrets are removed in every spelling, in parts of a header, and where a text was cut', () => {
  const hide = (text: string): string => removeSecrets(text, secretsOf(access));
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

test('a short value is removed if it may be a credential, and ordinary words stay', () => {
  const secrets = secretsOf({
    ...access,
    key: 'k3y!',
    headers: [
      ['x-flag', 'true'],
      ['x-team', 'blue'],
      ['x-org', 'ab12'],
      ['x-auth', 'open'],
      ['authorization', 'Bearer tiny'],
    ],
  });
  const said = 'k3y! true blue ab12 open Bearer tiny; a bearer of tiny things, isTrue: true';
  expect(removeSecrets(said, secrets)).toBe(
    '[secret] true blue [secret] [secret] [secret]; a bearer of [secret] things, isTrue: true',
  );
});

test('a refusal is searched beyond the part that is shown, and that part appears nowhere', () => {
  const whole = `${'x'.repeat(2_000)} nesting depth of ${access.key}`;
  const fault = refusalOf(access, 'm', { status: 400, codes: '', message: whole, inShape: true });
  expect(Refusal.quotedBy(fault)).toBe(whole);
  expect(fault.message).not.toContain('nesting');
  expect(JSON.stringify([fault, toSentError(fault), Object.entries(fault)])).not.toMatch(/nesting/);
  expect(Object.getOwnPropertyNames(fault).toSorted()).toEqual(
    Object.getOwnPropertyNames(new ModelError('request', '')).toSorted(),
  );
  const endless = { status: 400, codes: '', message: 'x'.repeat(1_000_000), inShape: true };
  expect(Refusal.quotedBy(refusalOf(access, 'm', endless))).toHaveLength(20_000);
});

test('secrets are removed before a message is cut', () => {
  const message = `${'x'.repeat(591)} ${access.key} and more`;
  const reported = { status: 400, codes: '', message, inShape: true };
  expect(refusalOf(access, 'm', reported).message).toBe(
    `Mine rejected the request as invalid (400): ${'x'.repeat(591)} [secret]`,
  );
});
