import type { Started } from './service.ts';

/** What `npm start` prints when it is ready; keys appear at first start only. */
export function welcome({ address, first }: Started): string {
  const lines = ['', `Quire is ready at ${address}`, `  API documentation: ${address}/docs`];
  if (first.rootKey !== null) lines.push('', `Root key (shown once, keep it): ${first.rootKey}`);
  if (first.sample !== null) {
    const { workspaceId, collectionId, key } = first.sample;
    lines.push(
      `Workspace key (shown once):     ${key}`,
      '',
      'Try a search in the sample collection:',
      '',
      `  curl -s ${address}/v1/w/${workspaceId}/col/${collectionId}/search \\`,
      `    -H 'Authorization: Bearer ${key}' \\`,
      `    -d '{"query": "what happens when I delete a document?", "limit": 3}'`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
