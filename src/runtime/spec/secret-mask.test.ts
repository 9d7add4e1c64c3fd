import { expect, test } from 'vitest';
import { SecretMask } from './secret-mask.ts';
import { threadMs } from '../../../tests/support/thread-time.ts';

const secret = 'sk-Kept/on+the_host~7';

/** Masks a body that arrives in pieces of this length. */
function masked(body: string | Uint8Array, length = Infinity, secrets = [secret]): string {
  const mask = new SecretMask(secrets);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const out: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += length)
    out.push(mask.next(Uint8Array.from(bytes.subarray(at, at + length))));
  out.push(mask.rest());
  return Buffer.concat(out).toString('latin1');
}

const hex = (text: string) => Buffer.from(text).toString('hex');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const each = (text: string, one: (character: string, code: number) => string) =>
  Array.from(text, (character) => one(character, character.charCodeAt(0))).join('');

const encodings: Record<string, string> = {
  'as it is': secret,
  'upper case': secret.toUpperCase(),
  'lower case': secret.toLowerCase(),
  reversed: Array.from(secret).reverse().join(''),
  'percent encoding': encodeURIComponent(secret),
  'percent encoding of everything': each(secret, (_, code) => `%${code.toString(16)}`),
  'percent encoding in upper case': each(
    secret,
    (_, code) => `%${code.toString(16).toUpperCase()}`,
  ),
  'percent encoding, twice': encodeURIComponent(encodeURIComponent(secret)),
  'percent encoding, four times': encodeURIComponent(
    encodeURIComponent(encodeURIComponent(encodeURIComponent(secret))),
  ),
  hex: hex(secret),
  'hex in pairs': hex(secret).replace(/..(?!$)/g, '$& '),
  'hex with colons': hex(secret).replace(/..(?!$)/g, '$&:'),
  'hex in upper case': hex(secret).toUpperCase(),
  base64: base64(secret),
  'base64 after one byte': base64(`u${secret}`),
  'base64 after two bytes': base64(`u:${secret}`),
  'base64 among others': base64(`somebody:${secret}:more`),
  base64url: Buffer.from(`x?>${secret}`).toString('base64url'),
  'base64 with escaped slashes': base64(secret).replaceAll('/', '\\/'),
  'base64 percent-encoded': encodeURIComponent(base64(secret)),
  'base64 in lines': base64(`${'x'.repeat(50)}${secret}`).replace(/.{8}/g, '$&\r\n'),
  'base64 in lines, as JSON': JSON.stringify(base64(secret).replace(/.{8}/g, '$&\n')),
  'JSON with escaped slashes': secret.replaceAll('/', '\\/'),
  'base64 in indented lines': base64(`${'x'.repeat(50)}${secret}`).replace(/.{8}/g, '$&\r\n \t '),
  'JSON in JSON': JSON.stringify(JSON.stringify(secret).replaceAll('/', '\\/')).slice(3, -3),
  'JSON in JSON in JSON': JSON.stringify(
    JSON.stringify(JSON.stringify(secret).replaceAll('/', '\\/')).replaceAll('/', '\\/'),
  ).slice(7, -7),
  'JSON in JSON in JSON, in ASCII': each(secret, (_, code) => `\\\\\\\\u00${code.toString(16)}`),
  'JSON in JSON, in ASCII': each(secret, (_, code) => `\\\\u00${code.toString(16)}`),
  'JSON in ASCII': each(secret, (_, code) => `\\u00${code.toString(16)}`),
  'JSON in part': secret.replaceAll('e', '\\u0065'),
  JavaScript: each(secret, (_, code) => `\\x${code.toString(16)}`),
  'JavaScript in braces': each(secret, (_, code) => `\\u{0${code.toString(16)}}`),
  'JavaScript in two lines': secret.replace(/.{8}/, '$&\\\n'),
  'escape()': each(secret, (_, code) => `%u00${code.toString(16)}`),
  'HTML by long numbers': each(secret, (_, code) => `&#0000000${code};`),
  'HTML by very long numbers': each(
    secret,
    (_, code) => `&#x${'0'.repeat(20)}${code.toString(16)};`,
  ),
  'HTML without semicolons': each(secret, (_, code) => `&#${code}`),
  'HTML by number': each(secret, (_, code) => `&#${code};`),
  'HTML by hexadecimal number': each(secret, (_, code) => `&#x${code.toString(16)};`),
  'HTML by name': secret.replaceAll('/', '&sol;').replaceAll('+', '&plus;'),
  'quoted-printable': each(secret, (_, code) => `=${code.toString(16).toUpperCase()}`),
  'quoted-printable in lines': secret.replace(/.{5}/g, '$&=\r\n'),
  'UTF-16 with escapes': each(secret, (character) => `${character}%00`),
  'UTF-16': Buffer.from(secret, 'utf16le').toString('latin1'),
};

