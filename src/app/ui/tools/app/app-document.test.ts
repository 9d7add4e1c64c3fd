import { expect, test } from 'vitest';
import { appDocument, appPolicy } from './app-document.ts';

const own = 'https://cloche.example';
const closed =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob: data:; worker-src blob:; style-src 'unsafe-inline' blob: data:; " +
  "img-src blob: data:; font-src blob: data:; media-src blob: data:; connect-src blob: data:; frame-src 'none'; " +
  "object-src 'none'; base-uri 'none'; form-action 'none'";

test('an app reaches only the declared origins that the user has granted', () => {
  const declared = {
    connectDomains: ['https://api.example', 'wss://live.example:8443', 'https://other.example'],
    resourceDomains: ['https://cdn.example/'],
  };
  const asked: string[] = [];
  const { policy, allowed, refused } = appPolicy(
    declared,
    ({ origin }) => {
      asked.push(origin);
      return origin !== 'https://other.example';
    },
    own,
  );
  expect(asked).toEqual([
    'https://cdn.example',
    'https://api.example',
    'https://live.example:8443',
    'https://other.example',
  ]);
  expect(allowed).toEqual([
    'https://cdn.example',
    'https://api.example',
    'wss://live.example:8443',
  ]);
  expect(refused).toEqual(['https://other.example']);
  const directives = policy.split('; ');
  expect(directives).toContain(
    'connect-src blob: data: https://api.example wss://live.example:8443',
  );
  expect(directives).toContain('img-src blob: data: https://cdn.example');
  expect(directives).toContain(
    "script-src 'unsafe-inline' 'unsafe-eval' blob: data: https://cdn.example",
  );
});

test.for([
  'https://cloche.example',
  'https://*.example',
  'https://a;script-src.example',
  'https://a"b.example',
  '*',
  'https:',
  'https://a.example; script-src *',
  'https://a.example https://b.example',
  'https://a.example/path',
  'https://user:key@a.example',
  "'self'",
  'data:',
  'ftp://a.example',
  '',
])('%s is never part of a policy, whatever is granted', (origin) => {
  const declared = { connectDomains: [origin], resourceDomains: [origin] };
  expect(appPolicy(declared, () => true, own)).toEqual({
    policy: closed,
    allowed: [],
    refused: [origin],
  });
});

test('whether an origin is of this computer is left to the grant', () => {
  const asked: boolean[] = [];
  appPolicy(
    { connectDomains: ['http://localhost:8080', 'https://api.example'], resourceDomains: [] },
    ({ local }) => asked.push(local) < 0,
    own,
  );
  expect(asked).toEqual([true, false]);
});

test('the policy and the prelude come before everything of the app', () => {
  const document = appDocument('<!doctype html><html><head><script>run()</script>', {
    policy: closed,
  });
  expect(document).toMatch(
    /^<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none';[^"]+"><script>[^<]+<\/script><!doctype html>/,
  );
  // No quotation mark may end the attribute.
  expect(closed).not.toContain('"');
});
