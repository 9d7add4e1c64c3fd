/** The types of a row's input and output. */

/**
 * @typedef {object} Bench
 * @property {() => Promise<import('@playwright/test').Page>} newPage in a fresh profile; closed after the row
 * @property {Awaited<ReturnType<typeof import('./sites.mjs').openSites>>} sites
 */

/**
 * @typedef {object} Measured
 * @property {string} name
 * @property {string} unit
 * @property {number} ours
 * @property {number} floor
 * @property {number} target the ratio that is aimed at
 */

/** @typedef {(bench: Bench) => Promise<Measured[]>} Row */

export {};
