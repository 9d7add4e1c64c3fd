/** Reads YAML without a worker. */

import { parseYaml, yamlLines } from './parse-yaml.ts';
import type { YamlReader } from './read-text.ts';

export const yamlHere: YamlReader = {
  parse: (text) => Promise.resolve(parseYaml(text)),
  lines: (text, paths) => Promise.resolve(yamlLines(text, paths)),
};
