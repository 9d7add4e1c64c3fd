/** JSON values, and JSON text that must keep its exact spelling. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/**
 * JSON as text. Numbers keep their spelling and keys their order only in this form:
 * 12345678901234567890, 3.0 and integer-like keys do not survive a JavaScript object.
 */
export type JsonText = string;
