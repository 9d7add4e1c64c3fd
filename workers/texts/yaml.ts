/** The YAML worker: reads and changes plans and evaluations, whose texts may come from strangers and may take very long. */

import { expose } from 'comlink';
import type { YamlWorker } from '../../src/runtime/protocol/yaml.ts';
import * as edits from '../../src/agent/runner/yaml/edit-plan.ts';
import { parseYaml, yamlLines } from '../../src/agent/runner/yaml/parse-yaml.ts';

const worker: YamlWorker = { ...edits, parse: parseYaml, lines: yamlLines };

expose(worker);
