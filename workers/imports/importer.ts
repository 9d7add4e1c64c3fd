/** The import worker: documents may come from strangers, be very large, and take very long to read. */

import { expose } from 'comlink';
import { importWorker } from './import-document.ts';

expose(importWorker());
