/** A wheel with a compiled extension module for Pyodide, written byte by byte because tests have no compiler. */

import { strToU8 } from 'fflate';
import { makeWheel } from './make-wheel.ts';

const i32 = 0x7f;
const globalGet = [0x23, 0] as const; // __memory_base
const add = 0x6a;
const end = 0x0b;

/**
 * The package `name`, whose compiled module `module` has the integer `value` as its constant SIZE.
 * @returns its file name, and the file
 */
export function compiledWheel(name: string, module: string, value: number): [string, Uint8Array] {
  return makeWheel({
    name,
    version: '1.0',
    files: { [`${module}.so`]: extension(module, value) },
    tag: 'cp314-cp314-pyemscripten_2026_0_wasm32',
  });
}

/** A side module whose PyInit function calls PyModule_Create2 and PyModule_AddIntConstant. */
function extension(module: string, value: number): Uint8Array {
  // A PyModuleDef of 64 bytes, then its name, then the constant's name.
  const names = [...strToU8(`${module}\0`), ...strToU8('SIZE\0')];
  const constantAt = 64 + module.length + 1;
  const code = [
    ...[1, 1, i32], // one local: the module
    ...[...globalGet, ...constant(1), ...store(0)], // ob_refcnt
    ...[...globalGet, ...globalGet, ...constant(64), add, ...store(20)], // m_name
    ...[...globalGet, ...constant(-1), ...store(28)], // m_size
    ...[...globalGet, ...constant(1013), 0x10, 0, 0x22, 0], // PyModule_Create2(def, PYTHON_API_VERSION), kept
    ...[...globalGet, ...constant(constantAt), add, ...constant(value), 0x10, 1, 0x1a],
    ...[0x20, 0, end],
  ];
  const memory = [...Array<number>(64).fill(0), ...names];
  const memoryInfo = [...unsigned(memory.length), 2, 0, 0];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(0, [...text('dylink.0'), 1, memoryInfo.length, ...memoryInfo]),
    ...section(1, [3, ...type(0), ...type(2), ...type(3)]),
    ...section(2, [
      4,
      ...[...text('env'), ...text('memory'), 2, 0, 0],
      ...[...text('env'), ...text('__memory_base'), 3, i32, 0],
      ...[...text('env'), ...text('PyModule_Create2'), 0, 1],
      ...[...text('env'), ...text('PyModule_AddIntConstant'), 0, 2],
    ]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text(`PyInit_${module}`), 0, 2]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
    ...section(11, [1, 0, ...globalGet, end, ...unsigned(memory.length), ...memory]),
  ]);
}

/** The type of a function from `count` integers to one. */
function type(count: number): number[] {
  return [0x60, count, ...Array<number>(count).fill(i32), 1, i32];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function text(name: string): number[] {
  return [...unsigned(name.length), ...strToU8(name)];
}

function store(offset: number): number[] {
  return [0x36, 2, offset];
}

function constant(value: number): number[] {
  return [0x41, ...signed(value)];
}

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >> 7)];
}

function signed(value: number): number[] {
  if (value >= -0x40 && value < 0x40) return [value & 0x7f];
  return [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
