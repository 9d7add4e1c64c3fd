/**
 * npm run mutants [-- --no-browser] [-- WORD…]: takes one guard away at a time, in a copy of the tree, and runs the tests
 * that are to notice. Fails where a mutant survives. WORD: only mutants that have it in their names or files.
 */
import { anchorFault, copyTree, whilePatched } from './copy.mjs';
import { mutants } from './list.mjs';
import { runTests } from './run-tests.mjs';

/** @typedef {import('./types.ts').Mutant} Mutant */
/** @typedef {'killed' | 'survived' | 'error'} Verdict */

const given = process.argv.slice(2);
const words = given.filter((word) => word !== '--no-browser');
const wanted = mutants.filter(
  ({ name, file, tests }) =>
    (words.length === 0 || words.some((word) => name.includes(word) || file.includes(word))) &&
    !(given.includes('--no-browser') && 'browser' in tests),
);
if (wanted.length === 0) fail(`No such mutant: ${words.join(' or ')}.`);
const names = wanted.map(({ name }) => name);
if (new Set(names).size !== names.length) fail('Two mutants have the same name.');

const began = Date.now();
/** @type {Record<Verdict, string[]>} */
const verdicts = { killed: [], survived: [], error: [] };
/** @type {Mutant[]} */
const fitting = [];
for (const mutant of wanted) {
  const fault = await anchorFault(mutant);
  if (fault === null) fitting.push(mutant);
  else tell('error', mutant, `the patch does not fit: ${fault}`);
}

const inBrowser = fitting.filter(({ tests }) => 'browser' in tests);
const others = fitting.filter(({ tests }) => !('browser' in tests));
const copies = await Promise.all([copyTree(), copyTree()]);
for (const kind of ['unit', 'python', 'browser']) await control(kind);
// Two at a time: a unit test keeps one core busy.
const queue = [...others];
await Promise.all(
  copies.map(async (copy) => {
    for (let next = queue.shift(); next; next = queue.shift()) await judge(copy, next);
  }),
);
for (const mutant of inBrowser) await judge(copies[0], mutant);

const seconds = Math.round((Date.now() - began) / 1000);
const { killed, survived, error } = verdicts;
console.log(
  `\n${killed.length} killed, ${survived.length} survived, ${error.length} without a verdict, in ${seconds} s`,
);
for (const name of survived) console.log(`survived: ${name}`);
for (const name of error) console.log(`without a verdict: ${name}`);
process.exit(survived.length + error.length > 0 ? 1 : 0);

/**
 * The tests must pass without a mutant.
 * @param {string} kind
 */
async function control(kind) {
  const [copy] = copies;
  const sets = fitting.map(({ tests }) => tests).filter((tests) => kind in tests);
  if (sets.length === 0) return;
  const { passed, failed, broken } = await runTests(copy, sets, { all: true });
  if (broken !== null) throw new Error(`The ${kind} tests do not run without a mutant:\n${broken}`);
  if (failed.length > 0)
    throw new Error(`These tests fail without a mutant:\n${failed.join('\n')}`);
  for (const set of sets) {
    for (const test of testsOf(set))
      if (!passed.some((title) => title.includes(test)))
        throw new Error(`There is no test of ${test}.`);
  }
  console.log(`Control: ${passed.length} ${kind} tests pass without a mutant.`);
}

/** @param {Mutant['tests']} set */
function testsOf(set) {
  if ('unit' in set) return set.unit;
  return 'python' in set ? set.python : [set.browser.title];
}

/**
 * Runs the tests of a mutant, and says whether one of them has failed.
 * @param {string} copy
 * @param {Mutant} mutant
 */
async function judge(copy, mutant) {
  const from = Date.now();
  const outcome = await whilePatched(copy, mutant, () =>
    runTests(copy, [mutant.tests], { all: false }),
  );
  const { failed, broken } = outcome;
  const took = `${((Date.now() - from) / 1000).toFixed(1)} s`;
  if (broken !== null) tell('error', mutant, `its tests did not run:\n${broken}`);
  else if (failed[0] === undefined) tell('survived', mutant, `${mutant.file}, ${took}`);
  else tell('killed', mutant, `${took}, ${failed[0]}`);
}

/**
 * @param {Verdict} verdict
 * @param {Mutant} mutant
 * @param {string} why
 */
function tell(verdict, { name }, why) {
  verdicts[verdict].push(name);
  console.log(`${verdict.padEnd(8)} ${name} (${why})`);
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(1);
}
