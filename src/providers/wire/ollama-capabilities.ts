/**
 * Adds capabilities to Ollama's model list. Newer versions include them in the list; older ones report them per model.
 */

import { fields, type Fields } from '../../spec/guards.ts';

/** Limits for the number of requests, in total and at a time. */
const maxRequests = 200;
const batchSize = 4;

/**
 * Returns the list with the capabilities that were found.
 *
 * @param list the response of `/api/tags`
 * @param show requests `/api/show` for one model
 */
export async function withCapabilities(
  list: unknown,
  show: (model: string) => Promise<unknown>,
): Promise<unknown> {
  const { models } = fields(list);
  if (!Array.isArray(models)) return list;
  const found = new Map<unknown, unknown>();
  const open = models
    .map((model) => fields(model))
    .filter(({ capabilities, name }) => capabilities === undefined && typeof name === 'string')
    .slice(0, maxRequests);
  const ask = async ({ name }: Fields): Promise<boolean> => {
    const { capabilities } = fields(await show(String(name)));
    if (!Array.isArray(capabilities)) return false;
    found.set(name, capabilities);
    return true;
  };
  // If the first request finds nothing, the others would not either: the server is too old, or is not Ollama.
  let continues = open[0] !== undefined && (await ask(open[0]));
  for (let at = 1; continues && at < open.length; at += batchSize)
    continues = (await Promise.all(open.slice(at, at + batchSize).map(ask))).includes(true);
  return {
    models: models.map((model: unknown) => {
      const capabilities = found.get(fields(model).name);
      return capabilities === undefined ? model : { ...fields(model), capabilities };
    }),
  };
}
