// The program that each runtime runs with the installed client. Arguments: collection, file. Prints one line of JSON.
import process from 'node:process';
import { createWebhookSecret, mintToken, Quire, QuireError, verifyWebhook, WebhookError } from '@quire/client';

const [collectionId, file] = process.argv.slice(-2);
const quire = new Quire();
const { documents } = quire.collection(collectionId);
const seen = {};

let sentBytes = 0;
const document = await documents.upload(file, { onProgress: (progress) => (sentBytes = progress.sentBytes) }).ready();
seen.upload = [document.name, document.status, sentBytes];
const many = await documents.uploadMany([file, { name: 'b.txt', content: 'Dogs bark.' }]).all();
seen.uploadMany = many.map(({ name, status }) => `${name} ${status}`).toSorted();
seen.search = (await quire.collection(collectionId).search('Thursdays')).hits[0]?.documentName;

const chat = await quire.chats.create({ title: 'Hours', collection_id: collectionId });
const answer = quire.chat(chat.id).ask('When does the library close on Thursdays?');
let streamed = '';
for await (const event of answer.events()) if (event.type === 'text') streamed += event.text;
const message = await answer.final;
seen.ask = [message.citations[0]?.snippet, message.parts.some((part) => part.text === streamed)];

const stop = new AbortController();
const events = quire.events({ signal: stop.signal });
const first = events.next();
const change = () => quire.collections.update(collectionId, { metadata: { at: performance.now() } }).then(() => {});
let event = await Promise.race([first, change()]);
while (event === undefined) event = await Promise.race([first, change()]);
seen.events = event.value.type;
const next = events.next().catch((reason) => reason.message);
stop.abort(new Error('enough'));
seen.aborted = await next;

const files = [{ name: 'invoice.md', content: '# Invoice\n\nTotal: 1450.00' }, file];
const schema = { type: 'object', properties: { total: { type: 'number' } } };
const run = await quire.process({ files, extract: { schema } });
seen.process = run.outcome.files.find(({ name }) => name === 'invoice.md')?.extraction?.data;

const error = await documents.get('0192f0c4-5b1e-7c3a-9d42-6f0a1b2c3d4e').catch((reason) => reason);
seen.error = [error instanceof QuireError, error.name, error.type];
const token = await mintToken({ keyId: process.env.KEY_ID, key: process.env.QUIRE_KEY, permission: 'read' });
seen.token = (await new Quire({ key: token }).whoami()).permission;
const refused = await verifyWebhook('{}', {}, createWebhookSecret()).catch((reason) => reason);
seen.webhook = refused instanceof WebhookError;
console.log(JSON.stringify(seen));
