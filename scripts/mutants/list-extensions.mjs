/** Mutants of extensions: their powers, supervision and what leaves their interpreter. */

/** @type {readonly import('./types.ts').Mutant[]} */
export const extensionMutants = [
  {
    name: 'an extension without a power puts nothing in force',
    file: 'src/extensions/owner.ts',
    find: 'const wanted = !isOut && needs.every((power) => this.#isAllowed(power));',
    replace: 'const wanted = !isOut;',
    tests: { unit: ['src/extensions/extensions.test.ts'] },
  },
  {
    name: 'powers of an extension hold for one version of its file',
    file: 'src/grants/powers.ts',
    find: "if (grant?.hash !== hash) return 'ask';",
    replace: "if (grant === undefined) return 'ask';",
    tests: { unit: ['src/extensions/extensions.test.ts'] },
  },
  {
    name: 'the guards of an extension that does not run refuse calls',
    file: 'src/extensions/owner.ts',
    find: "(this.#suspended && kind !== 'interceptor')",
    replace: '(this.#suspended && kind !== undefined)',
    tests: { unit: ['src/extensions/extensions.test.ts'] },
  },
  {
    name: 'arguments are JSON before they become part of a question to a guard',
    file: 'src/extensions/python-app.ts',
    find: '  JSON.parse(args);\n',
    replace: '',
    tests: { unit: ['src/extensions/extensions.test.ts'] },
  },
  {
    name: 'calls wait for the interceptors that are being loaded',
    file: 'src/call/interceptors.ts',
    find: 'const fault = await heldBy(signal, hold);',
    replace: 'const fault = await heldBy(signal, Promise.race([hold, Promise.resolve()]));',
    tests: { unit: ['src/call/interceptors.test.ts'] },
  },
  {
    name: 'actions of an extension in a second',
    file: 'src/extensions/python-extension.ts',
    find: 'if (this.#actions.count > mostActions)',
    replace: 'if (this.#actions.count < 0)',
    tests: { unit: ['src/extensions/extensions.test.ts'] },
  },
  {
    name: 'only the call that streams an answer sends parts of it',
    file: 'src/extensions/python-stream.ts',
    find: 'const inbox = this.#open.get(callId);',
    replace: 'const inbox = this.#open.get(callId) ?? [...this.#open.values()][0];',
    tests: { unit: ['src/extensions/models.test.ts'] },
  },
  {
    name: 'the parts of an answer in Python wait until they are read',
    file: 'src/extensions/python-stream.ts',
    find: 'if (this.#batches.length >= 2)',
    replace: 'if (this.#batches.length < 0)',
    tests: { unit: ['src/extensions/models.test.ts'] },
  },
  {
    name: 'links of renderers go to the web',
    file: 'src/extensions/blocks.ts',
    find: '!/^https?:\\/\\//.test(url) || ',
    replace: '',
    tests: { unit: ['src/extensions/blocks.test.ts'] },
  },
  {
    name: 'images of renderers are no SVG',
    file: 'src/extensions/blocks.ts',
    find: '/^image\\/(png|jpeg|gif|webp)$/',
    replace: '/^image\\//',
    tests: { unit: ['src/extensions/blocks.test.ts'] },
  },
  {
    name: 'a provider of an extension is reached only where the user allows it',
    file: 'src/grants/provider-grant.ts',
    find: "if (!once && policy.decide(origin) !== 'allow')",
    replace: "if (!once && policy.decide(origin) === 'deny')",
    tests: { unit: ['src/grants/provider-grant.test.ts'] },
  },
  {
    name: 'tools of an extension that are not safe together run alone',
    file: 'src/sandbox/call-turns.ts',
    find: 'if (this.#isAlone || (!next.shares && this.#running > 0)) return;',
    replace: 'if (this.#isAlone) return;',
    tests: { unit: ['src/sandbox/call-turns.test.ts'] },
  },
];
