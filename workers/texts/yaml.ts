/** The YAML worker: reads and changes plans and evaluations, whose texts may come from strangers and may take very long. */

import { expose } from 'comlink';
import * as edits from '../../src/runner/edit-plan.ts';
import { parseYaml, yamlLines } from '../../src/runner/parse-yaml.ts';
import type { YamlWorker } from '../../src/runner/yaml-worker.ts';

const worker: YamlWorker = { ...edits, parse: parseYaml, lines: yamlLines };

expose(worker);
