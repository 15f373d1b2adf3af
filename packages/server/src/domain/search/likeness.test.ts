import { expect, test } from 'vitest';
import { LocalEmbedders } from '@quire/models/local/local-embedders';
import { Likenesses } from './likeness.ts';

const { signal } = new AbortController();

test('texts are compared in the languages of the models that ship, and in no other', async () => {
  const likenesses = new Likenesses(new LocalEmbedders());
  const german = likenesses.of('de');
  expect(likenesses.of('de')).toBe(german);
  const near = 'Die Miete ist am Monatsanfang zu zahlen.';
  const far = 'Das Fenster ist aus Holz.';
  const like = await german?.ofTexts('Wann muss man die Wohnung bezahlen?', [near, far], signal);
  expect(like?.get(near)).toBeGreaterThan(like?.get(far) ?? 1);
  expect([likenesses.of('it'), likenesses.of(null)]).toEqual([null, null]);
});

test('English sentences are compared by the transformer too, also if they are long', async () => {
  const embedders = new LocalEmbedders();
  const likenesses = new Likenesses(embedders);
  const precise = await likenesses.preciseOf('en');
  expect(await likenesses.preciseOf('en')).toBe(precise);
  const near = `The deposit is returned within four weeks. ${'It is kept in a separate account. '.repeat(100)}`;
  const far = 'The windows are made of wood.';
  const like = await precise?.ofTexts('When do I get my security back?', [near, far], signal);
  expect(like?.get(near)).toBeGreaterThan(like?.get(far) ?? 1);
  expect(await Promise.all([likenesses.preciseOf('it'), likenesses.preciseOf(null)])).toEqual([null, null]);
  await embedders.close();
});

test.each([
  [
    'de',
    'Wann bekomme ich die Kaution wieder?',
    'Die Sicherheit wird binnen vier Wochen zurückgezahlt.',
    'Das Fenster ist aus Holz.',
  ],
  [
    'fr',
    'Quand est-ce que je récupère ma caution ?',
    'Le dépôt de garantie est rendu sous deux mois.',
    'La fenêtre est en bois.',
  ],
  [
    'es',
    '¿Cuándo me devuelven la fianza?',
    'El depósito se reembolsa en un plazo de un mes.',
    'La ventana es de madera.',
  ],
])(
  'sentences in "%s" are compared by a transformer, whose cosines are scaled',
  async (language, question, near, far) => {
    const embedders = new LocalEmbedders();
    const precise = await new Likenesses(embedders).preciseOf(language);
    const like = await precise?.ofTexts(question, [near, far, question], signal);
    expect(like?.get(near)).toBeGreaterThan((like?.get(far) ?? 1) + 0.1);
    expect(like?.get(question)).toBeCloseTo(1, 3);
    await embedders.close();
  },
);

test('a text whose characters are several tokens each is cut at the limit of the transformer', async () => {
  const embedders = new LocalEmbedders();
  const precise = await new Likenesses(embedders).preciseOf('de');
  const texts = ['\u{fdfa}'.repeat(400), 'Inhalt …………'.repeat(60)];
  const like = await precise?.ofTexts('Was steht im Inhalt?', texts, signal);
  expect([...(like?.values() ?? [])].every((value) => value < 1)).toBe(true);
  expect(like?.size).toBe(2);
  await embedders.close();
});

test('without the transformer texts are compared by the static model, and the fault is reported once', async () => {
  const shipped = new LocalEmbedders();
  const fault = new Error('no such file');
  const models = {
    shippedFor: (language: string) => shipped.shippedFor(language),
    transformerFor: () => ({ embedder: Promise.reject(fault), unrelated: 0 }),
  };
  const reported: unknown[] = [];
  const likenesses = new Likenesses(models, (error) => reported.push(error));
  expect([await likenesses.preciseOf('en'), await likenesses.preciseOf('en')]).toEqual([null, null]);
  expect(likenesses.of('en')).not.toBeNull();
  expect(reported).toEqual([fault]);
});

test('many texts at once cause no warning about listeners', async () => {
  const embedders = new LocalEmbedders();
  const warnings: Error[] = [];
  const keep = (warning: Error): number => warnings.push(warning);
  process.on('warning', keep);
  const precise = await new Likenesses(embedders).preciseOf('en');
  const texts = Array.from({ length: 24 }, (_, at) => `The room with number ${at} is free.`);
  await precise?.ofTexts('Which room is free?', texts, signal);
  process.off('warning', keep);
  expect(warnings).toEqual([]);
  await embedders.close();
});