/** Undoes every encoding of the list, wherever one occurs. */
function readable(text: string): string {
  let unescaped = text;
  for (let times = 0; times < 4; times += 1)
    unescaped = unescaped.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(parseInt(code, 16)),
    );
  const plain = unescaped
    .replace(/(?:[0-9a-f]{2}[ :]){11,}[0-9a-f]{2}/gi, (pairs) => pairs.replaceAll(/[ :]/g, ''))
    .replace(/=\r?\n|\\\n/g, '')
    .replace(
      /\\u\{0*(..)\}|\\*\\u00(..)|%u00(..)|\\x(..)|=([0-9A-F]{2})/g,
      (_, ...codes: string[]) =>
        String.fromCharCode(parseInt(codes.find((code) => code) ?? '', 16)),
    )
    .replace(/&#(\d+);?/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&#x0*(..);/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll('&sol;', '/')
    .replaceAll('&plus;', '+')
    .replace(/\\n|[\0\r\n\t \\"]/g, '');
  const runs = plain.match(/[\w+/-]{12,}/g) ?? [];
  const decoded = runs.flatMap((run) => [
    Buffer.from(run, 'base64').toString('latin1'),
    Buffer.from(run, 'hex').toString('latin1'),
  ]);
  const all = [plain, ...decoded].join(' ').toLowerCase();
  return `${all} ${Array.from(all).reverse().join('')}`;
}

test.for(Object.entries(encodings))('%s: nothing of the secret can be read', ([, text]) => {
  const body = `{"echo": "${text}", "other": "kept"}`;
  // The control: without a mask, it can.
  expect(readable(body)).toContain(secret.toLowerCase());
  for (const length of [Infinity, 1, 2, 3, 5, 7, 16]) {
    const out = masked(body, length);
    expect(out).toHaveLength(Buffer.byteLength(body, 'latin1'));
    expect(out).toMatch(/^\{"echo": ".*", "other": "kept"\}$/s);
    for (let at = 0; at + 5 <= secret.length; at += 1)
      expect(readable(out)).not.toContain(secret.slice(at, at + 5).toLowerCase());
  }
});

test.for(Object.entries(encodings))(
  '%s: no more than its beginning can be read where a body breaks off',
  ([, text]) => {
    const ends = [secret.slice(0, 8), secret.slice(-8)].map((end) => end.toLowerCase());
    const held: string[] = [];
    for (let length = 1; length < text.length; length += 1) {
      const body = Uint8Array.from(Buffer.from(`It is: ${text}`.slice(0, 7 + length), 'latin1'));
      const masks = [{ mayBeCut: true }, { mayBeCut: false }].map((options) => {
        const mask = new SecretMask([secret]);
        const shown = [mask.next(body.slice()), mask.rest(options)];
        return Buffer.concat(shown).toString('latin1');
      });
      const [out = '', open = ''] = masks;
      expect(out).toHaveLength(body.length);
      expect(out).toMatch(/^It is: /);
      for (const end of ends) {
        expect(readable(out)).not.toContain(end);
        if (readable(open).includes(end)) held.push(open);
      }
    }
    // The control: otherwise, it can be read.
    expect(held).not.toEqual([]);
  },
);

test('only what a secret can begin with is masked where a text breaks off', () => {
  const mask = new SecretMask([secret]);
  const cut = { mayBeCut: true };
  for (const text of ['It is sk-Kept', 'sk-Kept/on.', 'R&D&longerThanThat', 'a\\u00', '100%2', ''])
    expect(mask.text(text, cut)).toBe(text);
  expect(mask.text('It is sk-Kept/', cut)).toBe(`It is ${'*'.repeat(8)}`);
  expect(mask.text('sk-sk-Kept/on', cut)).toBe(`sk-${'*'.repeat(10)}`);
  expect(mask.text(`${secret} sk-Kept/on%2`, cut)).toBe(`${'*'.repeat(21)} ${'*'.repeat(12)}`);
});

test('other bytes pass unchanged, however they are cut', () => {
  const bytes = Uint8Array.from({ length: 20_000 }, (_, n) => (n * n * 7 + (n >> 3)) & 255);
  const texts = [
    'sk-Kept/on+the_hosts',
    '%',
    '\\',
    '&',
    '&amp; &#1;',
    '%zz=\\u12',
    'sk-sk-Kept/on',
  ];
  for (const body of [bytes, ...texts])
    for (const length of [1, 3, 1_000])
      expect(masked(body, length)).toBe(Buffer.from(body).toString('latin1'));
});

test('a line is passed on before the next one comes', () => {
  const mask = new SecretMask([secret]);
  for (const line of ['data: s\n', 'a & b\n', 'x=\n', '100 %\n', 's\r\n'])
    expect(Buffer.from(mask.next(new Uint8Array(Buffer.from(line)))).toString()).toBe(line);
});

test('a secret that repeats, overlaps itself, or has characters of escape sequences is masked', () => {
  expect(masked(`${secret}${secret}.${secret}`)).toBe(`${'*'.repeat(42)}.${'*'.repeat(21)}`);
  expect(masked('sk-Kept/sk-Kept/on+the_host~7')).toBe(`sk-Kept/${'*'.repeat(21)}`);
  for (const odd of [
    'a%41%25b\\n\\\\',
    '&amp;&lt;=3D%',
    'C:\\users\\x',
    '========',
    '\\\\\\\\\\\\\\\\',
  ])
    for (const text of [odd, encodeURIComponent(odd), JSON.stringify(odd).slice(1, -1)])
      expect(masked(`<${text}>`, 3, [odd])).toMatch(/^<\*+>$/);
});

test('a secret with letters beyond ASCII is masked in Latin-1 and in UTF-8', () => {
  const odd = 'schlüssel-é';
  for (const encoding of ['latin1', 'utf8'] as const)
    expect(masked(Buffer.from(`<${odd}>`, encoding), 4, [odd])).toMatch(/^<\*+>$/);
  expect(
    masked(
      each(odd, (_, code) => `\\u00${code.toString(16)}`),
      4,
      [odd],
    ),
  ).toMatch(/^\*+$/);
});

test('a body may end within an escape sequence', () => {
  const open = each(secret, (_, code) => `&#${code}`);
  expect(masked(open, 3)).toMatch(/^\*+$/);
  expect(new SecretMask([secret]).text(open)).toMatch(/^\*+$/);
  expect(masked(`${open.slice(0, -4)}&#`)).toBe(`${open.slice(0, -4)}&#`);
});

test('of several secrets the longest is masked', () => {
  expect(masked('x user:password y password', 2, ['user:password', 'password'])).toBe(
    `x ${'*'.repeat(13)} y ${'*'.repeat(8)}`,
  );
});

test('texts of headers and messages are masked', () => {
  const mask = new SecretMask([secret]);
  expect(mask.text(`Bearer ${secret}; é`)).toBe(`Bearer ${'*'.repeat(21)}; é`);
  expect(mask.text(`“${secret}” is invalid`)).toBe(`“${'*'.repeat(21)}” is invalid`);
});

test('long bodies are masked quickly, also those that resemble the secret', () => {
  const alike = [secret.slice(0, -1), base64(secret), '%73%6b%2d', 'lorem ipsum dolor sit amet '];
  for (const text of alike) {
    const piece = Uint8Array.from(Buffer.from(text.repeat(65_536 / text.length)));
    const from = threadMs();
    const mask = new SecretMask([secret, base64('somebody:password')]);
    for (let n = 0; n < 16; n += 1) mask.next(piece.slice());
    // A tenth of this on a machine that does nothing else.
    expect(threadMs() - from).toBeLessThan(5_000);
  }
});
