/** Tools that ask the user, and the page that lists the answers. Each scene continues where the one before it has ended. */

import { drop } from '../../bench/drop.mjs';
import { answer, runUntilAsked, fill, ready, run, visit } from './steps.mjs';

/** @type {import('./scenes.mjs').Scenes} */
export const askingScenes = {
  'policy-empty': async (page, { asking }) => {
    await visit(page, '#/');
    await drop(page, asking);
    await page.getByText('weather.py').first().waitFor();
    await ready(page);
    await visit(page, '#/policy');
  },
  'question-network': async (page) => {
    await page.context().route('https://api.example.com/**', (route) => {
      const headers = { 'Access-Control-Allow-Origin': '*' };
      return route.fulfill({ json: { degrees: 7.5 }, headers });
    });
    await visit(page, '#/tools/weather:forecast');
    await fill(page, '{"place": "Oslo"}');
    await runUntilAsked(page);
  },
  'question-approval': async (page) => {
    await answer(page, 'Always allow for this folder');
    await run(page);
    await fill(page, '{"place": "Trondheim"}');
    await run(page);
    await visit(page, '#/tools/weather:forget_old');
    await runUntilAsked(page);
  },
  'question-call': async (page) => {
    await answer(page, 'Deny');
    void page.evaluate(() => {
      const body = JSON.stringify({ arguments: { place: 'Bergen', days: 14 } });
      const headers = { 'content-type': 'application/json' };
      return fetch('api/tools/weather:report/invoke', { method: 'POST', headers, body });
    });
    await page.getByRole('dialog').waitFor();
    await page.waitForTimeout(800);
  },
  'policy-filled': async (page) => {
    await answer(page, 'Deny');
    await visit(page, '#/tools/weather:elsewhere');
    await runUntilAsked(page);
    await answer(page, 'Never');
    await visit(page, '#/policy/network');
    await page.getByLabel('Allow an origin').fill('http://localhost:8080');
    // A button that allows something reacts only after half a second.
    await page.waitForTimeout(800);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await visit(page, '#/policy/secrets');
    await page.getByLabel('Origin', { exact: true }).fill('api.example.com');
    await page.getByLabel('Value', { exact: true }).fill('Bearer of-no-use');
    await page.waitForTimeout(800);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await visit(page, '#/policy');
  },
  'policy-requests': (page) => visit(page, '#/policy/requests'),
};
