import { useEffect, useState } from 'react';

/** Returns an address of content in memory, for `<img>`; it ends with the component or with other content. */
export function useObjectUrl(content: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (content === undefined) return undefined;
    const created = URL.createObjectURL(content);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [content]);
  return url;
}
