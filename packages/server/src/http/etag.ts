/** Whether a header such as `If-None-Match` lists the entity tag, by weak comparison. */
export function listsEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => ['*', etag, `W/${etag}`].includes(part.trim()));
}
