/**
 * The model worker: sends requests to providers of models. It is a separate worker for three reasons: serialising a long
 * conversation would block the page, the page's own policy allows no requests to other hosts, and API keys stay apart
 * from the worker that sends requests for tools.
 */

import { expose } from 'comlink';
import { modelNetwork } from '../../src/agent/providers/wire/model-network.ts';
import { modelWorker } from '../../src/agent/providers/wire/model-worker.ts';

declare const self: DedicatedWorkerGlobalScope;

const network = modelNetwork(self);
// The SDKs are given a `fetch` for the provider of the request, and must not use any other.
self.fetch = () => Promise.reject(new TypeError('There is no fetch here.'));

expose(modelWorker(network));
