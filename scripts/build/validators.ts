/** Compiles JSON Schemas into the text of validator modules, so that the page needs no `eval` to check a value. */
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import type { Made } from './product.ts';

const suffix = '.schema.json';
const options: Options = {
  allErrors: true,
  ownProperties: true,
  validateFormats: false,
  code: { source: true, esm: true, lines: true },
};

/**
 * One function for each wanted one of src/runtime/spec/schemas/*.schema.json (2020-12), named for its file: tool-call → toolCall.
 */
export async function ownValidators(
  root: string,
  isWanted: (file: string) => boolean,
): Promise<Made<string>> {
  const folder = schemaFolder(root);
  const ajv = new Ajv2020({ ...options, strict: true, allowUnionTypes: true, discriminator: true });
  const files = (await readdir(folder)).filter((file) => file.endsWith(suffix)).sort();
  const names: Record<string, string> = {};
  for (const file of files) {
    const schema = await readSchema(join(folder, file));
    const id = typeof schema.$id === 'string' ? schema.$id : file;
    ajv.addSchema(schema, id);
    if (isWanted(file)) names[camelCase(file.slice(0, -suffix.length))] = id;
  }
  return { value: standaloneCode(ajv, names), sources: [folder] };
}

/** Ends with a separator. */
export function schemaFolder(root: string): string {
  return join(root, 'src/runtime/spec/schemas') + sep;
}

async function readSchema(file: string): Promise<Record<string, unknown>> {
  const schema: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (typeof schema !== 'object' || schema === null) throw new Error(`${file}: must be an object.`);
  return { ...schema };
}

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
