/** Guards of the virtual API and of the service worker. */

/** @type {readonly import('./types.ts').Mutant[]} */
export const apiMutants = [
  {
    name: 'form bodies are refused',
    file: 'src/api/invoke-request.ts',
    find: '/^\\s*application\\/json\\s*(?:;\\s*charset\\s*=\\s*"?utf-8"?\\s*)?$/i.test(declared)',
    replace: 'declared.length >= 0',
    tests: { unit: ['src/api/invoke-refusals.test.ts'] },
  },
  {
    name: 'a form of another site is not passed on',
    file: 'workers/service/relay.ts',
    find: "if (request.mode === 'navigate' && request.method !== 'GET') return formRefused();",
    replace: '',
    tests: { unit: ['workers/service/relay.test.ts'] },
  },
  {
    name: 'a key rejoins its call',
    file: 'src/api/invoke.ts',
    find: "invocation.key === '' ? undefined : (calls.keyed(invocation.key) ?? logged)",
    replace: 'logged && undefined',
    tests: { unit: ['src/api/rejoin.test.ts'] },
  },
  {
    name: 'a key is for one request',
    file: 'src/api/invoke.ts',
    find: 'if (earlier.fingerprint !== invocation.fingerprint)',
    replace: 'if (false)',
    tests: { unit: ['src/api/rejoin.test.ts'] },
  },
  {
    name: 'the size limit of a request',
    file: 'src/api/invoke-request.ts',
    find: 'if (bytes.byteLength > valueChars)',
    replace: 'if (false)',
    tests: { unit: ['src/api/invoke-refusals.test.ts', 'src/api/create-api.test.ts'] },
  },
  {
    name: 'a session calls what was selected in it',
    file: 'src/api/invoke.ts',
    find: "invocation.session === '' ? undefined : refuseUnlessSelected(invocation.session, tool, deps)",
    replace: 'undefined',
    tests: { unit: ['src/api/invoke-refusals.test.ts', 'src/api/invoke.test.ts'] },
  },
  {
    name: "the tag of a listing is its folder's",
    file: 'src/api/listing.ts',
    find: "[state, revision, folder ?? '']",
    replace: '[state, revision]',
    tests: { unit: ['src/api/create-api.test.ts'] },
  },
  {
    name: "the tag of a listing is its state's",
    file: 'src/api/listing.ts',
    find: "[state, revision, folder ?? '']",
    replace: "[revision, folder ?? '']",
    tests: { unit: ['src/api/create-api.test.ts'] },
  },
  {
    name: 'numbers are not rounded on their way to Python',
    file: 'src/spec/json-members.ts',
    find: 'members.set(String(JSON.parse(key)), value)',
    replace: 'members.set(String(JSON.parse(key)), JSON.stringify(JSON.parse(value)))',
    tests: { unit: ['src/spec/json-members.test.ts'] },
  },
  {
    name: 'numbers of a model are not rounded',
    file: 'src/providers/wire/exact-numbers.ts',
    find: 'String(Number(token)) === token',
    replace: 'token.length > 0',
    tests: { unit: ['src/providers/wire/exact.test.ts'] },
  },
  {
    name: 'members are no prototypes',
    file: 'src/spec/json-members.ts',
    find: 'const members = new Map<string, JsonText>();',
    replace:
      'const members = Object.assign(new Map<string, JsonText>(), { set(key: string, text: JsonText) { const made: Record<string, JsonText> = {}; made[key] = text; if (Object.keys(made).length > 0) Map.prototype.set.call(this, key, text); return this; } });',
    tests: { unit: ['src/spec/json-members.test.ts'] },
  },
  {
    name: 'one page answers',
    file: 'src/platform/api-host.ts',
    find: 'this.#begin({ ifAvailable: true });',
    replace: 'this.#begin({ steal: true });',
    tests: { unit: ['src/platform/api-host.test.ts'] },
  },
  {
    name: 'another base path gets no answer',
    file: 'src/platform/api-host.ts',
    find: 'question?.base !== this.#deps.base.pathname',
    replace: 'question === undefined',
    tests: { unit: ['src/platform/api-host.test.ts'] },
  },
  {
    name: 'a half build is not shown',
    file: 'workers/service/answer-navigation.ts',
    find: 'if (!/<\\/html>\\s*$/i.test(text)) return undefined;',
    replace: '',
    tests: { unit: ['workers/service/answer-navigation.test.ts'] },
  },
];
