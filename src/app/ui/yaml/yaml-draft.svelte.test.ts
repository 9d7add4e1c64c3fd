/** What the form of a text shows: the places that its lists must show, and why there is no form. */

import { createRawSnippet } from 'svelte';
import { render } from 'svelte/server';
import { expect, test } from 'vitest';
import type { Plans } from '../../../agent/runner/plans.ts';
import * as edits from '../../../agent/runner/yaml/edit-plan.ts';
import { readText } from '../../../agent/runner/read-json-or-yaml.ts';
import { parseYaml } from '../../../agent/runner/yaml/parse-yaml.ts';
import PromptFields from '../evals/PromptFields.svelte';
import { PlanDraft } from '../plans/plan-draft.svelte.ts';
import PlanForm from '../plans/PlanForm.svelte';
import YamlEditor from './YamlEditor.svelte';
import { yamlHere } from '../../../agent/runner/yaml/yaml.fixture.ts';
import { YamlDraft } from './yaml-draft.svelte.ts';

class Draft extends YamlDraft<unknown> {
  text = '{"prompts": [{"text": "a"}]}';

  constructor() {
    super({
      read: (text) =>
        readText<unknown>(text, 'evaluation', '', yamlHere, (value) => ({
          checked: value,
          problems: [],
        })),
      withValue: (...asked) => Promise.resolve(edits.withValue(...asked)),
    });
  }

  protected keep(text: string): void {
    this.text = text;
  }
}

function valueOf(text: string): unknown {
  const parsed = parseYaml(text);
  return 'value' in parsed ? parsed.value : undefined;
}

const calls = ['prompts', 0, 'expect', 'calls', 'must'] as const;

test('an added item is revealed in each list around it, and only there', async () => {
  const draft = new Draft();
  await draft.check();
  expect(draft.revealedIn(...calls)).toEqual([]);
  for (let n = 0; n < 6; n += 1) await draft.add([...calls, n], 'a:b');
  expect(draft.valueAt(...calls)).toHaveLength(6);
  expect(draft.revealedIn(...calls)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(new Set(draft.revealedIn('prompts'))).toEqual(new Set([0]));
  expect(draft.revealedIn('prompts', 1, 'expect', 'calls', 'must')).toEqual([]);
  draft.dispose();
});

test('only the last of many revealed places are kept', () => {
  const draft = new Draft();
  for (let n = 0; n < 1_000; n += 1) draft.reveal(['tasks', n, 'id']);
  draft.reveal(['goal']);
  expect(draft.revealedIn('tasks')).toEqual(Array.from({ length: 49 }, (_, n) => 951 + n));
});

test('the sixth expected call is drawn as soon as it is added, or if its problem is looked for', async () => {
  const draft = new Draft();
  await draft.check();
  const drawn = (): readonly string[] => {
    const props = { draft, index: 0, tools: ['a:b'], canRemove: false };
    return render(PromptFields, { props }).body.match(/Expected call \d+(?=<)/g) ?? [];
  };
  for (let n = 0; n < 6; n += 1) await draft.set([...calls, n], 'a:b');
  const first = ['Expected call 1', 'Expected call 2', 'Expected call 3', 'Expected call 4'];
  expect(drawn()).toEqual(first);
  await draft.add([...calls, 6], 'a:b');
  expect(drawn()).toEqual([...first, 'Expected call 7']);
  draft.reveal([...calls, 5, 'tool']);
  expect(drawn()).toEqual([...first, 'Expected call 6', 'Expected call 7']);
  draft.dispose();
});

test('a text with too many values is not said to be something other than YAML', async () => {
  const draft = new Draft();
  draft.text = `prompts:\n${'- text: x\n'.repeat(40_000)}`;
  await draft.check();
  const children = createRawSnippet(() => ({ render: () => '<p>The form</p>' }));
  const props = { draft, label: 'Evaluation', fileName: 'a.yaml', views: [], children };
  const { body } = render(YamlEditor, { props: { ...props, view: 'form' as const } });
  expect(body).toContain('The form cannot show this text. Correct it as text first.');
  expect(body).toContain('the evaluation has too many values');
  draft.dispose();
});

test('a task that is added to 50 is drawn, and the chosen one is pressed', async () => {
  const tasks = Array.from({ length: 50 }, (_, n) => ({ id: `t${n + 1}`, instructions: 'x' }));
  const control = {
    read: (text: string) => Promise.resolve({ plan: null, problems: [], value: valueOf(text) }),
    references: () => Promise.resolve({ tools: [] }),
    edits: { withTask: (text: string) => Promise.resolve(edits.withTask(text)) },
  } as unknown as Plans;
  const draft = new PlanDraft(control, null, JSON.stringify({ goal: 'x', tasks }));
  await draft.check();
  const addTask = createRawSnippet(() => ({ render: () => '<p></p>' }));
  const drawn = (current: number): readonly (readonly [string, string])[] => {
    const { body } = render(PlanForm, {
      props: { draft, current, onchoose: () => undefined, addTask },
    });
    const rows = body.matchAll(/aria-pressed="(\w+)"[^>]*><span[^>]*>(\d+)\./g);
    return [...rows].map(([, pressed = '', number = '']) => [number, pressed] as const);
  };
  expect(drawn(0).slice(-2)).toEqual([
    ['49', 'false'],
    ['50', 'false'],
  ]);
  await draft.addTask();
  await draft.addTask();
  expect(drawn(51).slice(-3)).toEqual([
    ['50', 'false'],
    ['51', 'false'],
    ['52', 'true'],
  ]);
  draft.dispose();
});

test('the value that was set last is in the text before the text is saved or run', async () => {
  const draft = new Draft();
  void draft.set(['name'], 'first');
  void draft.set(['name'], 'last');
  expect(valueOf(draft.text)).not.toHaveProperty('name');
  await draft.settled();
  expect(valueOf(draft.text)).toHaveProperty('name', 'last');
});
