/** The types of a row's input and output. */

/**
 * @typedef {object} Bench
 * @property {() => Promise<import('@playwright/test').Page>} newPage in a fresh profile; closed after the row
 * @property {Awaited<ReturnType<typeof import('./sites.mjs').openSites>>} sites
 */

/**
 * @typedef {object} RowNotes
 * @property {string} name
 * @property {string} unit
 * @property {number} target the ratio that is aimed at
 * @property {string} [browser] if it differs from that of the other rows
 */

/** @typedef {RowNotes & import('./measure.mjs').Sides} Measured */
/** @typedef {Measured & {ratio: number, met: boolean}} Result */
/** @typedef {(bench: Bench) => Promise<Measured[]>} Row */

/**
 * What bench/results.json holds.
 * @typedef {object} Results
 * @property {{processor: string, cores: number, memoryGb: number, system: string}} machine
 * @property {string} browser
 * @property {string} date
 * @property {Result[]} rows
 * @property {Peers} [peers]
 */

/**
 * What bench/peers.mjs adds: medians by page and figure.
 * @typedef {object} Peers
 * @property {number} rounds
 * @property {string} pyscript its version
 * @property {Record<string, Record<string, number>>} found
 */

export {};
