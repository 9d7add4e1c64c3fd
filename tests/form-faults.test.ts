/** Forms that once sent other values than the user entered (tests/faults), by keyboard in the built app. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { pressUntil } from './support/press-until.ts';
import { expect, test } from './support/shared-page.ts';

const names = ['conditional-fields', 'schemas/mini', 'schemas/mini2', 'schemas/mini3'];

test.beforeAll(async ({ shared }) => {
  const files = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(`faults/${name}.py`, import.meta.url), 'utf8');
      return [name.replace('schemas/', '') + '.py', text] as const;
    }),
  );
  await shared.open(Object.fromEntries(files), 'faults');
  await shared.page.evaluate(() => {
    const noting = globalThis as { sentCalls?: string[]; endedCalls?: string[] };
    const sent = (noting.sentCalls = []) as string[];
    const ended = (noting.endedCalls = []) as string[];
    globalThis.cloche.calls.observe((event) => {
      if (event.type === 'call-queued') sent.push(event.call.arguments);
      if (event.type === 'call-ended') ended.push(event.result.textResultForLlm);
    });
  });
});

async function open(page: Page, tool: string): Promise<void> {
  await page.evaluate((name) => {
    location.hash = `/tools/${name}`;
  }, tool);
  await expect(page.getByRole('heading', { name: tool })).toBeVisible();
  await page.getByRole('group', { name: 'Edit as' }).getByRole('button', { name: 'Form' }).click();
}

const at = (page: Page, pointer: string) => page.locator(`[data-path="${pointer}"]`);

/** What the page sent, and what the handler got, which returns its arguments. */
type Passed = readonly [sent: string, got: string];

function calls(page: Page): Promise<Passed[]> {
  return page.evaluate(() => {
    const { sentCalls = [], endedCalls = [] } = globalThis as {
      sentCalls?: string[];
      endedCalls?: string[];
    };
    const compact = (text: string): string => text.replace(/\s+/g, '');
    return endedCalls.map((got, n) => [compact(sentCalls[n] ?? ''), compact(got)] as const);
  });
}

async function run(page: Page): Promise<Passed> {
  const { length } = await calls(page);
  await page.keyboard.press('Control+Enter');
  await expect.poll(async () => (await calls(page)).length).toBe(length + 1);
  return (await calls(page)).at(-1) ?? ['', ''];
}

/** Chooses an alternative by keyboard, if it is not the shown one. */
async function choose(page: Page, name: string, index: number): Promise<void> {
  const select = page.getByRole('combobox', { name: `Alternative of ${name}` }).first();
  await select.focus();
  const now = Number(await select.inputValue());
  for (let step = now; step < index; step += 1) await page.keyboard.press('ArrowDown');
  for (let step = now; step > index; step -= 1) await page.keyboard.press('ArrowUp');
  await expect(select).toHaveValue(String(index));
}

