/** Names in zip files whose encoding is not stated. */

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createPacer } from '../async/pace.ts';
import { decodeNames } from './zip-names.ts';

const cases: [string, string[], string, string[]?][] = [
  ['cp437', ['größe.py', 'straße.txt'], 'CP437'],
  ['cp437', ['résumé.py'], 'CP437'],
  ['cp437', ['für.py'], 'CP437'],
  ['cp1252', ['größe.py', 'straße.txt'], 'Windows-1252'],
  ['cp1252', ['résumé.py', 'à_côté.txt'], 'Windows-1252'],
  ['cp1252', ['señal.py'], 'Windows-1252'],
  ['cp850', ['ação.py', 'previsão.txt'], 'CP850'],
  ['cp852', ['łódź.py', 'pogoda_dziś.txt'], 'CP852'],
  ['cp1250', ['łódź.py', 'żółw.txt'], 'Windows-1250'],
  ['cp866', ['погода.py', 'данные/таблица.txt'], 'CP866'],
  ['cp1251', ['погода.py', 'данные/таблица.txt'], 'Windows-1251'],
  ['koi8-u', ['погода.py', 'данные/таблица.txt'], 'KOI8'],
  ['gbk', ['天气.py', '数据/表.txt'], 'GBK'],
  ['gbk', ['工具.py'], 'GBK'],
  ['cp932', ['天気.py', '資料/表.txt'], 'Shift-JIS'],
  ['cp932', ['ソート.py'], 'Shift-JIS'],
  ['big5', ['天氣.py', '資料/表.txt'], 'Big5'],
  ['euc-kr', ['날씨.py', '자료/표.txt'], 'EUC-KR'],
  ['euc-jp', ['てんき.py', '資料/表.txt'], 'EUC-JP'],
  ['cp1253', ['καιρός.py'], 'Windows-1253', ['el-GR']],
  ['cp1254', ['ağaç.py', 'ışık.txt'], 'Windows-1254', ['tr']],
  ['cp1255', ['מזג.py'], 'Windows-1255', ['he']],
  ['cp1256', ['طقس.py'], 'Windows-1256', ['ar-EG']],
  ['cp874', ['อากาศ.py'], 'Windows-874', ['th']],
];

/** Names are encoded by Python, because browsers can only decode. */
const encoded = JSON.parse(
  spawnSync(
    'python3',
    [
      '-c',
      'import json, sys; print(json.dumps([[list(n.encode(c)) for n in ns] for c, ns in json.load(sys.stdin)]))',
    ],
    { input: JSON.stringify(cases.map(([page, names]) => [page, names])), encoding: 'utf8' },
  ).stdout,
) as number[][][];

test.each(
  cases.map((one, index) => ({
    page: one[0],
    names: one[1],
    title: one[2],
    languages: one[3],
    index,
  })),
)('names in $page are recognised: $names', async ({ names, title, languages, index }) => {
  const stored = (encoded[index] ?? []).map((bytes) => Uint8Array.from(bytes));
  const found = await decodeNames(stored, languages ?? ['en-US', 'en'], createPacer());
  expect([found.names, found.guess?.encoding]).toEqual([names, title]);
});
