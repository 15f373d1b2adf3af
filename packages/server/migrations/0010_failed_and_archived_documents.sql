-- Counts of failed documents by type of error, and lists of them.
create index documents_failed on documents (collection_id, error_type, is_archive)
  where deleted_at is null and status = 'failed';

-- Counts of archives by status; the index documents_counted leaves them out.
create index documents_archived on documents (collection_id, status)
  where deleted_at is null and is_archive;