async function typeAt(page: Page, pointer: string, text: string): Promise<void> {
  await at(page, pointer).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

const numbers = [
  ['-2', '-2'],
  ['0.5', '0.5'],
  ['1e3', '1000.0'],
] as const;

// tests/component/form-choices.test.ts tests forms of these kinds without Python, for every commit.
for (const [tool, number, text] of [
  ['mini:str_num', 1, 0],
  ['mini:num_str', 0, 1],
  ['mini:types_num_str', 0, 1],
  ['mini:int_str', 0, 1],
  ['mini:num_null', 0, null],
  ['mini:num_bool', 1, null],
  ['mini3:num_enum', 0, null],
] as const)
  test(`${tool} gets a number or a text, as it was typed`, { tag: '@full' }, async ({ page }) => {
    await open(page, tool);
    if (tool.startsWith('mini:')) {
      // The form asks for values before it has been touched.
      await page.keyboard.press('Control+Enter');
      await expect(page.getByText('is required', { exact: true }).first()).toBeVisible();
    }
    await choose(page, 'v', number);
    const whole = tool === 'mini:int_str' ? numbers.slice(0, 1) : numbers;
    for (const [typed, got] of whole) {
      await typeAt(page, '/v', typed);
      expect(await run(page)).toEqual([`{"v":${typed}}`, `{"v":${got}}`]);
    }
    if (text === null) return;
    await choose(page, 'v', text);
    for (const [typed] of numbers) {
      await typeAt(page, '/v', typed);
      expect(await run(page)).toEqual([`{"v":"${typed}"}`, `{"v":"${typed}"}`]);
    }
  });

for (const [tool, name, field] of [
  ['mini2:any_props', 'feed', 'name'],
  ['mini2:types_first', 'feed', 'text'],
  ['mini2:refs', 'feed', 'text'],
  ['mini2:extra_open', 'feed', 'name'],
  ['mini3:two_unions', 'v', 'text'],
] as const)
  test(
    `${tool}: an alternative is chosen before anything is entered`,
    { tag: '@full' },
    async ({ page }) => {
      await open(page, tool);
      await choose(page, name, 1);
      await typeAt(page, `/${name}/${field}`, '-5');
      const args = `{"${name}":{"${field}":"-5"}}`;
      expect(await run(page)).toEqual([args, args]);
    },
  );

test('enumerations and tuples of all drafts are filled', { tag: '@full' }, async ({ page }) => {
  const { keyboard } = page;
  const chooseFirst = async (): Promise<void> => {
    await at(page, '/a').focus();
    await keyboard.press('ArrowDown');
    await expect(at(page, '/a').locator('option:checked')).toHaveText('x');
  };
  const fillTuple = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Add p' }).click();
    const items = page.getByRole('group', { name: 'p', exact: true });
    for (const [index, typed] of ['-2', '0.5'].entries()) {
      // The focus may still move into the new list, so a key could press another button.
      const add = items.getByRole('button', { name: 'Add item' });
      await pressUntil(add, at(page, `/p/${index}`));
      await typeAt(page, `/p/${index}`, typed);
    }
  };
  for (const draft of ['plain', 'd7', 'd6', '2019', '2020']) {
    await open(page, `mini:enum_${draft}`);
    await chooseFirst();
    expect(await run(page), draft).toEqual(['{"a":"x"}', '{"a":"x"}']);
  }
  await open(page, 'mini:noenum_d7');
  await typeAt(page, '/a', '1e3');
  expect(await run(page)).toEqual(['{"a":"1e3"}', '{"a":"1e3"}']);
  await open(page, 'mini:tuple_plain');
  await fillTuple();
  expect(await run(page)).toEqual(['{"p":["-2",0.5]}', '{"p":["-2",0.5]}']);
  await open(page, 'mini:tuple_enum');
  await fillTuple();
  await chooseFirst();
  expect(await run(page)).toEqual(['{"p":["-2",0.5],"a":"x"}', '{"p":["-2",0.5],"a":"x"}']);
  await open(page, 'mini:excl_enum');
  await typeAt(page, '/n', '0');
  await keyboard.press('Control+Enter');
  await expect(at(page, '/n')).toHaveAttribute('aria-invalid', 'true');
  await typeAt(page, '/n', '0.5');
  await chooseFirst();
  expect(await run(page)).toEqual(['{"n":0.5,"a":"x"}', '{"n":0.5,"a":"x"}']);
});

test('fields follow their conditions', { tag: '@full' }, async ({ page }) => {
  await open(page, 'conditional-fields:country');
  const { keyboard } = page;
  for (const [pointer, typed] of [
    ['/country', 'US'],
    ['/state', 'Alabama'],
    ['/org', 'ACME'],
  ] as const) {
    await keyboard.press('Control+Enter');
    await expect(at(page, pointer)).toBeFocused();
    await keyboard.type(typed);
  }
  const us = '{"country":"US","state":"Alabama","org":"ACME"}';
  expect(await run(page)).toEqual([us, us]);
  await at(page, '/country').focus();
  await keyboard.type('CA');
  await expect(
    page.getByText('No longer sent, because other arguments changed: state, org.'),
  ).toBeVisible();
  expect(await run(page)).toEqual(['{"country":"CA"}', '{"country":"CA"}']);
  await open(page, 'conditional-fields:multi');
  await expect(at(page, '/low')).toHaveCount(0);
  await at(page, '/multi').focus();
  await keyboard.type('true');
  await expect(at(page, '/single')).toHaveCount(0);
  await at(page, '/low').focus();
  await keyboard.type('-3');
  expect(await run(page)).toEqual(['{"multi":true,"low":-3}', '{"multi":true,"low":-3}']);
});
