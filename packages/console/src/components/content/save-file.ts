/** Saves a file from memory through the browser's download. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read the address once the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
