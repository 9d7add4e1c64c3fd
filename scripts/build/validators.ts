/** Compiles JSON Schemas into the text of validator modules, so that the page needs no `eval` to check a value. */
import type { AnySchemaObject, Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import {
  ask,
  pythonProposal,
  pythonResult,
  pythonStream,
  pythonWorkspace,
  resolution,
} from '../../src/runtime/spec/schemas/sandbox.ts';
import evaluation from '../../src/runtime/spec/schemas/evaluation.schema.json' with { type: 'json' };
import { inspection } from '../../src/runtime/spec/schemas/inspection.ts';
import plan from '../../src/runtime/spec/schemas/plan.schema.json' with { type: 'json' };
import { recording } from '../../src/runtime/spec/schemas/recording.ts';
import { sessionDraft } from '../../src/runtime/spec/schemas/session-draft.ts';
import { sessionEvent } from '../../src/runtime/spec/schemas/session-event.ts';
import { sessionHead } from '../../src/runtime/spec/schemas/session-head.ts';
import tests from '../../src/runtime/spec/schemas/tests.schema.json' with { type: 'json' };

const options: Options = {
  allErrors: true,
  ownProperties: true,
  validateFormats: false,
  // Larger schemas that occur in several places become functions.
  inlineRefs: 5,
  code: { source: true, esm: true, lines: true },
};

/** Schemas of values from the sandbox. */
export const sandboxSchemas = {
  ask,
  inspection,
  pythonProposal,
  pythonResult,
  pythonStream,
  pythonWorkspace,
  resolution,
};

/** Schemas of values that only the page reads: from storage, other pages and files. */
export const pageSchemas = {
  evaluation,
  plan,
  recording,
  sessionDraft,
  sessionEvent,
  sessionHead,
  tests,
};

/** Returns the text of a module with a function for each schema (2020-12), under the schema's name. */
export function validators(schemas: Readonly<Record<string, AnySchemaObject>>): string {
  const ajv = new Ajv2020({ ...options, strict: true, allowUnionTypes: true, discriminator: true });
  const shared = sharedSchemas(Object.values(schemas));
  for (const [schema, name] of shared) ajv.addSchema(withReferences(schema, shared), name);
  for (const name in schemas) ajv.addSchema(withReferences(schemas[name] ?? {}, shared), name);
  return standaloneCode(ajv, Object.fromEntries(Object.keys(schemas).map((name) => [name, name])));
}

/** Names the objects and unions that occur in several places. References keep the code short. */
function sharedSchemas(schemas: readonly AnySchemaObject[]): ReadonlyMap<object, string> {
  const met = new Set<object>();
  const shared = new Map<object, string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!met.has(value)) {
      met.add(value);
      Object.values(value).forEach(visit);
    } else if ('properties' in value || 'oneOf' in value) {
      shared.set(value, `shared-${[...met].indexOf(value)}`);
    }
  };
  schemas.forEach(visit);
  return shared;
}

function withReferences(schema: object, shared: ReadonlyMap<object, string>): AnySchemaObject {
  const copy = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const $ref = shared.get(value);
    return $ref === undefined ? copied(value) : { $ref };
  };
  const copied = (value: object): object =>
    Array.isArray(value)
      ? value.map(copy)
      : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copy(inner)]));
  return copied(schema);
}
