/**
 * The order in which the suites of `npm test` run, and what runs side by side, on two cores.
 *
 * The suite `full` is divided into sevenths, which are called shards here. `npm test` runs one of them, which `fullShard`
 * (test-summary.mjs) chooses by the hash of the commit. `npm run test:all` runs all of them; the shard is then undefined.
 */

/**
 * One command. Suites in one run of Playwright share its workers.
 * @typedef {object} PlannedRun
 * @property {string} name
 * @property {readonly string[]} suites
 * @property {number} workers how many of the three `places` it takes
 * @property {readonly string[]} [options] of Playwright
 * @property {boolean} [mayBeEmpty] whether it may run no test
 */
/** Phases follow each other. The runs of a phase start in their order, each as soon as there are places for its workers. @typedef {PlannedRun[][]} Plan */

/** More workers at a time than cores: a worker of a browser spends a quarter of its time waiting. */
export const places = 3;

/**
 * The projects of playwright.config.ts that make up a suite. In `cold`, each browser starts without caches, as on a first
 * visit. In `process`, the sandboxed frame shares the process of the page, as in browsers that give it none of its own.
 */
export const projects = /** @type {const} */ ({
  component: ['component'],
  browser: ['app'],
  cold: ['cold'],
  process: ['one-process'],
  full: ['full', 'cold-full', 'component-full', 'one-process-full'],
  timing: ['timing'],
});

export const suiteNames = [
  'unit',
  'check',
  'python',
  'component',
  'browser',
  'cold',
  'firefox',
  'webkit',
  'process',
  'full',
  'timing',
  'soak',
];

/**
 * Tests that run with only one shard of `full`, and the number of that shard. In `firefox` and `webkit`, they are the tests
 * that repeat those of Chromium. In `timing`, they are the timing tests of `full`: they are not divided, since a seventh of
 * them would take less time than opening the app before them. The shards named here are shorter than the first ones.
 */
const sevenths = { firefox: 7, timing: 6, webkit: 7 };

/**
 * Whether the tests in `sevenths` run. The plan asks for `timing`; test.mjs asks for the two browsers when it starts them.
 * @param {'firefox' | 'timing' | 'webkit'} name
 * @param {number | undefined} shard the commit’s seventh; undefined: all tests run
 */
export function runsRepeats(name, shard) {
  return shard === undefined || shard === sevenths[name];
}

/**
 * @param {readonly string[]} wanted suites; none: all
 * @param {number} [shard] which seventh of `full`; undefined: all of it
 * @returns {Plan}
 */
export function plan(wanted, shard) {
  const seventh = shard === undefined ? [] : [`--shard=${shard}/7`];
  // Tests tagged `@timing` compare times on a clock, which other suites change, or load the whole machine. A test of stalls
  // needs no tag, since it measures processor time, which other suites do not change.
  const calm = ['--grep-invert', '@timing', '--workers=1'];
  // No second try: a test that was too slow once has failed.
  const alone = ['--grep', '@timing', '--workers=1', '--retries=0'];
  /** @type {Plan} */
  const all = [
    // No place is idle for long: runs with one worker continue beside runs with two, and long runs begin first.
    [
      // Uses a thread for each core. Its tests spend a quarter of their time waiting.
      run('unit', 2),
      run('python', 1),
      run('check', 2),
      // The soak keeps every core busy while it runs, and on a busy machine its handlers do not end in time. So it runs beside
      // the checks, in which nothing is timed, or alone.
      run('soak', wanted.length === 0 || wanted.includes('check') ? 1 : places),
      run('firefox', 1),
      run('browser', 2, ['component', 'browser'], []),
      run('full', 1, ['full'], [...calm, ...seventh]),
      run('webkit', 1),
      // The second process model. It also measures stalls, but in processor time, which other runs do not change.
      run('process', 1, ['process'], ['--workers=1']),
      run('cold', 1, ['cold'], calm),
    ],
    [run('timing', places, ['timing'], alone)],
    ...(runsRepeats('timing', shard)
      ? [[{ ...run('full-timing', places, ['full'], alone), mayBeEmpty: true }]]
      : []),
  ];
  return all
    .map((phase) =>
      phase.map((each) => only(each, wanted)).filter(({ suites }) => suites.length > 0),
    )
    .filter((phase) => phase.length > 0);
}

/**
 * What a run of these suites leaves out, and why.
 * @param {readonly string[]} wanted suites; none: all
 * @param {number} [shard] the commit’s seventh of `full`; undefined: all of it
 * @returns {string[]}
 */
export function leftOut(wanted, shard) {
  if (shard === undefined) return [];
  const others = [1, 2, 3, 4, 5, 6, 7].filter((each) => each !== shard).join(', ');
  const of = `this commit’s seventh is ${shard}; \`npm run test:all\` runs all of them`;
  /** @type {[suite: string, text: string][]} */
  const lines = [['full', `sevenths ${others} of 7: ${of}`]];
  if (!runsRepeats('timing', shard))
    lines.push(['full', `its timing tests: they run for seventh ${sevenths.timing}`]);
  for (const name of /** @type {const} */ (['firefox', 'webkit']))
    if (!runsRepeats(name, shard))
      lines.push([name, `tests that repeat others: they run for seventh ${sevenths[name]}`]);
  return lines
    .filter(([suite]) => wanted.length === 0 || wanted.includes(suite))
    .map(([suite, text]) => `${suite}: ${text}`);
}

/**
 * Performs the runs of a phase in their order, each as soon as there are places for its workers.
 * @param {readonly PlannedRun[]} phase
 * @param {(run: PlannedRun, isAlone: boolean) => Promise<void>} perform must not reject
 * @param {AbortSignal} signal once it is aborted, no further run begins
 * @returns {Promise<number>} how many have begun, after all of them have ended
 */
export async function performPhase(phase, perform, signal) {
  /** @type {Set<Promise<void>>} */
  const running = new Set();
  let free = places;
  let begun = 0;
  for (const each of phase) {
    while (each.workers > free) await Promise.race(running);
    if (signal.aborted) break;
    begun += 1;
    free -= each.workers;
    const ended = perform(each, phase.length === 1).then(() => {
      free += each.workers;
      running.delete(ended);
    });
    running.add(ended);
  }
  await Promise.all(running);
  return begun;
}

/**
 * One run. A run of Playwright has options; others are known by their name.
 * @param {string} name
 * @param {number} workers
 * @param {readonly string[]} [suites]
 * @param {readonly string[]} [options] of Playwright
 * @returns {PlannedRun}
 */
function run(name, workers, suites = [name], options) {
  return { name, workers, suites, ...(options && { options }) };
}

/**
 * The run with only those of its suites that are wanted.
 * @param {PlannedRun} planned
 * @param {readonly string[]} wanted
 * @returns {PlannedRun}
 */
function only(planned, wanted) {
  if (wanted.length === 0) return planned;
  return { ...planned, suites: planned.suites.filter((suite) => wanted.includes(suite)) };
}
