import { expect, test, vi } from 'vitest';
import { spellOut } from '../parts/visible-text.ts';
import { closeStrong, MarkdownReader, MarkdownText, type Block } from './markdown.ts';

const code = '```py\nx = 1\n```';

/** The shortest of several runs of each, in turn, since others may pause the process. */
function leastMs(...runs: readonly (() => void)[]): number[] {
  const least = runs.map(() => Infinity);
  for (let turn = 0; turn < 15; turn += 1)
    for (const [index, run] of runs.entries()) {
      const from = performance.now();
      run();
      least[index] = Math.min(least[index] ?? 0, performance.now() - from);
    }
  return least;
}

test('initial blocks are combined, except the last, which may grow', () => {
  expect(new MarkdownReader().read(`One.\n\nTwo.\n\n${code}\n\nThree.\n\nFour.`)).toEqual([
    { kind: 'run', htmls: ['<p>One.</p>\n', '<p>Two.</p>\n'] },
    { kind: 'code', language: 'py', text: 'x = 1' },
    { kind: 'run', htmls: ['<p>Three.</p>\n'] },
    { kind: 'html', html: '<p>Four.</p>\n' },
  ]);
});

test('later blocks are separate, and earlier ones stay the same objects', () => {
  const runs = new MarkdownReader();
  const [first] = runs.read('One.\n\nTwo.\n\nThr');
  const grown = runs.read('One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive');
  expect(grown[0]).toBe(first);
  expect(grown.slice(1).map(({ kind }) => kind)).toEqual(['html', 'html', 'html']);
  expect(runs.read('One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive and six.')[2]).toBe(grown[2]);
});

test('a text that grows from nothing is drawn block by block', () => {
  const runs = new MarkdownReader();
  runs.read('');
  expect(runs.read('One.\n\nTwo.').map(({ kind }) => kind)).toEqual(['html', 'html']);
});

test('a different text is drawn as it is', () => {
  const runs = new MarkdownReader();
  runs.read('One.\n\nTwo.');
  expect(runs.read('Other.\n\nWords.')).toEqual([
    { kind: 'html', html: '<p>Other.</p>\n' },
    { kind: 'html', html: '<p>Words.</p>\n' },
  ]);
});

function read(text: string): readonly Block[] {
  return new MarkdownText().read(text);
}

function html(text: string): string {
  return read(text)
    .map((block) => (block.kind === 'html' ? block.html : ''))
    .join('');
}

test('paragraphs, lists and code are separate blocks', () => {
  expect(read('One *word*.\n\n- a\n- b\n\n```py\nx = 1\n```')).toEqual([
    { kind: 'html', html: '<p>One <em>word</em>.</p>\n' },
    { kind: 'html', html: '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n' },
    { kind: 'code', language: 'py', text: 'x = 1' },
  ]);
});

test('only two tildes strike out', () => {
  expect(html('H~2~O, ~5 to ~10, ~~gone~~')).toBe('<p>H~2~O, ~5 to ~10, <del>gone</del></p>\n');
});

test('a text that grows letter by letter reads as the whole text, and its complete blocks stay', () => {
  const whole =
    '# Title\n\nA paragraph with `code`,\nthat goes on.\r\n\r\n1. one\n2. two\n\n   more\n\n```json\n{"a": 1}\n\n\n{}\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n> quoted\n\nend 🙂 of it';
  const reader = new MarkdownText();
  let first: Block | undefined;
  let last: readonly Block[] = [];
  for (let end = 1; end <= whole.length; end += 1) {
    last = reader.read(whole.slice(0, end));
    if (end > 12) {
      first ??= last[0];
      expect(last[0]).toBe(first);
    }
  }
  expect(last).toEqual(read(whole));
  expect(last.map(({ kind }) => kind)).toEqual([
    'html',
    'html',
    'html',
    'code',
    'html',
    'html',
    'html',
  ]);
});

