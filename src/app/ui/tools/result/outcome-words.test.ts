import { expect, test } from 'vitest';
import { outcomeOf, remedyOf } from './outcome-words.ts';
import { requestHeaders } from '../../../../runtime/grants/request-parts.ts';
import { denied, deniedLocal } from '../../../../runtime/grants/request-refusal.ts';

const failure = { resultType: 'failure', isError: true } as const;

test('a stopped call is not an error, and any other failure is', () => {
  expect([
    outcomeOf({ resultType: 'success', isError: false }),
    outcomeOf({ resultType: 'success', isError: true }),
    outcomeOf({ ...failure, error: 'cancelled' }),
    outcomeOf({ ...failure, error: 'timeout' }),
    outcomeOf({ ...failure, error: 'ValueError: cancelled' }),
  ]).toEqual([
    { words: 'Success', icon: 'done' },
    { words: 'Returned an error', icon: 'error' },
    { words: 'Cancelled', icon: 'stop' },
    { words: 'Timed out', icon: 'error' },
    { words: 'Failed', icon: 'error' },
  ]);
});

const setting = { schema: { type: 'string' }, required: false, secret: true } as const;
const settings = [
  { file: 'a.py', settings: [{ group: 'environment', name: 'SHOP_KEY', ...setting }] },
] as const;

const folder = { settings, lacksWorkspace: true };

test('an error links to the page where the user can provide what the tool lacks', () => {
  const refused = requestHeaders([['Authorization', 'Bearer x']], []);
  const section = (error: string) => remedyOf(error, '', folder)?.section;
  expect([
    section(denied('https://a.example').message),
    section(`URLError: <urlopen error ${deniedLocal('http://localhost:1').message}>`),
    section(`URLError: <urlopen error Not requested: ${'why' in refused ? refused.why : ''}.>`),
  ]).toEqual(['network', 'network', 'secrets']);
  expect(remedyOf("KeyError: 'SHOP_KEY'", '', folder)).toEqual({
    section: 'settings',
    words: 'Set SHOP_KEY',
  });
});

test('other errors have no remedy', () => {
  for (const error of ["KeyError: 'total'", "ValueError: 'SHOP_KEY'", ''])
    expect(remedyOf(error, '', folder)).toBe(null);
});

test('a tool that uses a workspace path without a workspace leads to the Workspace page', () => {
  const line = (code: string) => `Traceback …\n  File "notes.py", line 11, in save\n    ${code}\n`;
  const missing = 'TypeError: expected str, bytes or os.PathLike object, not NoneType';
  const added = "TypeError: unsupported operand type(s) for +: 'NoneType' and 'str'";
  for (const error of [missing, added]) {
    const traceback = line("open(context.workspace_path + '/a')");
    const remedy = { section: 'workspace', words: 'Choose a workspace' };
    expect(remedyOf(error, traceback, folder)).toEqual(remedy);
    expect(remedyOf(error, line('open(path)'), folder)).toBe(null);
    expect(remedyOf(error, traceback, { ...folder, lacksWorkspace: false })).toBe(null);
  }
});
