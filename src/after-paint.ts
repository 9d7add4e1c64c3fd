/** What comes behind the first paint, as one chunk. */

export { connect } from './connect.ts';
export { openSnapshots } from './connect-snapshots.ts';
export { InterpreterSource } from './sandbox/interpreter-source.ts';