test('a different text starts over', () => {
  const reader = new MarkdownText();
  reader.read('One.\n\nTwo.');
  expect(reader.read('Three.')).toEqual([{ kind: 'html', html: '<p>Three.</p>\n' }]);
});

test('HTML is shown as text', () => {
  expect(html('<script>alert(1)</script>\n\na <b onclick=x>b</b>')).toBe(
    '&lt;script&gt;alert(1)&lt;/script&gt;<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n',
  );
});

test('a link shows its address, and leads only to the web', () => {
  expect(html('[here](https://evil.example/x) [there](#/settings) [js](javascript:alert(1))')).toBe(
    '<p><a href="https://evil.example/x" target="_blank" rel="noopener noreferrer">here</a> ' +
      '<span class="host">(evil.example)</span> there (#/settings) js (javascript:alert(1))</p>\n',
  );
  expect(html('https://docs.example/a')).toBe(
    '<p><a href="https://docs.example/a" target="_blank" rel="noopener noreferrer">https://docs.example/a</a></p>\n',
  );
});

test('a picture is never loaded', () => {
  expect(html('![a cat](https://spy.example/cat.png "t")')).not.toContain('<img');
  expect(html('![a cat](https://spy.example/cat.png)')).toContain('Image: a cat</a>');
});

test('characters that hide or reorder text are shown', () => {
  expect(html('a\u001b[31m \u202etxt.exe')).toBe('<p>a⟨ESC⟩[31m ⟨U+202E⟩txt.exe</p>\n');
});

test('excessive nesting and very long blocks are shown as plain text, and earlier blocks are not affected', () => {
  const kinds = (text: string) => read(`Before.\n\n${text}`).map(({ kind }) => kind);
  expect(kinds(`${'> '.repeat(20_000)}x`)).toEqual(['plain']);
  expect(kinds('_a_b'.repeat(2_000))).toEqual(['plain']);
  expect(kinds(`${'*a '.repeat(30)}${'a* '.repeat(30)}`)).toEqual(['plain']);
  // Emphasis that is never closed: for each sign, the parser reads all the text that follows.
  for (const open of [
    '*a {',
    'a@/*',
    '_a {',
    '**a {',
    '***a {',
    '*a ](',
    '~~a\u200b',
    '_a_b1. \n',
    '*a _b* {',
  ])
    expect(kinds(open.repeat(7_000 / open.length)), open).toEqual(['plain']);
  for (const usual of [
    '**Term**: ',
    '*a* ',
    '_a_ and `b_c_d` ',
    'a * b ',
    '* item\n',
    'snake_case_name ',
  ])
    expect(kinds(usual.repeat(2_000 / usual.length)), usual).toEqual(['html', 'html']);
  // Signs that open nothing, or that the parser does not look for an end of.
  for (const usual of [
    '- get_user_account_by_id\n',
    'get_user_account_by_id, ',
    '**重点**是重要的内容，',
    '$x_{i}$ and $y_{j}$, ',
    'get\\_user\\_id, ',
    '`*args` and `**options`, ',
    '- *args, a **bold** word\n',
  ])
    expect(kinds(usual.repeat(5_000 / usual.length)), usual).toEqual(['html', 'html']);
  const row = '| user_account_id | created_at_utc |\n';
  expect(kinds(`${row}| - | - |\n${row.repeat(200)}`)).toEqual(['html', 'html']);
  expect(kinds('char *argv[];\n\n'.repeat(200)).at(-1)).toBe('html');
  expect(kinds(`Between.\n\n${'x'.repeat(60_000)}`)).toEqual(['html', 'html', 'plain']);
});

