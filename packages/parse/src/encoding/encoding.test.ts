import { describe, expect, it } from 'vitest';
import { chooseEncoding, decodeBytes } from './encoding.ts';

const SAMPLES: Record<string, string> = {
  french: 'Le café où nous étions déjà allés était fermé à cause de la fête nationale. Voilà une idée très agréable.',
  german: 'Die Größe der Straße überraschte die Gäste: „Schöne Grüße aus München“, sagte er müde.',
  polish: 'Zażółć gęślą jaźń. Wczoraj byliśmy na wycieczce w górach i widzieliśmy śnieg, choć świeciło słońce.',
  czech: 'Příliš žluťoučký kůň úpěl ďábelské ódy. Včera večer jsme šli do kina a pak jsme ještě něco jedli.',
  russian: 'Вчера мы ходили в кино и смотрели новый фильм. Погода была хорошая, но вечером пошёл дождь.',
  greek: 'Χθες πήγαμε στον κινηματογράφο και είδαμε μια καινούργια ταινία. Ο καιρός ήταν πολύ καλός.',
  turkish: 'Dün akşam arkadaşlarımızla sinemaya gittik ve yeni bir film izledik. Hava çok güzeldi, şehir ışıl ışıldı.',
  hebrew: 'אתמול הלכנו לקולנוע וראינו סרט חדש. מזג האוויר היה טוב מאוד.',
  arabic: 'ذهبنا أمس إلى السينما وشاهدنا فيلما جديدا. كان الطقس جميلا جدا في المدينة.',
  japanese: '昨日は友達と一緒に映画を見に行きました。天気がとても良かったので、公園を散歩しました。',
  chinese: '昨天我们去看了一部新电影。天气很好，所以我们在公园里散步，然后回家吃饭。',
  traditional: '昨天我們去看了一部新電影。天氣很好，所以我們在公園裡散步，然後回家吃飯。',
  korean: '어제 우리는 새로운 영화를 보러 갔습니다. 날씨가 아주 좋아서 공원에서 산책을 했습니다.',
};

/** Encodes text in a legacy encoding: the inverse of `TextDecoder`, built by decoding every one- and two-byte code. */
function encode(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding);
  const codes = new Map<string, number[]>();
  for (let high = 0x80; high < 0x100; high += 1) {
    for (let low = 0x40; low < 0x100; low += 1) codes.set(decoder.decode(Uint8Array.of(high, low)), [high, low]);
  }
  if (encoding === 'shift_jis' || !/jp|kr|gb|big/.test(encoding)) {
    for (let byte = 0; byte < 0x100; byte += 1) codes.set(decoder.decode(Uint8Array.of(byte)), [byte]);
    if (encoding === 'windows-1252')
      for (const [letter, byte] of [
        ['„', 0x84],
        ['“', 0x93],
      ] as const)
        codes.set(letter, [byte]);
  }
  for (let byte = 0; byte < 0x80; byte += 1) codes.set(String.fromCharCode(byte), [byte]);
  return Buffer.from(Array.from(text).flatMap((character) => codes.get(character) ?? [0x3f]));
}

describe('decodeBytes', () => {
  it.each([
    ['windows-1252', 'french'],
    ['windows-1252', 'german'],
    ['windows-1250', 'polish'],
    ['windows-1250', 'czech'],
    ['windows-1251', 'russian'],
    ['koi8-r', 'russian'],
    ['ibm866', 'russian'],
    ['iso-8859-5', 'russian'],
    ['iso-8859-2', 'polish'],
    ['windows-1253', 'greek'],
    ['windows-1254', 'turkish'],
    ['windows-1255', 'hebrew'],
    ['windows-1256', 'arabic'],
    ['shift_jis', 'japanese'],
    ['euc-jp', 'japanese'],
    ['gb18030', 'chinese'],
    ['big5', 'traditional'],
    ['euc-kr', 'korean'],
  ])('detects %s from %s text', (encoding, language) => {
    const text = SAMPLES[language] ?? '';
    expect(decodeBytes(encode(text, encoding))).toBe(text);
    expect(decodeBytes(encode(`id,name\n1,${text}\n`, encoding))).toBe(`id,name\n1,${text}\n`);
  });

  it('never mistakes single-byte text for UTF-16, not even in an unknown encoding', () => {
    const text = decodeBytes(Buffer.from('Gr\x94\xe1e und \x9aberma\xe1 der Stra\xe1e ', 'latin1'));
    expect(text).toContain(' und ');
  });

  it('reads UTF-8 and UTF-16 of every language, with and without a byte order mark', () => {
    for (const text of Object.values(SAMPLES)) {
      const little = Buffer.from(text, 'utf16le');
      const big = Buffer.from(little).swap16();
      expect(decodeBytes(Buffer.from(text))).toBe(text);
      expect(decodeBytes(Buffer.from(`\ufeff${text}`))).toBe(text);
      expect(decodeBytes(Buffer.concat([Buffer.of(0xff, 0xfe), little]))).toBe(text);
      expect(decodeBytes(Buffer.concat([Buffer.of(0xfe, 0xff), big]))).toBe(text);
      expect(decodeBytes(little)).toBe(text);
      expect(decodeBytes(big)).toBe(text);
    }
  });

  it('reads UTF-32 with a byte order mark and ISO-2022-JP by its escapes', () => {
    expect(decodeBytes(Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0, 0x00, 0xf6, 0x01, 0]))).toBe('A😀');
    expect(decodeBytes(Buffer.from('\x1b$B$"$$\x1b(B ok', 'latin1'))).toBe('あい ok');
  });

  it('recognises Latin-1 and Shift-JIS from a few letters', () => {
    expect(decodeBytes(Buffer.from('zyx caf\xe9 na\xefve Stra\xdfe', 'latin1'))).toBe('zyx café naïve Straße');
    expect(decodeBytes(Buffer.from('name,city\n\x82\xa0\x82\xa2,\x93\x8c\x8b\x9e\n', 'latin1'))).toBe(
      'name,city\nあい,東京\n',
    );
  });

  it('prefers valid UTF-8 to a declaration, and a declaration to a guess', () => {
    expect(decodeBytes(Buffer.from('<meta charset=iso-8859-1><p>größer'))).toBe('<meta charset=iso-8859-1><p>größer');
    const declared = Buffer.concat([Buffer.from('<meta charset=koi8-r>'), encode('да', 'koi8-r')]);
    expect(decodeBytes(declared)).toBe('<meta charset=koi8-r>да');
    expect(decodeBytes(encode('да', 'koi8-r'), 'koi8-r')).toBe('да');
  });

  it('keeps UTF-8 with damaged places as UTF-8', () => {
    const damaged = Buffer.concat([Buffer.from(SAMPLES['russian'] ?? ''), Buffer.of(0xc3, 0x28), Buffer.from('да')]);
    expect(decodeBytes(damaged)).toBe(`${SAMPLES['russian']}\ufffd(да`);
  });

  it('returns a result for any bytes', () => {
    for (let seed = 1; seed < 60; seed += 1) {
      const bytes = Buffer.from(Array.from({ length: 50 }, (_, n) => (seed * 7919 * (n + 1) ** 2) % 256));
      expect(typeof decodeBytes(bytes)).toBe('string');
    }
    expect(chooseEncoding({ head: Buffer.alloc(0), sample: Buffer.alloc(0), validUtf8: true })).toEqual({
      name: 'utf-8',
      skipBytes: 0,
    });
  });
});
