/** The order in which the suites of `npm test` run, and what runs side by side, on two cores. */

/**
 * One command. Suites in one run of Playwright share its two workers.
 * @typedef {object} PlannedRun
 * @property {string} name
 * @property {readonly string[]} suites
 * @property {readonly string[]} [options] of Playwright
 * @property {boolean} [mayBeEmpty] whether it may run no test
 */
/** Phases follow each other. The lanes of a phase run side by side, and the runs of a lane follow each other. @typedef {PlannedRun[][][]} Plan */

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
  // For one commit in five, all timing tests of `full` run: a fifth of them takes less time than opening the app first.
  // Other commits repeat tests in Firefox (scripts/test.mjs), so that none gets both.
  const isTimingOfFull = shard === undefined || shard === 2;
  /** @type {Plan} */
  const all = [
    // Uses a thread for each core.
    [[run('unit')]],
    [[run('check')], [run('python')]],
    // Three workers at a time, more than cores: each spends a quarter of its time waiting.
    [
      [run('browser', ['component', 'browser'], [])],
      [
        run('firefox'),
        run('webkit'),
        run('process', ['process', 'cold'], calm),
        run('full', ['full'], [...calm, ...fifth]),
      ],
    ],
    [[run('timing', ['timing', 'process'], alone)]],
    ...(isTimingOfFull ? [[[{ ...run('full-timing', ['full'], alone), mayBeEmpty: true }]]] : []),
    [[run('soak')]],
  ];
  return all
    .map((tracks) =>
      tracks
        .map((runs) => runs.map((each) => only(each, wanted)).filter(({ suites }) => suites.length))
        .filter((runs) => runs.length > 0),
    )
    .filter((tracks) => tracks.length > 0);
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
