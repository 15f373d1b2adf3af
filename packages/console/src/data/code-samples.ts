/** The samples of code buttons: calls of the API that do what a screen does, with the key from the environment. */
import type { Sample } from '../components/content/code.tsx';
import { serviceUrl } from './client.ts';

const AUTHORIZATION = `-H "Authorization: Bearer $QUIRE_KEY"`;
const CLIENT = `import { Quire } from '@quire/client';\n\nconst quire = new Quire({ url: '${serviceUrl}', key: process.env.QUIRE_KEY });`;

/** Returns how to add documents to a collection and list those that failed. */
export function documentSamples(ws: string, collectionId: string): Sample[] {
  const docs = `${serviceUrl}/v1/w/${ws}/col/${collectionId}/docs`;
  return [
    {
      label: 'curl',
      code: `curl "${docs}/file-multipart?wait=30" \\\n  ${AUTHORIZATION} -F file=@lease.pdf\n\ncurl "${docs}?status=failed" \\\n  ${AUTHORIZATION}`,
    },
    {
      label: 'TypeScript',
      code: `${CLIENT}\nconst { documents } = quire.collection('${collectionId}');\n\nconst lease = await documents.upload('lease.pdf').ready();\nfor await (const { name, error } of documents.list({ status: 'failed' }))\n  console.log(name, error?.message);`,
    },
    {
      label: 'Command line',
      code: `quire add leases/ -c ${collectionId}\nquire ls -c ${collectionId} --status failed\nquire retry --failed -c ${collectionId}`,
    },
  ];
}

/** Returns samples of a question in a chat. */
export function chatSamples(ws: string, chatId: string): Sample[] {
  return [
    {
      label: 'curl',
      code: `curl -N ${serviceUrl}/v1/w/${ws}/chat/${chatId}/message \\\n  ${AUTHORIZATION} \\\n  -d '{"query": "How long is the notice period?"}'`,
    },
    {
      label: 'TypeScript',
      code: `${CLIENT}\n\nconst answer = quire.chat('${chatId}').ask('How long is the notice period?');\nfor await (const event of answer.events())\n  if (event.type === 'text') console.log(event.text);\nconst { citations } = await answer.final;`,
    },
    { label: 'Command line', code: `quire ask 'How long is the notice period?' --chat ${chatId}` },
  ];
}
