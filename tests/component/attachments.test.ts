/** Files that a user attaches to a message: texts and PDF documents, chosen, pasted or dropped. */

import { expect, test } from './support/shared-page.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import * as session from '../support/session-page.ts';

let endpoint: ModelEndpoint;

test.beforeAll(async ({ shared }) => {
  endpoint = await startModelEndpoint();
  await session.openWithModels(shared, endpoint);
});
test.afterAll(() => endpoint.close());

const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');

test('a text and a PDF are attached, sent with their names, and shown in the transcript', async ({
  page,
  trouble,
}) => {
  session.expectModelRequests(trouble);
  endpoint.reset();
  await session.newSession(page, session.mine, /large/);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (
    await choosing
  ).setFiles([
    { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# The frogs of Oslo') },
    { name: 'paper.pdf', mimeType: 'application/pdf', buffer: pdf },
    { name: 'odd.bin', mimeType: 'application/octet-stream', buffer: Buffer.from('x') },
  ]);
  const attached = page.getByRole('list', { name: 'Attachments' });
  await expect(attached.getByRole('listitem')).toHaveCount(2);
  await expect(page.getByText('odd.bin cannot be attached')).toBeVisible();

  // Dropped anywhere on the session, a text is attached, and opens nothing.
  await page.getByRole('button', { name: 'Session actions' }).evaluate((place) => {
    const data = new DataTransfer();
    data.items.add(new File(['a,b\n1,2\n'], 'table.csv', { type: 'text/csv' }));
    place.dispatchEvent(
      new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }),
    );
  });
  await expect(attached.getByRole('listitem')).toHaveCount(3);
  await attached.getByRole('button', { name: 'Remove table.csv' }).click();
  await expect(page.getByText('large may not support PDF documents.')).toBeVisible();
  await expect(attached.getByRole('listitem')).toHaveCount(2);

  endpoint.answer({ text: 'About frogs.' });
  await session.send(page, 'What is this about?');
  await expect(page.getByText('About frogs.')).toBeVisible();
  await session.idle(page);
  const sent = session.asked(endpoint).at(-1)?.text ?? '';
  expect(sent).toContain('Attached file notes.md:\\n\\n# The frogs of Oslo');
  expect(sent).toContain(`data:application/pdf;base64,${pdf.toString('base64')}`);
  expect(sent).not.toContain('table.csv');
  const message = page.getByRole('article', { name: 'You' });
  await expect(message).toContainText('paper.pdf');
  await message.getByText('notes.md').click();
  await expect(message).toContainText('The frogs of Oslo');
  // The title is what the user has typed, not the file.
  await expect(page.getByRole('heading', { name: 'What is this about?' })).toBeVisible();
});
