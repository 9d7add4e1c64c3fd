/** Vite plugin: validators compiled at build time, as `virtual:cloche/validators` and `virtual:cloche/page-validators`. */
import type { Plugin } from 'vite';
import { bundleModule } from './classic-script.ts';
import { Product, type Made } from './product.ts';
import { pageSchemas, sandboxSchemas, validators } from './validators.ts';

const ofSandbox = 'virtual:cloche/validators';
/** A separate module, because code that is loaded at once and code that is loaded later share none. */
const ofPage = 'virtual:cloche/page-validators';

/** Module → its text; shared by all builds of one run, because compiling takes a while. */
export type ValidatorProducts = ReadonlyMap<string, Product<string>>;

export function validatorProducts(root: string): ValidatorProducts {
  return new Map([
    [ofSandbox, product(root, sandboxSchemas)],
    [ofPage, product(root, pageSchemas)],
  ]);
}

export function validatorsPlugin(parts: ValidatorProducts): Plugin {
  return {
    name: 'cloche:validators',
    resolveId(id) {
      return parts.has(id) ? `\0${id}` : undefined;
    },
    async load(id) {
      const code = await parts.get(id.slice(1))?.get();
      // Unused validators may be left out.
      return code === undefined ? undefined : { code, moduleSideEffects: false };
    },
  };
}

// The development server restarts when a schema changes, because its configuration imports the schemas.
function product(root: string, schemas: Parameters<typeof validators>[0]): Product<string> {
  return new Product(() => bundleValidators(root, validators(schemas)));
}

// ajv's text calls `require` for its runtime; bundling replaces these calls by the functions themselves.
async function bundleValidators(root: string, text: string): Promise<Made<string>> {
  const entry = '\0validators';
  const own = {
    name: 'cloche:validators-text',
    resolveId: (id: string) => (id === entry ? id : undefined),
    load: (id: string) => (id === entry ? text : undefined),
  };
  const settings = { root, mode: 'production', minify: false, plugins: [own] };
  const { value } = await bundleModule(entry, settings);
  if (/(?<!")\brequire\(|\bnew Function\b|\beval\(/.test(value)) {
    throw new Error('A compiled validator still calls require, eval or new Function.');
  }
  return { value, sources: [] };
}
