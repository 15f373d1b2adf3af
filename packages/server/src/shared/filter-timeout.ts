/** Thrown when the database did not evaluate a filter in time. */
export class FilterTimeout extends Error {
  override readonly name = 'FilterTimeout';
}
