/** What Python returns and streams is shown as what it is, through the real loader and sandbox. */

import { openFolder } from './support/app.ts';
import { expect, test } from './support/test.ts';

const source = `
import time

class Report:
    def _repr_html_(self): return "<table><tr><td>cell</td></tr></table><script>top.taken = 1</script>"

class RangeIndex: pass

class Frame:
    columns, index = ["city", "low"], RangeIndex()
    def __len__(self): return 2
    def _repr_html_(self): return ""
    def to_dict(self, orient): return [{"city": "Oslo", "low": 1.0}, {"city": "Rome", "low": float("nan")}]

def report(): return Report()

def frame(): return Frame()

def steps():
    for step in range(1, 4):
        yield {"progress": step, "total": 4, "message": f"File {step}"}
        time.sleep(0.3)
    time.sleep(30)

def spec(function, **more):
    schema = {"type": "object", "properties": {}}
    return {"name": f"shown:{function.__name__}", "description": "d", "parameters": schema, "handler": function, **more}

row = {"type": "object", "properties": {"low": {"type": "number"}}}
TOOL_SPECS = [spec(report), spec(frame, returns={"type": "array", "items": row}), spec(steps)]
`;

test('HTML, a data frame that breaks its spec, and progress', async ({ page, folder }) => {
  await page.goto('./');
  await openFolder(page, (await folder({ 'shown.py': source })).path);
  const list = page.getByRole('group', { name: 'Tools by file' });
  const result = page.getByRole('region', { name: 'Result' });
  const run = async (name: string): Promise<void> => {
    await list.getByRole('link', { name }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
  };
  await run('report');
  await expect(result.locator('iframe').contentFrame().getByText('cell')).toBeVisible();
  expect(await page.evaluate(() => 'taken' in window)).toBe(false);

  await run('frame');
  await expect(result.locator('.place')).toHaveText(/\$\[1\]\.low\s+must be a number, but is null/);
  await result.getByRole('button', { name: 'Table', exact: true }).click();
  await expect(result.getByRole('row')).toHaveText([/city\s*low/, /Oslo\s*1\.0/, /Rome\s*null/]);

  await run('steps');
  await expect(result.getByRole('progressbar')).toHaveJSProperty('value', 3);
  await expect(list.getByRole('link', { name: 'steps' })).toContainText('3 of 4');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(result).toContainText('Cancelled');
});
