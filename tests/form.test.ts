/** A tool is filled in by keyboard and run: Python receives exactly what was typed. */

import { jsonArguments } from './support/json-arguments.ts';
import { expectNoStall } from './support/stalls.ts';
import { expect, test } from './support/shared-page.ts';

const trips = `
TOOL_SPECS = [
    {
        "name": "trips:plan",
        "description": "Plans a trip.",
        "parameters": {
            "type": "object",
            "required": ["city", "stops"],
            "additionalProperties": False,
            "properties": {
                "city": {"type": "string", "minLength": 1},
                "ratio": {"type": "number", "default": 0.0},
                "mass": {"type": "integer", "default": 10**40},
                "guide": {"anyOf": [{"$ref": "#/$defs/person"}, {"type": "null"}], "default": None},
                "stops": {"type": "array", "items": {"$ref": "#/$defs/person"}},
            },
            "$defs": {
                "person": {
                    "type": "object",
                    "required": ["name"],
                    "properties": {
                        "name": {"type": "string", "minLength": 2},
                        "age": {"type": ["integer", "null"]},
                    },
                }
            },
        },
        "handler": plan,
    }
]
`;
const handler = `def plan(**values):
    return {"repr": repr(values)}

`;

const wide = `
def fields(count):
    kinds = [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}, {"enum": ["a", "b"]}]
    return {f"field_{n}": kinds[n % 4] for n in range(count)}


TOOL_SPECS = [
    {
        "name": f"wide:with_{count}",
        "description": "Has many arguments.",
        "parameters": {"type": "object", "properties": fields(count)},
        "handler": lambda **values: values,
    }
    for count in (200, 1000)
]
`;

test.beforeAll(async ({ shared }) => {
  await shared.open({ 'trips.py': handler + trips, 'wide.py': wide }, 'form');
});

test('a form is filled in by keyboard, survives a reload, and Python gets what was typed', async ({
  page,
}) => {
  const at = (pointer: string) => page.locator(`[data-path="${pointer}"]`);
  const { keyboard } = page;
  await page.getByRole('link', { name: 'plan', exact: true }).press('Enter');
  // Defaults are spelled as in the file, and what is missing is asked for.
  await expect(at('/ratio')).toHaveValue('0.0');
  await expect(at('/mass')).toHaveValue(`1${'0'.repeat(40)}`);
  await keyboard.press('Control+Enter');
  await expect(at('/city')).toBeFocused();
  await expect(at('/city')).toHaveAccessibleDescription('is required');
  await at('/city').focus();
  await keyboard.type('Oslo');
  await keyboard.press('Control+Enter');
  await expect(page.getByRole('button', { name: 'Add stops' })).toBeFocused();
  await keyboard.press('Enter');
  // A list that is required begins with an item.
  await expect(at('/stops/0/name')).toBeFocused();
  await keyboard.type('B');
  await page.reload();
  await expect(at('/stops/0/name')).toHaveValue('B');
  const run = page.getByRole('button', { name: 'Run', exact: true });
  // The error of the field is that of the run.
  await expect(page.getByText('is too short (1 < 2)', { exact: true })).toBeVisible();
  await run.press('Enter');
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result).toContainText('$.stops[0].name: is too short (1 < 2)');
  await at('/stops/0/name').focus();
  await keyboard.press('End');
  await keyboard.type('o');
  await at('/ratio').focus();
  await keyboard.press('Control+a');
  await keyboard.type('3.0');
  await keyboard.press('Control+Enter');
  await expect(result).toContainText(
    `{'ratio': 3.0, 'mass': 1${'0'.repeat(40)}, 'guide': None, 'city': 'Oslo', 'stops': [{'name': 'Bo'}]}`,
  );
  await expect(await jsonArguments(page)).toHaveValue(/"ratio": 3\.0,\n {2}"mass": 10{40},/);
});

test('a form of 1,000 fields appears without a stall', async ({ page }) => {
  const last = page.locator('[data-path="/field_999"]');
  // The first page of a tool is slower than the others, with or without a form.
  await page.getByRole('link', { name: 'plan', exact: true }).click();
  await page.getByRole('group', { name: 'Edit as' }).getByRole('button', { name: 'Form' }).click();
  await page.locator('[data-path="/city"]').waitFor();
  await expectNoStall(page, async () => {
    await page.getByRole('link', { name: 'with_1000', exact: true }).click();
    // An `expect` that waits would describe the whole form to itself, which blocks the page for seconds.
    await last.waitFor({ state: 'attached' });
    await last.selectOption('b');
  });
  await expect(await jsonArguments(page)).toHaveValue(/"field_999": "b"/);
});

test('typing in a form of 200 fields does not stall', async ({ page }) => {
  await page.getByRole('link', { name: 'with_200', exact: true }).click();
  await page.getByRole('group', { name: 'Edit as' }).getByRole('button', { name: 'Form' }).click();
  await page.locator('[data-path="/field_199"]').waitFor({ state: 'attached' });
  await expectNoStall(page, async () => {
    await page.locator('[data-path="/field_100"]').focus();
    await page.keyboard.type('some words and more');
    await page.locator('[data-path="/field_101"]').focus();
    await page.keyboard.type('1234567');
  });
  await expect(await jsonArguments(page)).toHaveValue(
    /"field_100": "some words and more",\s*"field_101": 1234567/,
  );
});
