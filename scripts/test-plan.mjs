/** The order in which the suites of `npm test` run, and what runs side by side, on two cores. */

/**
 * One command. Suites in one run of Playwright share its workers.
 * @typedef {object} PlannedRun
 * @property {string} name
 * @property {readonly string[]} suites
 * @property {readonly string[]} [options] of Playwright
 * @property {boolean} [mayBeEmpty] whether it may run no test
 */
/** Phases follow each other. In a phase, so many runs as `atOnce` go on side by side: whichever ends makes room for the next. @typedef {{atOnce: number, runs: PlannedRun[]}[]} Plan */

/** Parts of `browser`, so that a free worker has something to take. Each starts a browser and visits the app once. */
const browserParts = 6;

/** The projects of playwright.config.ts that make up a suite. */
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
 * @param {readonly string[]} wanted suites; none: all
 * @param {number} [shard] which fifth of `full`; undefined: all of it
 * @returns {Plan}
 */
export function plan(wanted, shard) {
  const fifth = shard === undefined ? [] : [`--shard=${shard}/5`];
  // Tests that measure time, flood or kill must run alone.
  const calm = ['--grep-invert', '@timing', '--workers=1'];
  // No second try: a stall counts at the first.
  const alone = ['--grep', '@timing', '--workers=1', '--retries=0'];
  // For one commit in five, all timing tests of `full` run: a fifth of them takes less time than opening the app first. It
  // is not the commit in five that runs all tests of Firefox.
  const isTimingOfFull = shard === undefined || shard === 2;
  /** @type {Plan} */
  const all = [
    // Uses a thread for each core.
    { atOnce: 1, runs: [run('unit')] },
    { atOnce: 2, runs: [run('check'), run('python')] },
    // Three workers, more than cores: each spends a quarter of its time waiting. Long runs come first, so that all three end
    // at about the same time.
    {
      atOnce: 3,
      runs: [
        run('firefox'),
        run('component', ['component'], calm),
        run('webkit'),
        run('full', ['full'], [...calm, ...fifth]),
        ...Array.from({ length: browserParts }, (_, part) =>
          run(`browser-${part + 1}`, ['browser'], [...calm, `--shard=${part + 1}/${browserParts}`]),
        ),
        run('process', ['process', 'cold'], calm),
      ],
    },
    { atOnce: 1, runs: [run('timing', ['timing', 'process'], alone)] },
    ...(isTimingOfFull
      ? [{ atOnce: 1, runs: [{ ...run('full-timing', ['full'], alone), mayBeEmpty: true }] }]
      : []),
    { atOnce: 1, runs: [run('soak')] },
  ];
  return all
    .map(({ atOnce, runs }) => ({
      atOnce,
      runs: runs.map((each) => only(each, wanted)).filter(({ suites }) => suites.length > 0),
    }))
    .filter(({ runs }) => runs.length > 0);
}

/**
 * @param {string} name
 * @param {readonly string[]} [suites]
 * @param {readonly string[]} [options] of Playwright
 * @returns {PlannedRun}
 */
function run(name, suites = [name], options) {
  return { name, suites, ...(options && { options }) };
}

/**
 * @param {PlannedRun} planned
 * @param {readonly string[]} wanted
 * @returns {PlannedRun}
 */
function only(planned, wanted) {
  if (wanted.length === 0) return planned;
  return { ...planned, suites: planned.suites.filter((suite) => wanted.includes(suite)) };
}
