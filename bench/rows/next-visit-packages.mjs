/** A later visit with a folder whose tools import requests and three other packages, compared with a folder without packages. */

import { mkdir, writeFile } from 'node:fs/promises';
import { echoFiles, writeFolder } from '../folders.mjs';
import { alternate } from '../measure.mjs';
import { imported } from '../models.mjs';
import { hasCompiledPackages } from '../stored-snapshot.mjs';
import { firstVisit, nextResult } from './next-visit.mjs';

const head = `# /// script
# dependencies = ["requests", "packaging", "prettytable", "idna"]
# ///
import idna
import packaging.version
import prettytable
import requests
`;

const patience = 120_000;

/** @param {import('../row.mjs').Bench} bench */
export default async function nextVisitPackages({ newPage, sites }) {
  const { debianWheels } = /** @type {typeof import('../../tests/support/wheels.ts')} */ (
    await imported('wheels.ts')
  );
  const files = echoFiles();
  const withPackages = files.map(
    ([name, text]) => /** @type {[string, string]} */ ([name, head + text]),
  );
  const without = await writeFolder(`${sites.temporary}/without-packages`, files);
  const folder = await writeFolder(`${sites.temporary}/with-packages`, withPackages);
  await mkdir(`${folder}/wheels`, { recursive: true });
  for (const [name, content] of await debianWheels())
    await writeFile(`${folder}/wheels/${name}`, content);
  const ours = await newPage();
  const floor = await newPage();
  await firstVisit(floor, sites.ours, without);
  await firstVisit(ours, sites.ours, folder);
  const until = Date.now() + patience;
  while (!(await ours.evaluate(hasCompiledPackages))) {
    if (Date.now() > until) throw new Error('The page has stored no compiled packages.');
    await ours.waitForTimeout(300);
  }
  await nextResult(ours, sites.ours);
  await nextResult(floor, sites.ours);
  const measured = await alternate(
    () => nextResult(ours, sites.ours),
    () => nextResult(floor, sites.ours),
  );
  return [{ name: 'next-visit-packages', unit: 'ms', ...measured, target: 1.3 }];
}
