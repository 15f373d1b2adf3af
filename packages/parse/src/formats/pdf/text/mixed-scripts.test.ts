import { describe, expect, it } from 'vitest';
import { impossibleShare } from './mixed-scripts.ts';

/** Text of several languages, with what mixes scripts in them. */
const NATURAL: readonly (readonly [language: string, text: string])[] = [
  [
    'English',
    'The α-helix and the β-sheet of µRNA were measured at 5 µm with O2 and the ΔG of the αxβy terms in a naïve model',
  ],
  [
    'German',
    'Die Größe der Straße übersteigt das Maß, und die Änderung der Höhe erklärt die Öffnung nicht vollständig',
  ],
  ['Vietnamese', 'Người dân ở vùng đồng bằng trồng lúa nước và nuôi cá trong những ngày mưa kéo dài suốt tháng mười'],
  ['Romanian', 'Școala și țările din împrejurimi au hotărât să își aducă învățătorii împreună pentru o ședință'],
  ['Hausa', 'Ɗalibai sun ƙi zuwa makaranta saboda ɓarayi da ƙaura, kuma yaƙi ya hana su ɗaukar littattafai da ƙarfi'],
  ['Russian', 'Страница HTMLом описана, а PDFы и XMLи читаются, как и веб-страницы, через API и JSONом в Windowsе'],
  ['Greek', 'Το αρχείο PDF ανοίγει στα Windows και η σελίδα HTML διαβάζεται με τον browser χωρίς κανένα πρόβλημα'],
  ['Hebrew', 'הקובץ בPDF נפתח בWindows והדף בHTML נקרא בדפדפן ללא כל בעיה, וגם הJSON נשמר בתיקייה של המשתמש'],
  ['Arabic', 'يفتح ملف الPDF في نظام الWindows وتقرأ صفحة بHTML في المتصفح دون أي مشكلة ويحفظ الملف في المجلد'],
  ['Hindi', 'यह फ़ाइल PDFमें है और Windowsमें खुलती है तथा HTMLका पृष्ठ ब्राउज़र में बिना किसी समस्या के पढ़ा जाता है'],
  ['Thai', 'ไฟล์PDFเปิดในWindowsได้ และหน้าHTMLอ่านด้วยเบราว์เซอร์ได้ โดยไม่มีปัญหาใดๆ และบันทึกJSONไว้ใน โฟลเดอร์ ของ ผู้ใช้ ทุก คน'],
  [
    'Japanese',
    'この PDFファイルはWindowsで開けます。 HTMLのページはブラウザで読めて、 JSONはフォルダに保存され、 APIからも 利用 できる αテスト です',
  ],
  [
    'Chinese',
    '这个PDF文件可以在Windows中打开, HTML页面可以用浏览器阅读, JSON保存在文件夹中, 用户 可以 通过API访问 α粒子 的 数据',
  ],
  [
    'Korean',
    '이 PDF파일은 Windows에서 열리고 HTML페이지는 브라우저로 읽으며 JSON은 폴더에 저장되고 API로 사용자가 漢字를 볼 수 있다',
  ],
];

describe('impossibleShare', () => {
  it.each(NATURAL)('is low for %s', (_, text) => {
    expect(impossibleShare(Array.from({ length: 4 }, () => text.split(' ')).flat())).toBeLessThan(0.05);
  });

  /** Maps letters as a font without Unicode values does: by glyph numbers of several ranges. */
  const ranges: readonly (readonly [name: string, starts: readonly number[]])[] = [
    ['Arabic and Latin', [0x627, 0x61, 0x641]],
    ['Hangul, Hebrew and Latin Extended', [0xbed0, 0x5d0, 0x180, 0x1c4]],
    ['Cyrillic, Greek, Armenian and Thai', [0x430, 0x3b1, 0x561, 0xe01]],
    ['Latin Extended-B', [0x1b7, 0x200, 0x220]],
    ['Devanagari and Cyrillic', [0x905, 0x410]],
  ];

  it.each(ranges)('is high for glyph numbers that are read as %s', (_, starts) => {
    for (const [language, text] of NATURAL.slice(0, 4)) {
      const garbled = Array.from(text.repeat(3), (letter) => {
        if (!/\p{L}/u.test(letter)) return letter;
        const code = letter.codePointAt(0) ?? 0;
        return String.fromCodePoint((starts[code % starts.length] ?? 0) + (Math.floor(code / 3) % 20));
      }).join('');
      expect([language, impossibleShare(garbled.split(' ')) > 0.1]).toEqual([language, true]);
    }
  });

  it('needs several impossible words', () => {
    expect(
      impossibleShare(['تwفyق', 'is', 'a', 'word', ...'that a font without Unicode values may give here'.split(' ')]),
    ).toBe(0);
  });
});
