/** What connects the page to the rest: loaded behind the first paint, as one chunk. */

export { connectApi } from './connect-api.ts';
export { connectFolders } from './connect-folders.ts';
export { connectPolicy } from './connect-policy.ts';
export { connectOffline } from './connect-offline.ts';
export { connectWorkspaces } from './connect-workspaces.ts';
export { keepSnapshot, openSnapshots } from './connect-snapshots.ts';
export { openPackages } from './open-packages.ts';
export { tellBusyPython } from './busy-python.ts';
export { openPool } from './open-pool.ts';
export { samplesSource } from './platform/samples-source.ts';
