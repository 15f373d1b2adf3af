/** Members of archives that could not be unpacked. They have no stored file; retrying the archive reads them. */
import type { DocumentRecord } from '../../database/tables.ts';

/** Format and content type of their records; no stored file has this content type. */
export const UNREAD_MEMBER = { format: 'txt', contentType: 'application/octet-stream' } as const;

export const isUnreadMember = (record: Pick<DocumentRecord, 'parent_id' | 'content_type'>): boolean =>
  record.parent_id !== null && record.content_type === UNREAD_MEMBER.contentType;
