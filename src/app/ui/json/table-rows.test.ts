import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cellsOf,
  charsPerCell,
  csvParts,
  noRows,
  readRows,
  rowsWith,
  sortRows,
  type FoundRows,
} from './table-rows.ts';
import { threadMs } from '../../../../tests/support/thread-time.ts';

function end<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function read(text: string): FoundRows | null {
  return end(readRows(text, noRows()));
}

function rowsOf(text: string): FoundRows {
  const found = read(text);
  if (found === null) throw new Error('No table');
  return found;
}

const all = ({ starts }: FoundRows): number[] => starts.map((_, row) => row);

function column(text: string, name: string, rows: readonly number[]): (string | undefined)[] {
  const found = rowsOf(text);
  return rows.map((row) => cellsOf(text, found, row).get(name));
}

function sorted(text: string, name: string, descending = false): (string | undefined)[] {
  const found = rowsOf(text);
  return column(text, name, end(sortRows(text, found, all(found), { column: name, descending })));
}

function csv(value: unknown): string {
  const text = JSON.stringify(value);
  const found = rowsOf(text);
  return end(csvParts(text, found, all(found))).join('');
}

test('a list of objects or lists has rows, at the top or as a member', () => {
  const texts = [
    ' [ {"a": 1} , {"b": 2} ] ',
    '[[1, 2], [3]]',
    '{"n": [1], "deep": {"x": [{"no": 1}]}, "rows": [{"a": 1}, {"a": 2}], "more": 3}',
  ];
  expect(
    texts
      .map((text) => read(text))
      .map((found) => found && [found.key, found.starts.length, [...found.columns]]),
  ).toEqual([
    [null, 2, ['a', 'b']],
    [null, 2, ['0', '1']],
    ['rows', 2, ['a']],
  ]);
});

test('other values have none', () => {
  const texts = ['1', '"[{}]"', '[]', '{}', '[1, {"a": 1}]', '[{"a": 1}, 2]', '[{"a": 1}, [1]]'];
  const broken = ['[{}]', '[{"a": 1}, null]', '{"a": {"b": [{"c": 1}]}}', ''];
  expect([...texts, ...broken].map(read)).toEqual([...texts, ...broken].map(() => null));
});

test('a list of other values before the table leaves no rows behind', () => {
  const found = rowsOf('{"first": [{"x": 1}, 2], "rows": [{"a": 1}]}');
  expect([found.key, found.starts.length, [...found.columns]]).toEqual(['rows', 1, ['a']]);
});

test('rows are those that JSON.parse finds', () => {
  const rows = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(rows, fc.boolean(), (list, spaced) => {
      const text = JSON.stringify(list, null, spaced ? 2 : 0);
      const found = rowsOf(text);
      const again = all(found).map((row) =>
        Object.fromEntries(
          [...cellsOf(text, found, row)].map(([key, cell]) => [key, JSON.parse(cell) as unknown]),
        ),
      );
      expect(JSON.parse(JSON.stringify(again))).toEqual(
        JSON.parse(JSON.stringify(list.map((row) => ({ ...row })))),
      );
    }),
  );
});

test('rows are sorted by a column: numbers, texts, other values; missing ones last', () => {
  const text =
    '[{"a": "b10"}, {"a": 10}, {"a": "B2"}, {}, {"a": 9.5}, {"a": true}, {"a": -1e3}, {"x": 1}, {"a": null}]';
  expect(sorted(text, 'a')).toEqual([
    '-1e3',
    '9.5',
    '10',
    '"B2"',
    '"b10"',
    'true',
    undefined,
    undefined,
    'null',
  ]);
  expect(sorted(text, 'a', true)).toEqual([
    'true',
    '"b10"',
    '"B2"',
    '10',
    '9.5',
    '-1e3',
    undefined,
    undefined,
    'null',
  ]);
});

test('the order of equal rows stays, and a sort agrees with that of the language', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1 }), (numbers) => {
      const text = JSON.stringify(numbers.map((a, n) => ({ a, n })));
      const found = rowsOf(text);
      const order = end(sortRows(text, found, all(found), { column: 'a', descending: false }));
      const expected = numbers.map((a, n) => ({ a, n })).sort((x, y) => x.a - y.a);
      expect(order).toEqual(expected.map(({ n }) => n));
    }),
  );
});

test('a filter finds what is shown in a cell, not names or escapes', () => {
  const text = '[{"name": "Oslo \\u00e9"}, {"name": "Bergen", "n": 12.0}, {"name": [1, "Os"]}]';
  const found = rowsOf(text);
  const rows = ['oslo', 'É', 'name', 'u00e9', '12.0', 'OS', 'x'].map((words) =>
    end(rowsWith(text, found, words)),
  );
  expect(rows).toEqual([[0], [0], [], [], [1], [0, 2], []]);
});

test('CSV quotes what needs it, and keeps the spelling of numbers', () => {
  expect(csv([{ a: 'x', 'b,c': 'say "hi"' }, { a: 'two\nlines', d: [1, 2] }, { a: null }])).toBe(
    'a,"b,c",d\r\nx,"say ""hi""",\r\n"two\nlines",,"[1,2]"\r\n,,\r\n',
  );
  const exact = '[{"n": 12345678901234567890}, {"n": 1.0}, {"n": -5}]';
  const found = rowsOf(exact);
  expect(end(csvParts(exact, found, all(found))).join('')).toBe(
    'n\r\n12345678901234567890\r\n1.0\r\n-5\r\n',
  );
});