test('what follows a code block is parsed within the limits, and a table gets no cells without end', () => {
  const kinds = (text: string) => read(text).map(({ kind }) => kind);
  const signs = '_a_b'.repeat(2_000);
  for (const code of ['```\nx\n```', '~~~`\nx\n~~~~ ', '\n\n  ````py\n```\n````'])
    expect(kinds(`${code}\n${signs}`)).toEqual(['code', 'plain']);
  // A fence with a backtick behind it opens no code block.
  expect(kinds(`\`\`\`a\`\n${signs}`)).toEqual(['plain']);
  const table = (columns: number, rows: number, before = '') =>
    [`${'|a'.repeat(columns)}|`, `${'|-'.repeat(columns)}|`, ...Array<string>(rows).fill('x')]
      .map((row) => `${before}${row}\n`)
      .join('');
  expect(kinds(table(1_300, 1_000))).toEqual(['plain']);
  expect(kinds(table(1_300, 500, '> '))).toEqual(['plain']);
  // One list may be as long as a text.
  expect(kinds('> - 1. a\n'.repeat(800))).toEqual(['plain']);
  expect(kinds(`${'> - 1. a\n'.repeat(800)}\n\nb`)).toEqual(['plain']);
  expect(kinds('> - 1. a\n'.repeat(100))).toEqual(['html']);
  expect(kinds(`${table(12, 80)}\n\n${table(30, 20)}`)).toEqual(['html', 'html']);
});

test.each([
  ['a\n\n|-', 3_900, 'x'],
  ['a\n\n- ', 7_500, 'x'],
  ['a\n\n|-', 7_500, '-'],
])('%j before many spaces is read in linear time', (before, spaces, after) => {
  const text = (count: number) => `${before}${' '.repeat(count)}${after}\n\n`.repeat(40);
  const [half = 0, whole = 0] = leastMs(
    () => void read(text(spaces / 2)),
    () => void read(text(spaces)),
  );
  // Linear time doubles, and quadratic time is four times as long: at least 0.2 seconds here.
  expect(whole).toBeLessThan(3 * half + 20);
});

test('what is shown without formatting is not spelt out in advance', () => {
  const soft = (count: number) => 'a\u00ad'.repeat(count);
  const [short = 0, long = 0] = leastMs(
    () => void read(soft(20_000)),
    () => void read(soft(400_000)),
  );
  // Spelling out all of it takes twenty times as long.
  expect(long).toBeLessThan(4 * short + 10);
  const [plain] = read(soft(20_000)).slice(-1);
  expect(plain?.kind).toBe('plain');
});

test('a code block that grows is searched for its end and parsed once at each update', () => {
  const reader = new MarkdownText();
  reader.read('```py\nx', { grows: true });
  const exec = vi.spyOn(RegExp.prototype, 'exec');
  const blocks = reader.read('```py\nx = 1\ny', { grows: true });
  const searches = exec.mock.contexts.filter(
    (regex) => regex instanceof RegExp && /~\{3,\}.*\\1/.test(regex.source),
  );
  exec.mockRestore();
  expect(blocks).toEqual([{ kind: 'code', language: 'py', text: 'x = 1\ny' }]);
  // The parser makes one of the two.
  expect(searches).toHaveLength(2);
});

test('real Markdown is formatted: reports beside other parts, and long tables', () => {
  const kinds = (text: string, share: number) =>
    new MarkdownText().read(text, { share }).map(({ kind }) => kind);
  const table = (columns: number, rows: number) =>
    `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${`${'|12.3'.repeat(columns)}|\n`.repeat(rows)}`;
  for (const share of [1, 0.1]) {
    expect(kinds(table(4, 290), share)).toEqual(['html']);
    expect(kinds(table(5, 250), share)).toEqual(['html']);
    expect(kinds('- a *b*\n'.repeat(200), share)).toEqual(['html']);
  }
  expect(kinds(table(1, 900), 0.1)).toEqual(['plain']);
});

