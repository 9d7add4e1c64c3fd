/** Finds every control that starts tools or asks a model: it is guarded, or it says here why it need not be. */

import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'svelte/compiler';
import { expect, test } from 'vitest';
import { isRecord } from '../../../runtime/spec/guards.ts';

const ui = new URL('../', import.meta.url);
const playground = new URL('../../../embed/playground/', import.meta.url);

/** Calls that start tools, ask a model, or open what comes from outside. */
const starts =
  /\b(?:control|plans|evals|runs|shown|side)\.(?:step\(|resume\(|send\(|propose\(|revise\(|start\((?!\))|again\(|interrupt\()|\bbackground\.start\(|\bonagain\b|\.playOn\(|\.playListed\(|\bstart: begin\b|\.offerFromFolder\(|\bsaved(?:Tests)?\.run\(|\bexplorer\.send\(|\bmodels\.test\(|\bplayer\.play\(|\bplay\.run\(|\.openZipped\(/;

/** Controls that start something without a guard, and starts that belong to no control: why none is needed. */
const typed = 'sends what the user has typed';
const written = 'runs the test that the user has just written or changed';
const unguarded: Readonly<Record<string, string>> = {
  'home/FileInputs.svelte <input onchange>': 'the user has chosen the file',
  'plans/RunTasks.svelte <TaskItem onagain>': 'TaskItem has the button',
  'playground/PlaygroundEditor.svelte': 'a key that the user presses in the source',
  'sessions/TurnStatus.svelte <button onclick>': 'watchPause attaches the guard',
  'sessions/composer/BackgroundMenu.svelte <form onsubmit>': typed,
  'sessions/composer/Composer.svelte <button onclick>': typed,
  'sessions/composer/Composer.svelte <form onsubmit>': typed,
  'sessions/composer/Composer.svelte <textarea onkeydown>': typed,
  'sessions/composer/QueueWaits.svelte <button onclick>':
    'what is queued is sent in any event, only later',
  'sessions/side/SideComposer.svelte <form onsubmit>': typed,
  'sessions/side/SideComposer.svelte <textarea onkeydown>': typed,
  'shell/LiveExample.svelte <ExampleCode onrun>': 'the example of Cloche itself',
  'shell/LiveExample.svelte <form onsubmit>': 'the example of Cloche itself',
  'tools/forms/ToolArguments.svelte <RunButtons onrun>': 'RunButtons has the button',
  'tools/page/ToolPage.svelte': 'a command that the user chooses by its name',
  'tools/tests/SaveTest.svelte <form onsubmit>': written,
  'tools/tests/UpdateTest.svelte <form onsubmit>': written,
};

const files = [
  ...components(ui).map((path) => [path, new URL(path, ui)] as const),
  ...components(playground).map(
    (path) => [`playground/${path}`, new URL(path, playground)] as const,
  ),
];

function components(folder: URL): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.svelte'),
  );
}

type Node = Readonly<Record<string, unknown>>;

const nodesIn = (value: unknown): readonly Node[] =>
  (Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []).flatMap(
    (one: unknown) => (Array.isArray(one) ? one.filter(isRecord) : isRecord(one) ? [one] : []),
  );

/** Each node with the nodes around it, outermost first. */
function* walk(
  node: Node,
  around: readonly Node[] = [],
): Generator<readonly [Node, readonly Node[]]> {
  yield [node, around];
  for (const inner of nodesIn(node)) yield* walk(inner, [...around, node]);
}

/** The controls of a component that start something and are not guarded, as ` <name handler>`; one empty text if no control does. */
function unguardedIn(source: string): readonly string[] {
  const root: unknown = parse(source, { modern: true });
  if (!isRecord(root) || !isRecord(root.fragment)) throw new Error('The component has no markup.');
  const textOf = ({ start, end }: Node): string => source.slice(Number(start), Number(end));
  const attributesOf = (node: Node): readonly Node[] => nodesIn([node.attributes]);
  const names = startingFunctions(root, textOf);
  const begins = (node: Node): boolean =>
    starts.test(textOf(node)) || names.some((name) => uses(textOf(node), name));
  const isGuarded = (node: Node): boolean =>
    node.name === 'GuardedButton' ||
    attributesOf(node).some((one) => one.type === 'AttachTag' && /guard/i.test(textOf(one)));
  const found: string[] = [];
  let controls = 0;
  for (const [node, around] of walk(root.fragment)) {
    if (node.type !== 'RegularElement' && node.type !== 'Component') continue;
    const handlers = attributesOf(node).filter(
      (one) => one.type === 'Attribute' && /^on[a-z]/.test(String(one.name)) && begins(one),
    );
    controls += handlers.length;
    if (handlers.length === 0 || [...around, node].some(isGuarded)) continue;
    for (const { name } of handlers) {
      if (name === 'onsubmit' && isGuardedForm(node, isGuarded)) continue;
      found.push(` <${String(node.name)} ${String(name)}>`);
    }
  }
  return controls === 0 ? [''] : found;
}

/** Whether a form has buttons that submit it, and each is guarded. */
function isGuardedForm(form: Node, isGuarded: (node: Node) => boolean): boolean {
  const buttons = [...walk(form)].filter(
    ([{ type, name }]) =>
      (type === 'RegularElement' && name === 'button') || name === 'GuardedButton',
  );
  const submits = buttons.filter(([button]) =>
    JSON.stringify(button.attributes).includes('"submit"'),
  );
  return submits.length > 0 && submits.every(([button]) => isGuarded(button));
}

/** Names of functions of the component that start something, directly or by another of them. */
function startingFunctions(root: Node, textOf: (node: Node) => string): readonly string[] {
  const functions: [string, string][] = [];
  for (const [node] of walk(isRecord(root.instance) ? root.instance : {})) {
    const isArrow =
      node.type === 'VariableDeclarator' &&
      isRecord(node.init) &&
      String(node.init.type).includes('Function');
    if ((node.type !== 'FunctionDeclaration' && !isArrow) || !isRecord(node.id)) continue;
    functions.push([String(node.id.name), textOf(node)]);
  }
  const names = new Set<string>();
  for (let before = -1; before !== names.size;) {
    before = names.size;
    for (const [name, text] of functions)
      if (starts.test(text) || [...names].some((one) => uses(text, one))) names.add(name);
  }
  return [...names];
}

function uses(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w.$])${name}(?![\\w$:])`).test(text);
}

const guard =
  '<script>const guard = new AllowGuard(); function go() { plans.start(plan); }</script>';

test.each([
  '<button onclick={() => plans.start(plan)}>Run</button>',
  '<button onclick={go}>Run</button>',
  '<GuardedButton onclick={go}>Run</GuardedButton><button onclick={() => go()}>Run</button>',
  '<p {@attach guard.watch}><b>Here</b></p><button onclick={go}>Run</button>',
  '<form onsubmit={go}><button type="submit">Run</button></form>',
  '<form onsubmit={go}><GuardedButton>Other</GuardedButton></form>',
  '{#if a}<p><button onclick={go}>Run</button></p>{/if}',
  '{#snippet one()}<button onclick={go}>Run</button>{/snippet}',
])('finds an unguarded control, whatever else is guarded: %s', (markup) => {
  expect(unguardedIn(`${guard}${markup}`)).toHaveLength(1);
});

test.each([
  '<GuardedButton onclick={go}>Run</GuardedButton>',
  '<p {@attach guard.watch}>{#if a}<button onclick={go}>Run</button>{/if}</p>',
  '<button {@attach guard.watch} onclick={go}>Run</button>',
  '<form onsubmit={go}><GuardedButton type="submit">Run</GuardedButton></form>',
  '<GuardedButton onclick={go}>Run</GuardedButton><button onclick={stop}>Stop</button>',
])('finds none where all are guarded: %s', (markup) => {
  expect(unguardedIn(`${guard}${markup}`)).toEqual([]);
});

test('each control that starts tools or asks a model is guarded, or known not to need it', () => {
  const sources = files.map(([path, url]) => [path, readFileSync(url, 'utf8')] as const);
  const starting = sources.filter(([, source]) => starts.test(source));
  // Control: the pattern finds what it should.
  expect(starting.map(([path]) => path)).toEqual(
    expect.arrayContaining(['plans/RunActions.svelte', 'starts/StartDialog.svelte']),
  );
  const found = starting.flatMap(([path, source]) =>
    unguardedIn(source).map((control) => `${path}${control}`),
  );
  expect([...found].sort()).toEqual(Object.keys(unguarded).sort());
});
