/** The tables of docs/speed.md, in Markdown. */

/** What each row compares: ours and its floor. A row without a text here is not published. @type {Record<string, [ours: string, floor: string]>} */
const meanings = {
  'first-visit': ['first visit: navigation to the first result', 'plain page'],
  'first-visit-firefox': ['the same in Firefox', 'plain page in Firefox'],
  'first-visit-webkit': ['the same in WebKitGTK', 'plain page in WebKitGTK'],
  'first-visit-slow': ['first visit at 20 Mbit/s and 40 ms, compressed', 'plain page'],
  bytes: ['fetched by the first result of a first visit, compressed', 'plain page'],
  'next-visit': ['next visit: navigation to the first result', 'plain page, warm HTTP cache'],
  'next-visit-packages': ['the same, with requests and three other packages', 'without packages'],
  'after-cancel': ['stop of an endless loop to the next result', 'plain page: loads Python again'],
  'early-cancel': ['the same, right after the first result of a first visit', 'plain page'],
  'cancel-storm': ['ten stops in a row: mean', 'plain page, one stop'],
  call: [
    'a call with 100 bytes, logged: mean of batches',
    'empty round trip over the same processes',
  ],
  'call-p99': ['the same, 99th percentile', 'plain worker'],
  'call-1mb': ['a call with 1 MB in and out: mean of batches', 'plain worker'],
  'http-call': ['`fetch` of `invoke`: mean of batches', 'our call plus an empty service worker'],
  'mcp-call': ['`tools/call` by the official client: mean of batches', '`fetch` of `invoke`'],
  'mcp-list': ['second start of `npx cloche mcp` to its list', 'a server of one tool on the SDK'],
  parallel: ['eight stateless calls that keep cores busy', 'one call × 8 / cores'],
  scan: ['200 files with 1,000 tools, opened to listed', 'plain Pyodide imports them'],
  'scan-foreign': ['100 files of other frameworks', 'the same tools as `TOOL_SPECS`'],
  rescan: ['one of 200 files edited to its tools listed', 'plain page with a FileSystemObserver'],
  updates: ['1,000,000 updates: longest block of the page', '50 ms'],
  list: ['10,000 tools listed and filtered: longest block', '50 ms'],
  form: ['a form of 200 fields: typed, added to, switched: longest block', '50 ms'],
  transcript: ['5,000 messages opened, scrolled, streamed into: longest block', '50 ms'],
  turn: ['a model’s turn with 50 tools', 'bare loop on the same library'],
  'turn-shown': ['the same, with the transcript drawn', 'bare loop on the same library'],
  task: ['one task of a plan, scripted model', 'its ten turns as a session'],
  program: ['a program of a model with 20 calls', 'the same calls over the API'],
  'program-bytes': [
    'bytes of all requests of a turn with 12 calls, as a program',
    'one call per turn',
  ],
  memory: ['one more interpreter', 'one more plain worker'],
  'memory-idle': ['the app with the samples, two minutes after a run', 'plain page'],
  shell: ['script and style before the first paint, gzip', '60 kB'],
};

/** @type {[figure: string, label: string, unit: string][]} */
const figures = [
  ['first', 'first visit to the first result', 'ms'],
  ['second', 'second visit', 'ms'],
  ['restarted', 'after a restart of the browser', 'ms'],
  ['stop', 'stop to the next result', 'ms'],
  ['megabytes', 'fetched by the first result', 'MB'],
  ['memory', 'memory once settled', 'MB'],
];

/** @param {import('./row.mjs').Results} results */
export function rowsTable({ machine, browser, date, rows }) {
  const lines = rows.flatMap(({ name, unit, ours, floor, ratio, spread, target, met }) => {
    const meaning = meanings[name];
    if (meaning === undefined) return [];
    const cells = [
      `\`${name}\``,
      meaning[0],
      meaning[1],
      `${number(ours)} ${unit}`,
      `${number(floor)} ${unit}`,
      `${number(ratio)} ± ${(spread * 100).toFixed(0)} %`,
      `≤ ${target}`,
      met ? 'met' : '**not met**',
    ];
    return [`| ${cells.join(' | ')} |`];
  });
  const all = [browser, ...new Set(rows.flatMap((row) => row.browser ?? []))];
  const browsers = new Intl.ListFormat('en').format(all);
  return [
    `Measured on ${date.slice(0, 10)} with ${browsers}, on ${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GB, ${machine.system}.`,
    '',
    '| row | ours | floor | ours | floor | ratio | target | |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

/** @param {import('./row.mjs').Peers} peers */
export function peersTable({ rounds, pyscript, found }) {
  const names = Object.keys(found);
  const lines = figures.map(([figure, label, unit]) => {
    const cells = names.map((name) => {
      const value = found[name]?.[figure];
      return value === undefined ? 'not possible' : number(value);
    });
    return `| ${[`${label}, ${unit}`, ...cells].join(' | ')} |`;
  });
  return [
    `Medians of ${rounds} rounds, PyScript ${pyscript}.`,
    '',
    `| | ${names.join(' | ')} |`,
    `| --- |${' --- |'.repeat(names.length)}`,
    ...lines,
  ].join('\n');
}

/**
 * Replaces what is between two markers of a page.
 * @param {string} page
 * @param {string} name
 * @param {string} text
 */
export function filled(page, name, text) {
  const begin = `<!-- ${name}:begin -->`;
  const end = `<!-- ${name}:end -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to < from) throw new Error(`The page has no ${begin} … ${end}.`);
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
}

/** @param {number} value */
function number(value) {
  return Number(value.toPrecision(3)).toLocaleString('en');
}
