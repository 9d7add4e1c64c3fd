/** File contents as they are sent, compressed once and cached in memory. */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { contentType } from './content-type.mjs';

/** @typedef {import("./find-file.mjs").FoundFile} FoundFile */
/** @typedef {"br" | "gzip" | "identity"} Encoding */

/** The compressed contents of files, which are read again when their versions change. */
export class EncodedFiles {
  #compressible;
  /** @type {Map<string, {version: string, body: Promise<Uint8Array>}>} */
  #kept = new Map();

  /** @param {boolean} [wasm] whether WebAssembly is compressed too */
  constructor(wasm = false) {
    this.#compressible = wasm ? /^text\/|\bjson\b|\bsvg\b|\bwasm\b/ : /^text\/|\bjson\b|\bsvg\b/;
  }

  /**
   * Returns how to send a file. Text compresses quickly to a fifth; ten megabytes of WebAssembly do not, and are sent as they
   * are unless the constructor says otherwise, since this server is on the same machine.
   *
   * @param {FoundFile} file
   * @param {string | string[] | undefined} accepted the request's Accept-Encoding
   * @returns {Encoding}
   */
  encodingFor({ path, size }, accepted) {
    const compressible = this.#compressible.test(contentType(extname(path)));
    if (!compressible || size < 1000) return 'identity';
    const codings = String(accepted ?? '')
      .split(',')
      .map((coding) => coding.trim());
    if (codings.includes('br')) return 'br';
    return codings.includes('gzip') ? 'gzip' : 'identity';
  }

  /**
   * @param {FoundFile} file
   * @param {Encoding} encoding
   * @returns {Promise<Uint8Array>}
   */
  read({ path, version }, encoding) {
    const key = `${encoding} ${path}`;
    const kept = this.#kept.get(key);
    if (kept?.version === version) return kept.body;
    const body = readFile(path).then((content) => encode(content, encoding));
    this.#kept.set(key, { version, body });
    body.catch(() => this.#kept.delete(key));
    return body;
  }
}

/**
 * @param {Uint8Array} content
 * @param {Encoding} encoding
 * @returns {Promise<Uint8Array>}
 */
async function encode(content, encoding) {
  switch (encoding) {
    case 'identity':
      return content;
    case 'gzip':
      return promisify(gzip)(content);
    case 'br':
      return promisify(brotliCompress)(content, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
      });
  }
}
