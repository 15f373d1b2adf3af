/** Runs through the client: typed results, staged files, outputs, pages. */
import { makePdf, TestPage } from '@quire/parse/formats/pdf/testing/make-pdf';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { quire } from './service.ts';

test('runs: typed data of a schema, staged files, outputs', async () => {
  const Invoice = z.object({ total: z.number().transform((total) => ({ cents: total * 100 })) });
  const files = [{ name: 'invoice.md', content: '# Invoice\n\nTotal: 1450.00' }];
  const run = await quire.process({ files, extract: { schema: Invoice } });
  const [file] = run.outcome.files;
  // The type is that of the schema: this line does not compile otherwise.
  const cents: number | undefined = file?.extraction?.data.total.cents;
  expect(cents).toBe(145_000);
  const Never = z.object({ total: z.number() }).refine(() => false, 'never right');
  const refused = await quire.process({ files, extract: { schema: Never } });
  expect(refused.outcome.files[0]?.extraction).toBeUndefined();
  expect(refused.outcome.files[0]?.errors).toEqual([
    { module: 'extraction', type: 'schema_mismatch', message: 'never right' },
  ]);
  const schema = { type: 'object', properties: { total: { type: 'number' } } };
  const plain = await quire.process({ files, extract: { schema } });
  expect(plain.outcome.files[0]?.extraction?.data).toEqual({ total: 1450 });
  const parsed = await quire.process({ files, parse: { formats: ['markdown'] } });
  const path = parsed.outcome.files[0]?.parse?.markdown?.path ?? '';
  expect(await (await quire.runs.output(parsed.id, path)).text()).toContain('Total: 1450.00');
  const again = { files, idempotencyKey: 'the same' };
  expect((await quire.process(again)).id).toBe((await quire.process(again)).id);
  expect((await quire.runs.list({ status: 'done' }).page()).total).toBeGreaterThanOrEqual(4);
  expect((await quire.runs.delete(run.id)).id).toBe(run.id);
});

test('a run of which nothing is produced fails with its reason', async () => {
  const files = [{ name: 'broken.pdf', content: '%PDF-1.4 broken' }];
  await expect(quire.process({ files })).rejects.toThrow(Error);
});

test('a staged run takes files, starts and is cancelled; the pages of its files are drawn', async () => {
  const staged = await quire.runs.stage();
  const content = new Uint8Array(makePdf([new TestPage(300, 400).text(30, 50, 'A page of a run.', { size: 20 })]));
  await quire.runs.addFile(staged.id, { name: 'page.pdf', content });
  await quire.runs.submit(staged.id);
  expect((await quire.runs.ready(staged.id)).status).toBe('done');
  expect(await quire.runs.pages(staged.id, 1)).toEqual([{ page: 1, width: 300, height: 400 }]);
  expect((await quire.runs.page(staged.id, 1, 1, { width: 400 })).type).toBe('image/webp');
  const left = await quire.runs.stage();
  expect(await quire.runs.cancel(left.id)).toMatchObject({ id: left.id, status: 'failed' });
});
