/** The npm package's `.`: the client of Cloche's API. It has no dependencies. */

export { connect, type Cloche, type ConnectOptions, type McpAccess } from './client.ts';
export type { Runs } from './runs.ts';
export { ClocheError } from './client-error.ts';
export type { ClientRequest, ClientResponse } from './transport.ts';
export type * from '../../runtime/protocol/api-types.ts';
