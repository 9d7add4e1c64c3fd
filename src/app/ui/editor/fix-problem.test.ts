import { expect, test } from 'vitest';
import type { Problem } from '../../../runtime/spec/problem.ts';
import type { Ui } from '../shell/ui.svelte.ts';
import { applyFixOf } from './fix-problem.ts';

const saved = `def f():
    """Adds."""
    return 1

def g():
    """Removes."""
    return 1

TOOL_SPECS = [
    {"name": "t:f", "description": "", "parameters": {"type": "object"}, "handler": f},
    {"name": "t:g", "description": "Good.", "parameters": {"type": "object"}, "handler": g},
]
`;
const problem: Problem = {
  severity: 'error',
  code: 'bad-description',
  file: 't.py',
  line: 10,
  column: 5,
  message: 'the description is empty',
  expected: '',
  hint: '',
};

/** Applies the fix to a text in the editor. @returns that text afterwards */
async function fixed(text: string): Promise<string> {
  const file = {
    text,
    replace: (next: string) => {
      file.text = next;
    },
  };
  await applyFixOf(
    {
      app: { folder: { source: () => saved } },
      late: { files: { open: () => Promise.resolve(null), file: () => file } },
      announcer: { say: () => undefined },
      route: { place: { at: 'file', path: 't.py' } },
    } as unknown as Ui,
    problem,
  );
  return file.text;
}

test('a fix changes the spec that has the problem, and no other one that took its line', async () => {
  expect(await fixed(saved)).toBe(saved.replace('"description": ""', '"description": "Adds."'));
  expect(await fixed(saved.replaceAll('\n', '\r\n'))).toContain('"description": "Adds."');
  expect(await fixed(`${saved}# more`)).toContain('"description": "Adds."');
  const shifted = saved.replace('    return 1\n\ndef g', '\ndef g');
  expect(await fixed(shifted)).toBe(shifted);
});
