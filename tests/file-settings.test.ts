/** Settings that files declare: a form in the policy, values in the tools, and secrets that nobody shows again. */

import { violations } from './support/axe.ts';
import { invoke } from './support/app.ts';
import { button, kept, openZip, python, ready } from './support/opening.ts';
import { expect, test } from './support/test.ts';

const source = `from pydantic import BaseModel, Field


class Tools:
    class Valves(BaseModel):
        unit: str = Field("km", description="Unit of distances")
        api_key: str = Field("", description="Key of the service")

    def __init__(self):
        self.valves = self.Valves()

    def show(self) -> str:
        """Shows the settings."""
        return f"{self.valves.unit}, key of {len(self.valves.api_key)}"

    def leak(self, fails: bool = False) -> dict:
        """Returns, prints and raises the key."""
        key = self.valves.api_key
        print("key", key)
        if fails:
            raise ValueError(f"the service refused {key}")
        return {"plain": key, "hex": key.encode().hex(), "length": len(key)}
`;
const key = 'sk-very-secret-17';

test('values of a folder reach its tools, also at the next visit, and secrets are not shown again', async ({
  page,
}) => {
  await page.goto('./');
  await openZip(page, 'valves.zip', [{ name: 'valves/valves.py', content: source }]);
  await ready(page, 'valves');
  const shown = async () => (await invoke(page, 'valves:show')).textResultForLlm;
  expect(await shown()).toBe('km, key of 0');
  await page.getByRole('link', { name: '2 settings' }).first().click();
  const secret = page.getByLabel('api_key: Key of the service');
  await expect(secret).toHaveAttribute('type', 'password');
  await page.getByRole('textbox', { name: 'unit' }).fill('miles');
  await secret.fill(key);
  expect(await violations(page)).toEqual([]);
  await button(page, 'Save settings').click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(secret).toHaveValue('');
  expect(await shown()).toBe('miles, key of 17');

  // A tool repeats its key, but neither the log nor an export contains it.
  const kind = async (fails: boolean) => invoke(page, 'valves:leak', { fails });
  const [returned, raised] = [await kind(false), await kind(true)];
  const leaked = JSON.stringify([returned, raised]);
  const stars = '*'.repeat(key.length);
  expect(leaked).toContain(`key ${stars}`);
  expect(leaked).toContain(`the service refused ${stars}`);
  // The positive control: the tool received the key.
  expect(returned.textResultForLlm).toContain('"length": 17');
  expect(leaked).not.toMatch(/very-secret|766572792d736563/);
  const logged = await page.evaluate(async () => (await fetch('api/calls')).text());
  expect(logged).toContain('valves:leak');
  expect(logged).not.toMatch(/very-secret|766572792d736563/);
  await kept(page, 1);
  await page.reload();
  await ready(page, 'valves');
  await expect.poll(shown, python).toBe('miles, key of 17');
  await expect(secret).toHaveAttribute('placeholder', /^Saved/);
  expect(await page.content()).not.toContain(key);
  await button(page, 'Remove api_key').click();
  await expect.poll(shown).toBe('miles, key of 0');
});
