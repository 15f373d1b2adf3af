/** The object store cannot be reached or cannot answer for now; the same request may succeed later. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}
