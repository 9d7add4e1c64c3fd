/** Encodings of file names before Unicode, and how well each one suits given names. */

/** Returns null if the bytes are not valid in the encoding. */
export type Decode = (bytes: Uint8Array) => string | null;

export interface CodePage {
  /** The label of `TextDecoder`, or the name of a table below. */
  readonly label: string;
  /** The name that users may know. */
  readonly title: string;
  /** The letters beyond ASCII that this encoding is for. */
  readonly letters: RegExp;
  /** Beginnings of the language tags that this encoding is for. */
  readonly languages: string;
  /** The lead bytes of usual characters in a two-byte encoding. */
  readonly usual: readonly [number, number] | undefined;
  /** The characters that names have most often. */
  readonly frequent: string;
}

/**
 * Characters from 0x80 in the encodings of DOS, which zip folders of Windows use too. `TextDecoder` does not know them.
 */
const tables: Readonly<Record<string, string>> = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  cp852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
};

/** Letters beyond ASCII of the languages that are written in Latin script. */
const accentedLatin = /[\u00aa-\u024f]/u;
const western = 'de|fr|es|it|pt|nl|sv|da|nb|nn|no|fi|is|en';
const central = 'pl|cs|sk|hu|hr|sl|ro|sq';
const cyrillic = /\p{Script=Cyrillic}/u;
const cyrillicLanguages = 'ru|uk|be|bg|sr|mk|kk';
const han = /\p{Script=Han}/u;
const japanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]/u;

const frequentJapanese =
  'のにをはがでとたしてるいれなかあ日本人大年一会国中出上下分時行見月後前生五間社事自東合同発高定実力員部立場作用方入対理性市業所法教手明動全気天表料資新金名目長度数表図書計算検索変換文字設定管理試験結果週売集約予報温';
const frequentSimplified =
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔试验温查询算搜索脚换具据料库译';
const frequentTraditional =
  '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指試驗溫查詢算搜尋檔案具據料庫譯書圖';
const frequentHangul =
  '이다의는에가을고하한지로도사기시자리어서인대나은일그으해제정아수전스부보안구들성상장원주과있라면비조여게니계공동만화치국문용경무관우신유방선세모연오거마업회소미내물생현분영중였적진학했및와식위교행된때출재음력업운발트물날씨데터료파변환번역검색결표자목온도날짜계산단통합';

/** Encodings in the order of preference, for names that several of them suit equally well. */
export const codePages: readonly CodePage[] = [
  page('cp437', 'CP437', accentedLatin, western),
  page('windows-1252', 'Windows-1252', accentedLatin, western),
  page('cp850', 'CP850', accentedLatin, western),
  page('cp852', 'CP852', accentedLatin, central),
  page('windows-1250', 'Windows-1250', accentedLatin, central),
  page('ibm866', 'CP866', cyrillic, cyrillicLanguages),
  page('windows-1251', 'Windows-1251', cyrillic, cyrillicLanguages),
  page('koi8-u', 'KOI8', cyrillic, cyrillicLanguages),
  page('gb18030', 'GBK', han, 'zh', [0xb0, 0xd7], frequentSimplified),
  page('shift_jis', 'Shift-JIS', japanese, 'ja', [0x88, 0x97], frequentJapanese),
  page('big5', 'Big5', han, 'zh-TW|zh-HK', [0xa4, 0xc6], frequentTraditional),
  page('euc-kr', 'EUC-KR', /\p{Script=Hangul}/u, 'ko', [0xb0, 0xc8], frequentHangul),
  page('euc-jp', 'EUC-JP', japanese, 'ja', [0xb0, 0xcf], frequentJapanese),
  page('windows-1254', 'Windows-1254', accentedLatin, 'tr|az'),
  page('windows-1257', 'Windows-1257', accentedLatin, 'lt|lv|et'),
  page('windows-1258', 'Windows-1258', accentedLatin, 'vi'),
  page('windows-1253', 'Windows-1253', /\p{Script=Greek}/u, 'el'),
  page('windows-1255', 'Windows-1255', /\p{Script=Hebrew}/u, 'he'),
  page('windows-1256', 'Windows-1256', /\p{Script=Arabic}/u, 'ar|fa|ur'),
  page('windows-874', 'Windows-874', /\p{Script=Thai}/u, 'th'),
];

