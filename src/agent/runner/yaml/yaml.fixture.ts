/** Reads YAML without a worker. */

import type { YamlReader } from '../../../runtime/protocol/yaml.ts';
import { parseYaml, yamlLines } from './parse-yaml.ts';

export const yamlHere: YamlReader = {
  parse: (text) => Promise.resolve(parseYaml(text)),
  lines: (text, paths) => Promise.resolve(yamlLines(text, paths)),
};
