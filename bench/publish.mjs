/** npm run bench:publish: writes the tables of bench/results.json into docs/speed.md, between their markers. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { projectFolder } from '../scripts/dist.mjs';
import { filled, peersTable, rowsTable } from './speed-tables.mjs';

const page = join(projectFolder, 'docs/speed.md');
/** @type {unknown} */
const found = JSON.parse(await readFile(join(projectFolder, 'bench/results.json'), 'utf8'));
const results = /** @type {import('./row.mjs').Results} */ (found);
let text = await readFile(page, 'utf8');
text = filled(text, 'rows', rowsTable(results));
if (results.peers === undefined) console.log('No figures of peers: npm run bench:peers adds them.');
else text = filled(text, 'peers', peersTable(results.peers));
await writeFile(page, await format(text, { ...(await resolveConfig(page)), parser: 'markdown' }));
console.log('Wrote docs/speed.md.');
