import { expect, test } from 'vitest';
import { pythonColors } from './python-colors.ts';

const source = `# a note
def area(r: float) -> float:
    """Doc."""
    return 3.14 * r ** 2 if r else None
`;

async function spansOf(line: number): Promise<[string, string | null][]> {
  const colors = await pythonColors(new AbortController().signal, source);
  const lines = source.split('\n');
  const start = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
  const spans = colors?.(start, start + (lines[line - 1] ?? '').length) ?? [];
  return spans.map(({ text, kind }) => [text, kind]);
}

test('a line is split into its parts', async () => {
  expect(await spansOf(1)).toEqual([['# a note', 'comment']]);
  expect(await spansOf(2)).toEqual([
    ['def', 'keyword'],
    [' ', null],
    ['area', 'name'],
    ['(r: float) -> float:', null],
  ]);
});

test('keywords, strings and numbers are distinguished', async () => {
  const spans = [...(await spansOf(3)), ...(await spansOf(4))];
  expect(spans.filter(([, kind]) => kind !== null)).toEqual([
    ['"""Doc."""', 'string'],
    ['return', 'keyword'],
    ['3.14', 'number'],
    ['2', 'number'],
    ['if', 'keyword'],
    ['else', 'keyword'],
    ['None', 'keyword'],
  ]);
});

test('the spans join to the text, even if it is not Python', async () => {
  const broken = 'def (:\n\t"unended\n\u0000 é 😀 )]}';
  const colors = await pythonColors(new AbortController().signal, broken);
  const spans = colors?.(0, broken.length) ?? [];
  expect(spans.map(({ text }) => text).join('')).toBe(broken);
});

test('colouring ends when its signal aborts', async () => {
  const aborted = AbortSignal.abort();
  expect(await pythonColors(aborted, 'x = [1, 2, 3]\n'.repeat(200_000))).toBeNull();
});