/** Cells as a spreadsheet splits them: quotes count only at the start of a cell, and text may follow a closing one. */
function cellsBy(separator: string, text: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    let quoted = text[at] === '"';
    if (quoted) at += 1;
    for (; at < text.length; at += 1) {
      const character = text.charAt(at);
      if (quoted && character === '"') {
        if (text[at + 1] === '"') at += 1;
        else {
          quoted = false;
          continue;
        }
      } else if (!quoted && (character === separator || /[\r\n]/.test(character))) break;
      cell += character;
    }
    cells.push(cell);
    at += 1;
  }
  return cells;
}

/** Whether a spreadsheet may compute the cell. Negative numbers are harmless, and so is a formula that is not valid. */
function isFormula(cell: string): boolean {
  const [start = ''] = cell.normalize('NFKC').replace(/^[\s"\p{Cc}\p{Cf}]+/u, '');
  return '=+-@'.includes(start) && start !== '' && !/^-\d+(?:,(?:-?\d+|[\w.]+|".*)?)*$/s.test(cell);
}

const starts = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫'];
const before = ['', ' ', '"', '""', '\u200b', '\ufeff', '\u00a0', ' " ', '\t', '\u2066'];
const separators = [';', '\t', ',', '|'];
const texts = starts.flatMap((start) =>
  before.flatMap((lead) => {
    const formula = `${lead}${start}cmd|' /C calc'!A0`;
    const inside = [';', '\t', '|', '\n', '\r', '\r\n', ';;', '; ;', '\n\n'];
    return [
      formula,
      ...inside.flatMap((separator) => [`a${separator}${formula}`, `"${separator}${formula}`]),
    ];
  }),
);

test.for(separators)(
  'no text becomes a formula where a spreadsheet splits at "%s"',
  (separator) => {
    const formulas = (file: string): string[] => cellsBy(separator, file).filter(isFormula);
    // Control: without escaping, these cells are formulas.
    expect(texts.filter((text) => formulas(text).length > 0).length).toBeGreaterThan(600);
    for (const text of texts) {
      expect(formulas(csv([{ a: text, b: text }, { [text]: [text] }]))).toEqual([]);
      expect(
        formulas(
          csv([
            [-1, text],
            ['x', { [text]: text }, -5],
          ]),
        ),
      ).toEqual([]);
    }
  },
);

test('a negative number does not begin a formula that a text of its row completes', () => {
  for (const text of ["0+cmd|' /C calc'!A0", '0+HYPERLINK(A1)', '(1)', '5*cmd|x!A0', '0"&cmd|x!A0'])
    for (const separator of [';', '\t'])
      expect(cellsBy(separator, csv([[-5, text]])).filter(isFormula)).toEqual([]);
  expect(isFormula("-5,0+cmd|' /C calc'!A0")).toBe(true);
});

test('numbers, signs within a text, and JSON stay what they are', () => {
  expect(
    csv([
      ['a=1', '1-1', 'a, -1', -1],
      ['Oslo', true, { a: [-1, '-1'] }, 2.5e-7],
    ]),
  ).toBe('0,1,2,3\r\na=1,1-1,"a, -1",-1\r\nOslo,true,"{""a"":[-1,""-1""]}",2.5e-7\r\n');
  const found = rowsOf('[{"a": [\n\t-1,\r\n  "x"]}]');
  expect(end(csvParts('[{"a": [\n\t-1,\r\n  "x"]}]', found, [0])).join('')).toBe(
    'a\r\n"[ -1,   ""x""]"\r\n',
  );
});

test('a long run of separators takes no long time', () => {
  const table = [
    { x: `a${';'.repeat(30_000)}` },
    { a: `${'\t'.repeat(30_000)}x` },
    { b: '=\t'.repeat(15_000), c: '"'.repeat(30_000) },
  ];
  const from = threadMs();
  csv(table);
  // Writing the table takes a tenth of this limit.
  expect(threadMs() - from).toBeLessThan(500);
});

test('no step is long, however large one value is', () => {
  const huge = `[{"a": [${'[1,2],'.repeat(300_000)}0]}, {"b": 2}]`;
  let steps = 0;
  const reading = readRows(huge, noRows());
  while (reading.next().done !== true) steps += 1;
  expect(steps).toBeGreaterThan(50);
});

test('cells with slow scripts are cut so that a whole table is laid out in time', () => {
  const thai = JSON.stringify('ภาษาไทย'.repeat(100));
  const escaped = `"${'\\u0e20'.repeat(400)}"`;
  expect(charsPerCell(Array<string>(4_000).fill('"plain text"'))).toBe(300);
  expect(charsPerCell(Array<string>(40).fill(thai))).toBe(300);
  for (const cell of [thai, escaped]) {
    const chars = charsPerCell(Array<string>(200).fill(cell));
    expect(chars).toBeLessThanOrEqual(80);
    expect(chars).toBeGreaterThan(40);
    expect(charsPerCell(Array<string>(4_000).fill(cell))).toBe(4);
  }
});
