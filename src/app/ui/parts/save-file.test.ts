import { expect, test } from 'vitest';
import { downloadName, extensionOf } from './save-file.ts';

test('names of downloads contain no path, control or reordering character', () => {
  const names = {
    'weather:get.json': 'weather-get.json',
    'häufig.txt': 'häufig.txt',
    'ha\u0308ufig.txt': 'häufig.txt',
    '天気.csv': '天気.csv',
    'a title.session.json': 'a-title.session.json',
    'calls.jsonl': 'calls.jsonl',
    'greet.py': 'greet.py',
    'plan.yaml': 'plan.yaml',
    'plan.yml': 'plan.yml',
    'book.ipynb': 'book.ipynb',
    'pyproject.toml': 'pyproject.toml',
    'table.tsv': 'table.tsv',
    '../../etc/passwd': 'etc-passwd.bin',
    '.profile': 'profile.bin',
    'a\u202Egpj.exe': 'a-gpj-exe.bin',
    'a\u202Efdp.txt': 'a-fdp.txt',
    'a\u200b\u2066b\0.png': 'a-b.png',
    '::': 'result.bin',
    '': 'result.bin',
  };
  for (const [name, safe] of Object.entries(names)) expect(downloadName(name)).toBe(safe);
});

test('names of downloads have the extension of a known type, which nothing follows or precedes', () => {
  const names = {
    'w.exe': 'w-exe.bin',
    'w.png.exe': 'w-png-exe.bin',
    'w.pdf.html': 'w-pdf.html',
    'w.exe.': 'w-exe.bin',
    'w.png. .': 'w-png.bin',
    'w.PNG': 'w-PNG.bin',
    'w.lnk': 'w-lnk.bin',
    'w.html::$DATA': 'w-html-DATA.bin',
    'CON.json': '_CON.json',
    nul: '_nul.bin',
    'Com¹.txt': '_Com¹.txt',
    'console.txt': 'console.txt',
  };
  for (const [name, safe] of Object.entries(names)) expect(downloadName(name)).toBe(safe);
});

test('long names are cut before their extension, and between characters', () => {
  expect(downloadName(`${'x'.repeat(5_000)}.png`)).toBe(`${'x'.repeat(50)}.png`);
  expect(downloadName(`${'𝒳'.repeat(60)}.png`)).toBe(`${'𝒳'.repeat(50)}.png`);
});

test('media types get the extension of a known type, never one that they name', () => {
  const types = {
    'image/png': 'png',
    ' IMAGE/JPEG; q=1': 'jpg',
    'text/csv; charset=utf-8': 'csv',
    'application/yaml': 'yaml',
    'text/x-yaml': 'yaml',
    'application/toml': 'toml',
    'application/x-ipynb+json': 'ipynb',
    'application/x-ndjson': 'jsonl',
    'text/x-python': 'bin',
    'image/exe': 'bin',
    'image/lnk': 'bin',
    'image/scr': 'bin',
    'application/x-msdownload': 'bin',
    'image/../../x': 'bin',
    constructor: 'bin',
    '': 'bin',
  };
  for (const [type, extension] of Object.entries(types))
    expect([type, extensionOf(type)]).toEqual([type, extension]);
});
