/** What the models of an Ollama can do: newer ones say it in their list, others of one model at a time. */

import { fields, type Fields } from '../../spec/guards.ts';

/** More than anybody has, and few at a time: it is one computer. */
const mostAsked = 200;
const atATime = 4;

/**
 * @param list what `/api/tags` answered
 * @param show asks `/api/show` of one model
 * @returns the list, with what was found out
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
    .slice(0, mostAsked);
  const ask = async ({ name }: Fields): Promise<boolean> => {
    const { capabilities } = fields(await show(String(name)));
    if (!Array.isArray(capabilities)) return false;
    found.set(name, capabilities);
    return true;
  };
  // Where the first is not told, none is: it is too old, or no Ollama.
  let goesOn = open[0] !== undefined && (await ask(open[0]));
  for (let at = 1; goesOn && at < open.length; at += atATime)
    goesOn = (await Promise.all(open.slice(at, at + atATime).map(ask))).includes(true);
  return {
    models: models.map((model: unknown) => {
      const capabilities = found.get(fields(model).name);
      return capabilities === undefined ? model : { ...fields(model), capabilities };
    }),
  };
}