test('marks and joiners that arrive in parts are spelt out as in the whole text', () => {
  const parts = (text: string, size: number) => {
    const reader = new MarkdownText();
    for (let end = size; end < text.length; end += size)
      reader.read(text.slice(0, end), { grows: true });
    return reader.read(text);
  };
  for (const run of ['\u0301'.repeat(40), '\u200d\u200c'.repeat(20), '\u{e0100}'.repeat(20)])
    for (const size of [1, 2, 3, 8]) expect(parts(`a${run}b`, size)).toEqual(read(`a${run}b`));
  for (const text of [
    '葛\u{e0100}飾 ∩\ufe00',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    'é\r\né',
  ])
    expect(parts(text, 1)).toEqual(read(text));
  const [block] = parts(`a${'\u0301'.repeat(4_000)}`, 8);
  // `LongText` spells out what it shows.
  const shown = block?.kind === 'plain' ? spellOut(block.text) : '';
  expect(shown.length).toBeGreaterThan(4_000);
  expect(shown).not.toMatch(/\p{M}{9}/u);
});

test('long texts of many blocks, and long code, are complete', () => {
  const text = Array.from({ length: 300 }, (_, n) => `Paragraph *${String(n)}* of many.`);
  expect(read(text.join('\n\n'))).toHaveLength(300);
  const code = 'x = 1\n'.repeat(5_000);
  expect(read(`Before.\n\n\`\`\`py\n${code}\`\`\`\n\nBehind.`).map(({ kind }) => kind)).toEqual([
    'html',
    'code',
    'html',
  ]);
});

test.each([
  ['code blocks', '```\nx\n```\n', 400],
  ['links', '[a](https://b.example)\n\n', 6_000],
  ['long code', `\`\`\`\n${'x'.repeat(50_000)}\n\`\`\`\n`, 20],
  ['definitions', '[a]: b\n\nc\n\n', 6_000],
])('%s are drawn up to a limit', (_, text, count) => {
  const blocks = new MarkdownText().read(text.repeat(count));
  const plain = blocks.at(-1);
  expect(plain?.kind).toBe('plain');
  // A text that is shown with others has a part of the limit.
  const half = new MarkdownText().read(text.repeat(count), { share: 0.5 });
  expect(half.length).toBeLessThan(blocks.length);
});

test('text after thousands of blocks is plain', () => {
  const blocks = new MarkdownText().read('#\n'.repeat(150_000));
  expect(blocks.length).toBeLessThan(3_000);
  expect(blocks.at(-1)?.kind).toBe('plain');
});

test.each([
  ['It is **very', 'It is **very**'],
  ['It is **very ', 'It is **very**'],
  ['It is **very*', 'It is **very**'],
  ['It is **', 'It is '],
  ['It is *', 'It is '],
  ['**A** and **b', '**A** and **b**'],
  ['- **A:** one\n- **B', '- **A:** one\n- **B**'],
  ['One **two\nthree', 'One **two\nthree**'],
  ['See `a**` and **b', 'See `a**` and **b**'],
])('%j is read as %j while it grows', (block, read) => {
  expect(closeStrong(block)).toBe(read);
});

test.each(['It is **very**', 'an *em*', '2 ** 3', 'Call `f(**kw', '*', '- a\n- b', '', 'x * y'])(
  '%j is read as it is',
  (block) => {
    expect(closeStrong(block)).toBe(block);
  },
);

test('a growing text shows no unfinished markup, and the finished text is complete', () => {
  const whole = 'First.\n\nIt is **very important**, and *so* on.\n\n```py\nf(**kw)\n```';
  const reader = new MarkdownText();
  for (let end = 1; end <= whole.length; end += 1) {
    const [, second] = reader.read(whole.slice(0, end), { grows: true });
    if (second?.kind === 'html') expect(second.html).not.toContain('**');
  }
  expect(reader.read(whole)).toEqual(new MarkdownText().read(whole));
  expect(reader.read(whole, { grows: true }).at(-1)).toMatchObject({
    kind: 'code',
    text: 'f(**kw)',
  });
  const open = 'It is **open';
  expect([new MarkdownText().read(open), new MarkdownText().read(open, { grows: true })]).toEqual([
    [{ kind: 'html', html: '<p>It is **open</p>\n' }],
    [{ kind: 'html', html: '<p>It is <strong>open</strong></p>\n' }],
  ]);
});