function page(
  label: string,
  title: string,
  letters: RegExp,
  languages: string,
  usual?: CodePage['usual'],
  frequent = '',
): CodePage {
  return { label, title, letters, languages, usual, frequent };
}

/** Returns the decoder of an encoding, which accepts only valid text. */
export function decoderOf(label: string): Decode {
  const table = tables[label];
  if (table !== undefined) {
    return (bytes) =>
      Array.from(bytes, (byte) =>
        byte < 0x80 ? String.fromCharCode(byte) : (table[byte - 0x80] ?? ''),
      ).join('');
  }
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  return (bytes) => {
    try {
      return decoder.decode(bytes);
    } catch {
      return null;
    }
  };
}

/** Bonus for an encoding that is for one of the user's languages. */
const ownLanguage = 0.3;

/**
 * Returns how likely it is that names are in this encoding, judged by their letters and the characters beside them.
 * Returns -Infinity if a name is not valid in the encoding.
 */
export function scoreEncoding(
  page: CodePage,
  names: readonly Uint8Array[],
  languages: readonly string[],
): number {
  const decode = decoderOf(page.label);
  const usual = usualCharacters(page);
  let sum = 0;
  let count = 0;
  for (const name of names) {
    const text = decode(name);
    if (text === null) return -Infinity;
    const characters = Array.from(text);
    for (const [index, character] of characters.entries()) {
      if (character < '\u0080') continue;
      sum += scoreCharacter(page, usual, character, characters[index - 1], characters[index + 1]);
      count += 1;
    }
  }
  const isOwn = new RegExp(`^(?:${page.languages})(?:-|$)`);
  return sum / Math.max(1, count) + (languages.some((one) => isOwn.test(one)) ? ownLanguage : 0);
}

/**
 * Returns how much a character speaks for the encoding: 2 for one that names have most often, 0.9 to 1.5 for a letter in a
 * usual place, 0.2 to 0.5 for a less usual one, less than 0 for what names rarely have.
 */
function scoreCharacter(
  page: CodePage,
  usual: ReadonlySet<string>,
  character: string,
  before = '',
  after = '',
): number {
  // Control characters, unassigned characters, and private-use characters are unlikely in names.
  if (/[\p{Cc}\p{Cn}\p{Co}]/u.test(character)) return -5;
  if (!/[\p{L}\p{M}]/u.test(character)) {
    // Punctuation of East Asian text is likely in East Asian encodings.
    return page.usual !== undefined && /[\u3001-\u301f・（）－～]/u.test(character) ? 0.5 : -1;
  }
  if (!page.letters.test(character)) return -1;
  const besideAscii = /[A-Za-z]/.test(before) || /[A-Za-z]/.test(after);
  if (page.letters === accentedLatin) {
    if (/\p{Lu}/u.test(character) && /\p{Ll}/u.test(before)) return -1;
    // Two accented letters in a row are rare. Three suggest that the encoding is another one.
    if (!accentedLatin.test(before)) return 1;
    return accentedLatin.test(after) ? -1 : 0.5;
  }
  // Words of one script are likely. A capital after a small letter is not.
  if (page.usual === undefined) {
    if (besideAscii) return -1;
    return /\p{Lu}/u.test(character) && /\p{L}/u.test(before) ? 0.9 : 1.5;
  }
  const isFrequent = page.frequent.includes(character);
  const isKana = /[\p{Script=Hiragana}\p{Script=Katakana}ー]/u.test(character);
  // Half-width katakana are valid, but rarely used.
  if (/[\uff61-\uff9f]/.test(character)) return besideAscii ? -1 : 0.4;
  const otherwise = usual.has(character) ? 1 : 0.2;
  const plain = isFrequent || isKana ? 2 : otherwise;
  return besideAscii ? plain - 0.5 : plain;
}

/** The common characters of an encoding, which precede the rare ones. */
function usualCharacters({ label, usual }: CodePage): ReadonlySet<string> {
  if (usual === undefined) return new Set();
  // GBK has rare characters between the usual ones.
  const firstTrail = label === 'gb18030' ? 0xa1 : 0x40;
  const bytes: number[] = [];
  // A line break follows each pair of bytes, so that an invalid pair does not change how the next one is decoded.
  for (let lead = usual[0]; lead <= usual[1]; lead += 1)
    for (let trail = firstTrail; trail <= 0xfe; trail += 1) bytes.push(lead, trail, 0x0a);
  return new Set(new TextDecoder(label).decode(Uint8Array.from(bytes)));
}
