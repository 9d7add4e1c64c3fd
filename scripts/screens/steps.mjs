/** Steps that several scenes share. */

/** @typedef {import('@playwright/test').Page} Page */

/** @param {Page} page @param {string} address */
export async function visit(page, address) {
  await page.goto(address);
  await page.waitForTimeout(400);
}

/** @param {Page} page @param {string} text */
export async function fill(page, text) {
  await page.getByRole('group', { name: 'Edit as' }).getByRole('button', { name: 'JSON' }).click();
  await page.getByRole('textbox', { name: 'Arguments' }).fill(text);
}

/** @param {Page} page */
export async function run(page) {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page
    .getByText(/^(Success|Failed|Returned an error)$/)
    .first()
    .waitFor();
  await page.waitForTimeout(300);
}

/** Runs a tool that asks the user, and waits until the answers can be pressed. @param {Page} page */
export async function runUntilAsked(page) {
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await page.waitForTimeout(800);
}

/** @param {Page} page @param {string} button */
export async function answer(page, button) {
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.waitForTimeout(400);
}

/** Waits until a button of the open dialog can be pressed, and presses it. @param {Page} page @param {string} button */
export async function pressWhenReady(page, button) {
  await page.getByRole('dialog').waitFor();
  await page.waitForTimeout(800);
  await answer(page, button);
}

/** Python is up and nothing is being scanned. @param {Page} page */
export async function ready(page) {
  await page.getByText('Python ready').first().waitFor({ state: 'attached', timeout: 60_000 });
  const isReady = () =>
    page.evaluate(async () =>
      (await (await fetch('api/tools')).text()).startsWith('{"state":"ready"'),
    );
  while (!(await isReady())) await page.waitForTimeout(100);
  await page.waitForTimeout(400);
}
