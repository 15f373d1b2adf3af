/** Uses a running service as a client: creates a collection, uploads a document and finds it. */
export async function ingestAndSearch(address: string, token: string): Promise<void> {
  const call = async <T>(method: string, url: string, json?: unknown): Promise<T> => {
    const headers = { authorization: `Bearer ${token}` };
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const answer = await fetch(`${address}/v1${url}`, { method, headers, ...body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
    return (JSON.parse(text) as { data: T }).data;
  };
  const workspace = await call<{ id: string }>('POST', '/workspaces', { name: 'installation' });
  const collection = await call<{ id: string }>('POST', `/w/${workspace.id}/col`, { name: 'installation' });
  const url = `/w/${workspace.id}/col/${collection.id}`;
  const file = { name: 'gate.md', contentType: 'text/markdown', content: '# Gate\n\nThe lock gate opens at nine.' };
  const document = await call<{ id: string; status: string }>('POST', `${url}/docs/raw?wait=60`, file);
  if (document.status !== 'ready') throw new Error(`the document is ${document.status}`);
  const query = 'when does the gate open';
  const { hits } = await call<{ hits: { documentId: string }[] }>('POST', `${url}/search`, { query });
  if (hits[0]?.documentId !== document.id) throw new Error('the document was not found');
}

/** Waits until the service is ready. Rejects after `limitMs` or when `ended` returns a text. */
export async function untilReady(address: string, limitMs: number, ended: () => string | undefined): Promise<void> {
  for (const until = performance.now() + limitMs; ;) {
    const end = ended();
    if (end !== undefined) throw new Error(`the service ended: ${end}`);
    const isReady = await fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (performance.now() > until) throw new Error(`not ready after ${limitMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
