-- Documents in progress by id: the reaper reads them in pages. Without it, a page is searched for among all documents,
-- whose ids grow with time, so that the ready ones come first.
create index documents_in_progress on documents (id)
  where status = 'indexing' and deleted_at is null;
