/** Types of the HTTP API, generated from docs/openapi.json by `npm run generate`. Do not edit. */

export interface components {
    schemas: {
        /** @description pdf. Appends the pages of other PDFs of the run. */
        AppendFilesEditOperation: {
            /**
             * @description Kind of the object or of the failure, for programs.
             * @constant
             */
            type: "appendFiles";
            /** @description Names of PDFs of the same run; default: all others. */
            files?: string[];
        };
        /** @description Audit entry. */
        AuditEntry: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Time of the change, read or refusal. */
            at: string;
            /** @description Operation of the API, by its operation id. */
            action: string;
            /** @description Kind of the record that the operation concerned. */
            resourceType: string;
            /** @description Identifier of the record; null for a refused creation. */
            resourceId: string | null;
            /**
             * @description Form of the credential: a key, a scoped token, a signed link, or none that is valid.
             * @enum {string}
             */
            actor: "key" | "token" | "link" | "anonymous";
            /** @description Key of the request; null for signed links and refused credentials. */
            keyId: string | null;
            /** @description Claim `sub` of the scoped token, an end user for instance; null without one. */
            subject: string | null;
            /** @description Identifier of the request, as in `X-Request-Id` and in the log. */
            requestId: string;
            /** @description Address of the client. */
            address: string;
            /**
             * @description Whether the call was carried out (`done`) or refused with 401 or 403.
             * @enum {string}
             */
            outcome: "done" | "refused";
            /** @description Flags such as `purge`, and number and ids (at most 1,000) of a bulk change. */
            details: {
                [key: string]: unknown;
            } | null;
        };
        /** @description Audit entry list. */
        AuditEntryList: {
            /** @description Records of this page. */
            items: components["schemas"]["AuditEntry"][];
            /** @description Value of `cursor` for the next page; null on the last page. */
            cursor: string | null;
            /** @description Maximum number of records in the page. */
            limit: number;
            /** @description Number of records on all pages. */
            total: number;
        };
        /** @description Audit entry list envelope. */
        AuditEntryListEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["AuditEntryList"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Block. */
        Block: {
            /** @description Identifier of the block in its document. */
            id: string;
            /** @description Kind of the block, such as `paragraph` or `table`. */
            type: string;
            /** @description Level of a heading or a section, from 1. */
            level?: number;
            /** @description Text of the object. */
            text?: string;
            /** @description Number of the page, from 1. */
            page?: number;
            /** @description Box as [x0, y0, x1, y1], 0 to 1 from the top left corner of the page. */
            bbox?: number[];
            /** @description The line map: each line holds [start, end) of the text, in UTF-16 code units, and has a box on its page. */
            lines?: {
                /** @description Offset at which the line begins in the text, in UTF-16 code units. */
                start: number;
                /** @description Offset behind the line, in UTF-16 code units. */
                end: number;
                /** @description Number of the page, from 1. */
                page: number;
                /** @description Box as [x0, y0, x1, y1], 0 to 1 from the top left corner of the page. */
                box: number[];
            }[];
            /** @description Rows of a table, each a list of cells. */
            rows?: {
                /** @description Text of the object. */
                text: string;
                /** @description Number of rows that the cell covers. */
                rowSpan: number;
                /** @description Number of columns that the cell covers. */
                colSpan: number;
                /** @description Whether the cell is a header. */
                header: boolean;
                /** @description Links in the text. */
                links?: {
                    /** @description Offset at which the link begins, in UTF-16 code units. */
                    start: number;
                    /** @description Offset behind the last character of the link, in UTF-16 code units. */
                    end: number;
                    /** @description Target of the link. */
                    href: string;
                }[];
                /** @description Struck, raised, lowered and inserted parts; struck words are not searched, quoted or extracted. */
                marks?: {
                    /** @description Offset at which the mark begins, in UTF-16 code units. */
                    start: number;
                    /** @description Offset behind the last character of the mark, in UTF-16 code units. */
                    end: number;
                    /**
                     * @description Kind of the mark.
                     * @enum {string}
                     */
                    kind: "struck" | "raised" | "lowered" | "inserted";
                }[];
                /** @description Number of the page, from 1. */
                page?: number;
                /** @description Box as [x0, y0, x1, y1], 0 to 1 from the top left corner of the page. */
                box?: number[];
                /** @description The line map: each line holds [start, end) of the text, in UTF-16 code units, and has a box on its page. */
                lines?: {
                    /** @description Offset at which the line begins in the text, in UTF-16 code units. */
                    start: number;
                    /** @description Offset behind the line, in UTF-16 code units. */
                    end: number;
                    /** @description Number of the page, from 1. */
                    page: number;
                    /** @description Box as [x0, y0, x1, y1], 0 to 1 from the top left corner of the page. */
                    box: number[];
                }[];
            }[][];
            /** @description Whether the items of the list are numbered. */
            ordered?: boolean;
            /** @description Number of the first item of an ordered list. */
            start?: number;
            /** @description ISO 639 code of the language; null or absent if it is not known. */
            language?: string;
            /** @description Links in the text. */
            links?: {
                /** @description Offset at which the link begins, in UTF-16 code units. */
                start: number;
                /** @description Offset behind the last character of the link, in UTF-16 code units. */
                end: number;
                /** @description Target of the link. */
                href: string;
            }[];
            /** @description Struck, raised, lowered and inserted parts; struck words are not searched, quoted or extracted. */
            marks?: {
                /** @description Offset at which the mark begins, in UTF-16 code units. */
                start: number;
                /** @description Offset behind the last character of the mark, in UTF-16 code units. */
                end: number;
                /**
                 * @description Kind of the mark.
                 * @enum {string}
                 */
                kind: "struck" | "raised" | "lowered" | "inserted";
            }[];
            /** @description Blocks inside of this one. */
            children?: unknown[];
        };
        /** @description Chat. */
        Chat: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Workspace that the record belongs to. */
            workspaceId: string;
            /** @description Collection that the chat is about. */
            collection_id: string;
            /** @description Title of the chat. */
            title: string | null;
            /** @description Model configuration; by default the one of the workspace. */
            modelId: string;
            /** @description Instructions to the model, in addition to its task. */
            instructions: string | null;
            /** @description Condition on documents. */
            filter: {
                [key: string]: unknown;
            } | null;
            /** @description The application's own data, kept as it is; search filters can use it. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Number of messages in the chat. */
            messageCount: number;
            /** @description Time at which the record was created. */
            createdAt: string;
            /** @description Time of the last change. */
            modifiedAt: string;
            /** @description Time of the deletion; null while the record is not deleted. */
            deletedAt: string | null;
        };
        /** @description Chat envelope. */
        ChatEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Chat"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Chat list. */
        ChatList: {
            /** @description Records of this page. */
            items: components["schemas"]["Chat"][];
            /** @description Value of `cursor` for the next page; null on the last page. */
            cursor: string | null;
            /** @description Maximum number of records in the page. */
            limit: number;
            /** @description Number of records on all pages. */
            total: number;
        };
        /** @description Chat list envelope. */
        ChatListEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["ChatList"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Chunk. */
        Chunk: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Position of the chunk in the document, from 0. */
            ordinal: number;
            /** @description Text of the object. */
            text: string;
            /** @description Headings above the text, outermost first. */
            headings: string[];
            /** @description Blocks that the text comes from. */
            blockIds: string[];
            /** @description Places of the text on its pages. */
            boxes: {
                /** @description Number of the page, from 1. */
                page: number;
                /** @description Box as [x0, y0, x1, y1], 0 to 1 from the top left corner of the page. */
                bbox: number[];
            }[];
            /** @description Number of tokens in the chunk. */
            tokenCount: number;
            /** @description Dense vector; null if the collection has none. */
            dense?: number[] | null;
            /** @description Sparse vector: index, weight and term of each entry. */
            sparse?: {
                /** @description Index of each term. */
                indices: number[];
                /** @description Weight of each term. */
                values: number[];
                /** @description The terms themselves. */
                terms: string[];
            };
        };
        /** @description Chunk envelope. */
        ChunkEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Chunk"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Chunk list. */
        ChunkList: {
            /** @description Records of this page. */
            items: components["schemas"]["Chunk"][];
            /** @description Value of `cursor` for the next page; null on the last page. */
            cursor: string | null;
            /** @description Maximum number of records in the page. */
            limit: number;
            /** @description Number of records on all pages. */
            total: number;
        };
        /** @description Chunk list envelope. */
        ChunkListEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["ChunkList"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Citation. */
        Citation: {
            /** @description Number of the citation in the answer, from 1. */
            index: number;
            /** @description Collection of the document; null in citations made by earlier versions. */
            collectionId: string | null;
            /** @description Document that the chunk belongs to. */
            documentId: string;
            /** @description Name of the document. */
            documentName: string;
            /** @description Whether the document has been deleted or erased since; the snippet stays. */
            documentDeleted: boolean;
            /** @description Text of the cited chunk, word for word. */
            snippet: string;
            /** @description Identifier of the chunk. */
            chunkId: string;
            /** @description Number of the content; it grows with each replacement. */
            revision: number;
            /** @description Headings above the text, outermost first. */
            headings: string[];
            /** @description Boxes of the lines that hold the snippet, on every page; of the whole chunk if they are not known. */
            boxes: {
                /** @description Number of the page, from 1. */
                page: number;
                /** @description Box as [x0, y0, x1, y1], 0 to 1 from the top left corner of the page. */
                bbox: number[];
            }[];
            /** @description Formats without pages: ranges of the blocks that hold the snippet; the blocks are `id`s in the HTML. */
            blocks: {
                /** @description Identifier of the block; the HTML rendering has it as `id`. */
                blockId: string;
                /** @description Start of the range in the text of the block; absent for tables. */
                start?: number;
                /** @description End of the range, exclusive. */
                end?: number;
            }[];
            /** @description Statements of the answer that the citation supports. */
            spans: {
                /** @description Index of the part in the message. */
                part: number;
                /** @description Offset at which the statement begins, in UTF-16 code units. */
                start: number;
                /** @description Offset behind the statement, in UTF-16 code units. */
                end: number;
                /**
                 * @description Kind of the value that the span names, in the lead of an answer; absent in other spans.
                 * @enum {string}
                 */
                value?: "date" | "count" | "measure" | "money" | "person" | "place";
            }[];
        };
        /** @description Classification config. */
        ClassificationConfig: {
            /** @description Labels to choose from, as a tree. */
            taxonomy: components["schemas"]["TaxonomyNode"][];
            /** @description Whether more than one label may apply. */
            multiLabel?: boolean | null;
            /** @description Model configuration; by default the one of the workspace. */
            modelId?: string;
        };
        /** @description Collection. */
        Collection: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Workspace that the record belongs to. */
            workspaceId: string;
            /** @description Name for people; it need not be unique. */
            name: string;
            /** @description Free text about the record. */
            description: string | null;
            /** @description Parser configuration; by default the one of the workspace. */
            parserId: string;
            /** @description Configuration of the dense embedder; by default the one of the workspace. */
            embedderId: string;
            /** @description Configuration of the sparse embedder; by default the one of the workspace. */
            sparseEmbedderId: string;
            /** @description Size of the chunks that documents are split into. */
            chunking: {
                /** @description Maximum number of tokens in a chunk. */
                maxTokens: number;
                /** @description Number of tokens that a chunk repeats from the one before. */
                overlapTokens: number;
            };
            /** @description Reranker of the best hits, off by default. In a search, null turns off that of the collection. */
            rerank: {
                /** @description Name of a model folder in QUIRE_MODEL_DIR, or id of a language model configuration whose server has `/rerank`. */
                model: string;
                /** @description Number of hits that the reranker orders; the others follow. */
                topK: number;
            } | null;
            /** @description The application's own data, kept as it is; search filters can use it. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Number of documents by status, archives excluded: of an archive only the members count. Document lists hold both, so that the `total` of a list by status is the sum of `documentCounts` and `archiveCounts`. */
            documentCounts: {
                /** @description Number of documents that are being processed. */
                indexing: number;
                /** @description Number of documents that are searchable. */
                ready: number;
                /** @description Number of documents that could not be processed. */
                failed: number;
            };
            /** @description Number of archives by status; document lists hold them in addition to their members. */
            archiveCounts: {
                /** @description Number of documents that are being processed. */
                indexing: number;
                /** @description Number of documents that are searchable. */
                ready: number;
                /** @description Number of documents that could not be processed. */
                failed: number;
            };
            /** @description Number of failed documents by type of their error; the sum is `documentCounts.failed`. */
            failedByType: {
                [key: string]: number;
            };
            /** @description Number of chunks in the search index. */
            chunkCount: number;
            /** @description The latest rebuild of the index; null if there was none. */
            reindex: {
                /**
                 * @description State of the record.
                 * @enum {string}
                 */
                status: "running" | "done" | "failed" | "cancelled";
                /** @description Share of the documents in the new index, 0 to 1. */
                progress: number;
            } | null;
            /** @description Time at which the record was created. */
            createdAt: string;
            /** @description Time of the last change. */
            modifiedAt: string;
            /** @description Time of the deletion; null while the record is not deleted. */
            deletedAt: string | null;
        };
        /** @description Collection envelope. */
        CollectionEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Collection"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Collection list. */
        CollectionList: {
            /** @description Records of this page. */
            items: components["schemas"]["Collection"][];
            /** @description Value of `cursor` for the next page; null on the last page. */
            cursor: string | null;
            /** @description Maximum number of records in the page. */
            limit: number;
            /** @description Number of records on all pages. */
            total: number;
        };
        /** @description Collection list envelope. */
        CollectionListEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["CollectionList"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Configuration test. */
        ConfigurationTest: {
            /** @description Whether the call succeeded. */
            ok: boolean;
            /** @description Duration of the call in milliseconds. */
            latencyMs: number;
            /** @description Explanation for people. */
            message: string;
        };
        /** @description Configuration test envelope. */
        ConfigurationTestEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["ConfigurationTest"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Connector. */
        Connector: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Workspace that the record belongs to. */
            workspaceId: string;
            /** @description Collection that receives the files. */
            collectionId: string;
            /** @description Name of the connector. */
            name: string;
            /**
             * @description Kind of the source.
             * @enum {string}
             */
            kind: "object_storage" | "web" | "cloud_drive" | "ftp";
            /** @description Settings of the source; credentials are masked. */
            config: {
                [key: string]: unknown;
            };
            /** @description Cron expression of five fields in UTC; null for manual synchronisations only. */
            schedule: string | null;
            /**
             * @description Whether documents of deleted files are deleted (`mirror`) or kept.
             * @enum {string}
             */
            deletions: "mirror" | "keep";
            /** @description Share of the known files above which deletions wait for an approval, 0 to 1. */
            maxDeletionShare: number;
            /** @description Globs of source paths that are imported; empty for all. */
            include: string[];
            /** @description Globs of source paths that are not imported. */
            exclude: string[];
            /** @description Size in bytes above which files are skipped; null for the limit of the service. */
            maxFileBytes: number | null;
            /** @description Metadata that every imported document gets. */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "idle" | "syncing" | "held" | "failing" | "needs_attention" | "paused";
            /** @description The latest synchronisation that was no dry run; null before the first. */
            lastSync: components["schemas"]["ConnectorSync"] | null;
            /** @description Time of the next scheduled synchronisation; null without one. */
            nextSyncAt: string | null;
            /** @description Number of known files of the source by status. */
            itemCounts: {
                /** @description Number of files with a document. */
                synced: number;
                /** @description Number of files that could not be imported. */
                failed: number;
                /** @description Number of files that are not imported. */
                skipped: number;
            };
            /** @description Time at which the record was created. */
            createdAt: string;
            /** @description Time of the last change. */
            modifiedAt: string;
            /** @description Time of the deletion; null while the record is not deleted. */
            deletedAt: string | null;
        };
        /** @description Connector envelope. */
        ConnectorEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Connector"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Connector item. */
        ConnectorItem: {
            /** @description Path of the file in the source. */
            path: string;
            /** @description Address of the file for people; null if the source has none. */
            url: string | null;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "synced" | "failed" | "skipped" | "deleted";
            /** @description Size in bytes. */
            sizeBytes: number | null;
            /** @description Version of the content as the source names it. */
            version: string | null;
            /** @description Time of the last change in the source; null if it is not known. */
            sourceModifiedAt: string | null;
            /** @description Document of the file; null without one. */
            documentId: string | null;
            /** @description Why the file failed or was skipped; null otherwise. */
            error: {
                /** @description Kind of the object or of the failure, for programs. */
                type: string;
                /** @description Explanation for people. */
                message: string;
            } | null;
            /** @description Time of the latest listing that contained the file. */
            lastSeenAt: string;
            /** @description Time at which the content was last fetched; null before that. */
            syncedAt: string | null;
        };
        /** @description Connector item list. */
        ConnectorItemList: {
            /** @description Records of this page. */
            items: components["schemas"]["ConnectorItem"][];
            /** @description Value of `cursor` for the next page; null on the last page. */
            cursor: string | null;
            /** @description Maximum number of records in the page. */
            limit: number;
            /** @description Number of records on all pages. */
            total: number;
        };
        /** @description Connector item list envelope. */
        ConnectorItemListEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["ConnectorItemList"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Connector list. */
        ConnectorList: {
            /** @description Records of this page. */
            items: components["schemas"]["Connector"][];
            /** @description Value of `cursor` for the next page; null on the last page. */
            cursor: string | null;
            /** @description Maximum number of records in the page. */
            limit: number;
            /** @description Number of records on all pages. */
            total: number;
        };
        /** @description Connector list envelope. */
        ConnectorListEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["ConnectorList"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Connector sync. */
        ConnectorSync: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Connector that the synchronisation belongs to. */
            connectorId: string;
            /**
             * @description What started the synchronisation.
             * @enum {string}
             */
            trigger: "manual" | "schedule";
            /** @description Whether nothing is changed and the record lists what would be. */
            dryRun: boolean;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "running" | "done" | "done_with_errors" | "failed" | "cancelled" | "held";
            /** @description What is being done; null when the synchronisation has ended. */
            phase: ("listing" | "fetching" | "deleting") | null;
            /** @description Number of files by outcome. */
            counts: {
                /** @description Number of files in the listing. */
                listed: number;
                /** @description Number of files with a new document. */
                added: number;
                /** @description Number of documents with new content, a new path or new permissions. */
                updated: number;
                /** @description Number of files whose content is the same. */
                unchanged: number;
                /** @description Number of files that are not imported. */
                skipped: number;
                /** @description Number of documents that were deleted. */
                deleted: number;
                /** @description Number of files that could not be imported. */
                failed: number;
            };
            /** @description Progress of the fetches. */
            progress: {
                /** @description Number of files that have to be fetched. */
                toFetch: number;
                /** @description Number of files whose fetch has ended. */
                fetched: number;
                /** @description Number of bytes received. */
                fetchedBytes: number;
            };
            /** @description Requests for files that the listing did not contain, before their deletion. */
            verification: {
                /** @description Number of files that were requested from the source. */
                checked: number;
                /** @description Number of those that exist: the listing left them out, and their documents stay. */
                present: number;
                /** @description Number of those for which the source gave no clear answer; their documents stay. */
                unknown: number;
            };
            /** @description Of a dry run the first 1,000 changes; of a held synchronisation 20 of its deletions. */
            changes: {
                /** @description Path of the file in the source. */
                path: string;
                /**
                 * @description What happens to the file.
                 * @enum {string}
                 */
                change: "add" | "update" | "delete" | "skip";
                /** @description Why; null if it is obvious. */
                reason: string | null;
            }[];
            /** @description Problems of the source; empty if there are none. */
            warnings: {
                /** @description Kind of the object or of the failure, for programs. */
                type: string;
                /** @description Explanation for people. */
                message: string;
            }[];
            /** @description Reason of the failure; null without one. */
            error: {
                /** @description Kind of the object or of the failure, for programs. */
                type: string;
                /** @description Explanation for people. */
                message: string;
            } | null;
            /** @description Time of the next try while the source or a file fails; `error` names the reason. */
            nextTryAt: string | null;
            /** @description Time of the start. */
            startedAt: string;
            /** @description Time of the end; null before it. */
            finishedAt: string | null;
        };
        /** @description Connector sync envelope. */
        ConnectorSyncEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["ConnectorSync"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Connector sync list. */
        ConnectorSyncList: {
            /** @description Records of this page. */
            items: components["schemas"]["ConnectorSync"][];
            /** @description Value of `cursor` for the next page; null on the last page. */
            cursor: string | null;
            /** @description Maximum number of records in the page. */
            limit: number;
            /** @description Number of records on all pages. */
            total: number;
        };
        /** @description Connector sync list envelope. */
        ConnectorSyncListEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["ConnectorSyncList"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Connector test. */
        ConnectorTest: {
            /** @description Whether the call succeeded. */
            ok: boolean;
            /** @description Duration of the call in milliseconds. */
            latencyMs: number;
            /** @description What was found. */
            message: string;
            /** @description First paths of the source, at most 10. */
            sample: string[];
        };
        /** @description Connector test envelope. */
        ConnectorTestEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["ConnectorTest"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Content warning. */
        ContentWarning: {
            /**
             * @description Kind of the warning, for programs.
             * @enum {string}
             */
            type: "ocr_language_missing" | "low_confidence" | "pages_without_text" | "truncated" | "simplified";
            /** @description Explanation for people. */
            message: string;
            /** @description Pages that the warning concerns, from 1; empty for the whole file. */
            pages: number[];
        };
        /** @description Conversation. */
        Conversation: {
            /** @description The chat. */
            chat: components["schemas"]["Chat"];
            /** @description The question and its answer. */
            messages: components["schemas"]["Message"][];
        };
        /** @description Conversation envelope. */
        ConversationEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Conversation"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Create chat request. */
        CreateChatRequest: {
            /** @description Title of the chat. */
            title?: string;
            /** @description Collection that the chat is about. */
            collection_id: string;
            /** @description Model configuration; by default the one of the workspace. */
            modelId?: string;
            /** @description Instructions to the model, in addition to its task. */
            instructions?: string | null;
            /** @description Condition on documents. */
            filter?: components["schemas"]["DocumentFilter"] | null;
            /** @description The application's own data, kept as it is; search filters can use it. At most 64 kB as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** @description Create collection request. */
        CreateCollectionRequest: {
            /** @description Name for people; it need not be unique. */
            name: string;
            /** @description Free text about the record. */
            description?: string | null;
            /** @description Reranker of the best hits, off by default. In a search, null turns off that of the collection. */
            rerank?: {
                /** @description Name of a model folder in QUIRE_MODEL_DIR, or id of a language model configuration whose server has `/rerank`. */
                model: string;
                /** @description Number of hits that the reranker orders; the others follow. */
                topK?: number;
            };
            /** @description Parser configuration; by default the one of the workspace. */
            parserId?: string;
            /** @description Configuration of the dense embedder; by default the one of the workspace. */
            embedderId?: string;
            /** @description Configuration of the sparse embedder; by default the one of the workspace. */
            sparseEmbedderId?: string;
            /** @description Size of the chunks that documents are split into. */
            chunking?: {
                /** @description Maximum number of tokens in a chunk. */
                maxTokens?: number;
                /** @description Number of tokens that a chunk repeats from the one before. */
                overlapTokens?: number;
            };
            /** @description The application's own data, kept as it is; search filters can use it. At most 64 kB as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** @description Create connector request. */
        CreateConnectorRequest: {
            /** @description Collection that receives the files. */
            collectionId: string;
            /** @description Name of the connector. */
            name: string;
            /**
             * @description Kind of the source.
             * @enum {string}
             */
            kind: "object_storage" | "web" | "cloud_drive" | "ftp";
            /** @description Settings of the source; which ones depends on the kind. At most 64 kB as JSON. */
            config: {
                [key: string]: unknown;
            };
            /** @description Cron expression of five fields in UTC; null for manual synchronisations only. */
            schedule?: string;
            /** @description Size in bytes above which files are skipped; null for the limit of the service. */
            maxFileBytes?: number;
            /**
             * @description Whether documents of deleted files are deleted (`mirror`) or kept.
             * @enum {string}
             */
            deletions?: "mirror" | "keep";
            /** @description Share of the known files above which deletions wait for an approval, 0 to 1. */
            maxDeletionShare?: number;
            /** @description Globs of source paths that are imported; empty for all. */
            include?: string[];
            /** @description Globs of source paths that are not imported. */
            exclude?: string[];
            /** @description Metadata that every imported document gets. At most 64 kB as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** @description Create document links request. */
        CreateDocumentLinksRequest: {
            /** @description Lifetime of the links in seconds. */
            expiresInSeconds?: number;
        };
        /** @description Create embedder request. */
        CreateEmbedderRequest: {
            /** @description Name for people; it need not be unique. */
            name: string;
            /** @description Settings, as they were sent. */
            config: {
                /**
                 * @description Provider of the service.
                 * @constant
                 */
                provider: "bm25";
                /** @description Name of the model, as the provider has it. */
                model?: string;
                /** @description ISO 639 code of the language; by default it is detected. */
                language?: string;
            } | {
                /**
                 * @description Provider of the service.
                 * @constant
                 */
                provider: "local";
                /** @description Name of the model, as the provider has it. */
                model: string;
                /** @description Length of the vectors. */
                dimensions?: number;
                /** @description Maximum number of tokens in an answer. */
                maxOutputTokens?: number;
            } | {
                /**
                 * @description Provider of the service.
                 * @constant
                 */
                provider: "provider_a";
                /** @description Name of the model, as the provider has it. */
                model: string;
                /** @description The provider's API key; it is stored encrypted and comes back masked. */
                apiKey?: string;
                /** @description Base address of the provider's API. */
                baseUrl?: string;
                /** @description Length of the vectors. */
                dimensions?: number;
                /** @description Sampling temperature, 0 to 2. */
                temperature?: number;
                /** @description Maximum number of tokens in an answer. */
                maxOutputTokens?: number;
                /** @description Maximum number of calls at the same time. */
                maxConcurrency?: number;
                /** @description Maximum number of calls in a minute. */
                requestsPerMinute?: number;
            } | {
                /**
                 * @description Provider of the service.
                 * @constant
                 */
                provider: "provider_b";
                /** @description Name of the model, as the provider has it. */
                model: string;
                /** @description The provider's API key; it is stored encrypted and comes back masked. */
                apiKey: string;
                /** @description Base address of the provider's API. */
                baseUrl?: string;
                /** @description Length of the vectors. */
                dimensions?: number;
                /** @description Sampling temperature, 0 to 2. */
                temperature?: number;
                /** @description Maximum number of tokens in an answer. */
                maxOutputTokens?: number;
                /** @description Maximum number of calls at the same time. */
                maxConcurrency?: number;
                /** @description Maximum number of calls in a minute. */
                requestsPerMinute?: number;
            };
            /** @description Whether new records use this configuration when they name none. */
            isDefault?: boolean | null;
        };
        /** @description Create key request. */
        CreateKeyRequest: {
            /** @description Name of the key. */
            name: string;
            /**
             * @description What the key may do; each includes the one before.
             * @enum {string}
             */
            permission: "read" | "write" | "admin";
            /** @description Collections that the key or the search is limited to; without it, all. */
            collectionIds?: string[];
            /** @description Time after which the record no longer works or exists; null for never. */
            expiresAt?: string;
        };
        /** @description Create model request. */
        CreateModelRequest: {
            /** @description Name for people; it need not be unique. */
            name: string;
            /** @description Settings, as they were sent. */
            config: {
                /**
                 * @description Provider of the service.
                 * @constant
                 */
                provider: "provider_a";
                /** @description Name of the model, as the provider has it. */
                model: string;
                /** @description The provider's API key; it is stored encrypted and comes back masked. */
                apiKey?: string;
                /** @description Base address of the provider's API. */
                baseUrl?: string;
                /** @description Length of the vectors. */
                dimensions?: number;
                /** @description Sampling temperature, 0 to 2. */
                temperature?: number;
                /** @description Maximum number of tokens in an answer. */
                maxOutputTokens?: number;
                /** @description Number of tokens that the model reads at most. */
                contextTokens?: number;
                /** @description Maximum number of calls at the same time. */
                maxConcurrency?: number;
                /** @description Maximum number of calls in a minute. */
                requestsPerMinute?: number;
            } | {
                /**
                 * @description Provider of the service.
                 * @constant
                 */
                provider: "provider_b";
                /** @description Name of the model, as the provider has it. */
                model: string;
                /** @description The provider's API key; it is stored encrypted and comes back masked. */
                apiKey: string;
                /** @description Base address of the provider's API. */
                baseUrl?: string;
                /** @description Length of the vectors. */
                dimensions?: number;
                /** @description Sampling temperature, 0 to 2. */
                temperature?: number;
                /** @description Maximum number of tokens in an answer. */
                maxOutputTokens?: number;
                /** @description Number of tokens that the model reads at most. */
                contextTokens?: number;
                /** @description Maximum number of calls at the same time. */
                maxConcurrency?: number;
                /** @description Maximum number of calls in a minute. */
                requestsPerMinute?: number;
            } | {
                /**
                 * @description Provider of the service.
                 * @constant
                 */
                provider: "local";
                /** @description Name of the model, as the provider has it. */
                model: string;
                /** @description Length of the vectors. */
                dimensions?: number;
                /** @description Maximum number of tokens in an answer. */
                maxOutputTokens?: number;
            };
            /** @description Whether new records use this configuration when they name none. */
            isDefault?: boolean | null;
        };
        /** @description Create parser request. */
        CreateParserRequest: {
            /** @description Name for people; it need not be unique. */
            name: string;
            /** @description Settings, as they were sent. */
            config: {
                /**
                 * @description Provider of the service.
                 * @constant
                 */
                provider: "service";
                /** @description Name of the model, as the provider has it. */
                model?: string;
                /**
                 * @description When text is recognised in pictures.
                 * @enum {string}
                 */
                ocr?: "auto" | "always" | "never";
                /** @description Languages for the recognition of text, as Tesseract names them. */
                languages?: string[];
                /** @description Quality of pages that are sent as JPEG, 1 to 100. */
                jpegQuality?: number;
                /** @description Maximum number of pixels of a page that is sent. */
                maxPixels?: number;
                /** @description Whether navigation and footers of web pages are left out. */
                removeBoilerplate?: boolean | null;
            } | {
                /**
                 * @description Provider of the service.
                 * @constant
                 */
                provider: "provider_b";
                /** @description Name of the model, as the provider has it. */
                model: string;
                /** @description The provider's API key; it is stored encrypted and comes back masked. */
                apiKey: string;
                /** @description Base address of the provider's API. */
                baseUrl?: string;
                /** @description Length of the vectors. */
                dimensions?: number;
                /** @description Sampling temperature, 0 to 2. */
                temperature?: number;
                /** @description Maximum number of tokens in an answer. */
                maxOutputTokens?: number;
                /** @description Maximum number of calls at the same time. */
                maxConcurrency?: number;
                /** @description Maximum number of calls in a minute. */
                requestsPerMinute?: number;
                /** @description Quality of pages that are sent as JPEG, 1 to 100. */
                jpegQuality?: number;
                /** @description Maximum number of pixels of a page that is sent. */
                maxPixels?: number;
            } | {
                /**
                 * @description Provider of the service.
                 * @constant
                 */
                provider: "provider_c";
                /** @description Name of the model, as the provider has it. */
                model?: string;
                /** @description The provider's API key; it is stored encrypted and comes back masked. */
                apiKey: string;
                /** @description Base address of the provider's API. */
                baseUrl?: string;
                /** @description Maximum number of calls at the same time. */
                maxConcurrency?: number;
                /** @description Maximum number of calls in a minute. */
                requestsPerMinute?: number;
                /** @description Quality of pages that are sent as JPEG, 1 to 100. */
                jpegQuality?: number;
                /** @description Maximum number of pixels of a page that is sent. */
                maxPixels?: number;
            };
            /** @description Whether new records use this configuration when they name none. */
            isDefault?: boolean | null;
        };
        /** @description Create webhook request. */
        CreateWebhookRequest: {
            /** @description Name for people; it need not be unique. */
            name: string;
            /** @description Address that receives the deliveries; https only. */
            url: string;
            /** @description Secret that signs the deliveries: base64 after the prefix `whsec_` (Standard Webhooks), or any other text as it is. */
            signingSecret: string;
            /** @description Events to deliver. */
            events: ("process.completed" | "document.ready" | "document.failed" | "connector.synced")[];
        };
        /** @description Create workspace request. */
        CreateWorkspaceRequest: {
            /** @description Name for people; it need not be unique. */
            name: string;
        };
        /** @description Either `documentIds` or `filter` */
        DeleteDocumentsRequest: {
            /** @description Documents, at most 1,000. */
            documentIds?: string[];
            /** @description Condition on documents. */
            filter?: components["schemas"]["DocumentFilter"];
        };
        /** @description Deletion result. */
        DeletionResult: {
            /** @description Number of documents that were deleted. */
            deleted: number;
        };
        /** @description Deletion result envelope. */
        DeletionResultEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["DeletionResult"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Delivery. */
        Delivery: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Workspace that the record belongs to. */
            workspaceId: string;
            /** @description Webhook that the delivery belongs to. */
            webhookId: string;
            /**
             * @description Event of the delivery.
             * @enum {string}
             */
            event: "process.completed" | "document.ready" | "document.failed" | "connector.synced" | "webhook.test";
            /** @description Identifier of the event: the `webhook-id` of every attempt and the `id` of the payload. */
            eventId: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "cancelled";
            /** @description Number of attempts so far. */
            attempts: number;
            /** @description Time of the next attempt; null during an attempt and after the last. */
            nextAttemptAt: string | null;
            /** @description HTTP status of the latest answer; null without one. */
            statusCode: number | null;
            /** @description Why no answer came; null with one. */
            error: string | null;
            /** @description First 2 kB of the latest answer. */
            responseBody: string | null;
            /** @description Duration of the attempt in milliseconds. */
            durationMs: number | null;
            /** @description The latest 20 attempts, oldest first. */
            history: {
                /** @description Time of the attempt. */
                at: string;
                /** @description HTTP status of the answer; null without one. */
                statusCode: number | null;
                /** @description Why no answer came; null with one. */
                error: string | null;
                /** @description Duration of the attempt in milliseconds. */
                durationMs: number;
            }[];
            /** @description Time at which the record was created. */
            createdAt: string;
            /** @description Time of the last attempt; null before the first. */
            lastAttemptAt: string | null;
            /** @description Time at which the work ended; null before. */
            finishedAt: string | null;
        };
        /** @description Delivery detail. */
        DeliveryDetail: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Workspace that the record belongs to. */
            workspaceId: string;
            /** @description Webhook that the delivery belongs to. */
            webhookId: string;
            /**
             * @description Event of the delivery.
             * @enum {string}
             */
            event: "process.completed" | "document.ready" | "document.failed" | "connector.synced" | "webhook.test";
            /** @description Identifier of the event: the `webhook-id` of every attempt and the `id` of the payload. */
            eventId: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "cancelled";
            /** @description Number of attempts so far. */
            attempts: number;
            /** @description Time of the next attempt; null during an attempt and after the last. */
            nextAttemptAt: string | null;
            /** @description HTTP status of the latest answer; null without one. */
            statusCode: number | null;
            /** @description Why no answer came; null with one. */
            error: string | null;
            /** @description First 2 kB of the latest answer. */
            responseBody: string | null;
            /** @description Duration of the attempt in milliseconds. */
            durationMs: number | null;
            /** @description The latest 20 attempts, oldest first. */
            history: {
                /** @description Time of the attempt. */
                at: string;
                /** @description HTTP status of the answer; null without one. */
                statusCode: number | null;
                /** @description Why no answer came; null with one. */
                error: string | null;
                /** @description Duration of the attempt in milliseconds. */
                durationMs: number;
            }[];
            /** @description Time at which the record was created. */
            createdAt: string;
            /** @description Time of the last attempt; null before the first. */
            lastAttemptAt: string | null;
            /** @description Time at which the work ended; null before. */
            finishedAt: string | null;
            /** @description The body of every attempt, byte for byte: the text that the signatures cover. */
            body: string;
        };
        /** @description Delivery detail envelope. */
        DeliveryDetailEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["DeliveryDetail"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Delivery envelope. */
        DeliveryEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Delivery"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Delivery list. */
        DeliveryList: {
            /** @description Records of this page. */
            items: components["schemas"]["Delivery"][];
            /** @description Value of `cursor` for the next page; null on the last page. */
            cursor: string | null;
            /** @description Maximum number of records in the page. */
            limit: number;
            /** @description Number of records on all pages. */
            total: number;
        };
        /** @description Delivery list envelope. */
        DeliveryListEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["DeliveryList"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description One line of a chat stream: changes of the conversation `{ chat, messages }`. Applying every line in order gives the state that `GET …/history` returns. */
        DiffcpLine: {
            /** @description Number of the line, from 0; a heartbeat repeats the last one. */
            seq: number;
            /** @description Changes to apply in order. */
            ops: components["schemas"]["DiffcpOperation"][];
        };
        /** @description A change of the state: an operation of RFC 6902, or `append` to a string or an array. */
        DiffcpOperation: {
            /**
             * @description Kind of the change.
             * @enum {string}
             */
            op: "add" | "replace" | "remove" | "append";
            /** @description JSON Pointer to the changed place. */
            path: string;
            /** @description New or appended value; absent for `remove`. */
            value?: unknown;
        };
        /** @description Document. */
        Document: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Workspace that the record belongs to. */
            workspaceId: string;
            /** @description Collection that the document belongs to. */
            collectionId: string;
            /** @description Archive that the document came from. */
            parentId: string | null;
            /** @description Name of the file. */
            name: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "indexing" | "ready" | "failed" | "deleted";
            /** @description Media type of the content. */
            contentType: string;
            /** @description Size in bytes. */
            sizeBytes: number;
            /** @description SHA-256 of the content, in hexadecimal. */
            sha256: string;
            /** @description The application's own data, kept as it is; search filters can use it. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description ISO 639 code of the language; null or absent if it is not known. */
            language: string | null;
            /** @description Number of pages; null for a format without pages. */
            pageCount: number | null;
            /** @description Number of chunks in the search index. */
            chunkCount: number;
            /** @description Number of the content; it grows with each replacement. */
            revision: number;
            /** @description Revision that search finds; null if none is searchable. */
            searchableRevision: number | null;
            /** @description Step of the processing; null when it has ended. */
            stage: ("queued" | "parsing" | "chunking" | "embedding" | "writing") | null;
            /** @description Share of the work that is done, 0 to 1. */
            progress: number;
            /** @description Reason of the failure; null without one. */
            error: {
                /** @description Kind of the object or of the failure, for programs. */
                type: string;
                /** @description Explanation for people. */
                message: string;
            } | null;
            /** @description What could not be read of the document. */
            warnings: components["schemas"]["ContentWarning"][];
            /** @description Time at which the record was created. */
            createdAt: string;
            /** @description Time of the last change. */
            modifiedAt: string;
            /** @description Time at which the document became searchable; null before that. */
            readyAt: string | null;
            /** @description Time of the deletion; null while the record is not deleted. */
            deletedAt: string | null;
        };
        /** @description Document detail. */
        DocumentDetail: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Workspace that the record belongs to. */
            workspaceId: string;
            /** @description Collection that the document belongs to. */
            collectionId: string;
            /** @description Archive that the document came from. */
            parentId: string | null;
            /** @description Name of the file. */
            name: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "indexing" | "ready" | "failed" | "deleted";
            /** @description Media type of the content. */
            contentType: string;
            /** @description Size in bytes. */
            sizeBytes: number;
            /** @description SHA-256 of the content, in hexadecimal. */
            sha256: string;
            /** @description The application's own data, kept as it is; search filters can use it. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description ISO 639 code of the language; null or absent if it is not known. */
            language: string | null;
            /** @description Number of pages; null for a format without pages. */
            pageCount: number | null;
            /** @description Number of chunks in the search index. */
            chunkCount: number;
            /** @description Number of the content; it grows with each replacement. */
            revision: number;
            /** @description Revision that search finds; null if none is searchable. */
            searchableRevision: number | null;
            /** @description Step of the processing; null when it has ended. */
            stage: ("queued" | "parsing" | "chunking" | "embedding" | "writing") | null;
            /** @description Share of the work that is done, 0 to 1. */
            progress: number;
            /** @description Reason of the failure; null without one. */
            error: {
                /** @description Kind of the object or of the failure, for programs. */
                type: string;
                /** @description Explanation for people. */
                message: string;
            } | null;
            /** @description What could not be read of the document. */
            warnings: components["schemas"]["ContentWarning"][];
            /** @description Time at which the record was created. */
            createdAt: string;
            /** @description Time of the last change. */
            modifiedAt: string;
            /** @description Time at which the document became searchable; null before that. */
            readyAt: string | null;
            /** @description Time of the deletion; null while the record is not deleted. */
            deletedAt: string | null;
            /** @description The block tree of the document. */
            blocks?: components["schemas"]["Block"][] | null;
            /** @description The first 100 chunks of the document, in reading order. */
            chunks?: components["schemas"]["Chunk"][];
            /** @description Cursor of the list of chunks behind those of the record; null if the record has all of them. */
            chunksCursor?: string | null;
        };
        /** @description Document detail envelope. */
        DocumentDetailEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["DocumentDetail"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Document envelope. */
        DocumentEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Document"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description A condition on documents: fields with a value or a condition, all of which must hold. Fields are those of a document and `metadata.<key>`. At most 64 kB as JSON, 200 conditions on 20 levels and 10,000 values; a name in a path has at most 256 bytes, a path 32 parts. */
        DocumentFilter: {
            /** @description Filters that must all hold. */
            and?: components["schemas"]["DocumentFilter"][];
            /** @description Filters of which one must hold. */
            or?: components["schemas"]["DocumentFilter"][];
            /** @description A filter that must not hold. */
            not?: components["schemas"]["DocumentFilter"];
        } & {
            [key: string]: string | number | boolean | null | components["schemas"]["FilterCondition"] | components["schemas"]["DocumentFilter"] | components["schemas"]["DocumentFilter"][];
        };
        /** @description Document form. */
        DocumentForm: {
            /** @description A file with its name. */
            file: string;
            /** @description Metadata of the document, as JSON. At most 64 kB as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Name of the document, in place of the name of the file. */
            name?: string;
        };
        /** @description Document links. */
        DocumentLinks: {
            /** @description Time after which the record no longer works or exists; null for never. */
            expiresAt: string;
            /** @description Path of the file as it was uploaded. */
            original: string;
            /** @description Path of the document as Markdown. */
            markdown: string;
            /** @description Path of the document as HTML. */
            html: string;
            /** @description Path of the picture of the first page. */
            thumbnail: string;
            /** @description Path of the list of pages. */
            pages: string;
            /** @description Path of the picture of a page: put its number in place of `{page}`, and add `width`, `box` and `mark`. */
            page: string;
        };
        /** @description Document links envelope. */
        DocumentLinksEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["DocumentLinks"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Document list. */
        DocumentList: {
            /** @description Records of this page. */
            items: components["schemas"]["Document"][];
            /** @description Value of `cursor` for the next page; null on the last page. */
            cursor: string | null;
            /** @description Maximum number of records in the page. */
            limit: number;
            /** @description Number of records on all pages. */
            total: number;
        };
        /** @description Document list envelope. */
        DocumentListEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["DocumentList"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Edit config. */
        EditConfig: {
            /** @description Changes to make, in order. */
            operations?: components["schemas"]["EditOperation"][];
            /** @description Instructions to the model, in addition to its task. */
            instructions?: string;
            /** @description Model configuration; by default the one of the workspace. */
            modelId?: string;
        };
        /** @description Edit operation. */
        EditOperation: components["schemas"]["RedactEditOperation"] | components["schemas"]["FillFormEditOperation"] | components["schemas"]["KeepPagesEditOperation"] | components["schemas"]["RemovePagesEditOperation"] | components["schemas"]["MovePagesEditOperation"] | components["schemas"]["ReorderPagesEditOperation"] | components["schemas"]["RotatePagesEditOperation"] | components["schemas"]["AppendFilesEditOperation"] | components["schemas"]["SplitPagesEditOperation"] | components["schemas"]["StampTextEditOperation"] | components["schemas"]["ReplaceTextEditOperation"] | components["schemas"]["ReplacePatternEditOperation"] | components["schemas"]["FillPlaceholdersEditOperation"] | components["schemas"]["SetCellEditOperation"];
        /** @description Embedder. */
        Embedder: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Workspace that the record belongs to. */
            workspaceId: string;
            /** @description Name for people; it need not be unique. */
            name: string;
            /** @description Settings, as they were sent. */
            config: {
                /**
                 * @description Provider of the service.
                 * @enum {string}
                 */
                provider: "bm25" | "local" | "provider_a" | "provider_b";
                /** @description The provider's name of the model. */
                model?: string;
                /** @description Key of the provider; responses mask it. */
                apiKey?: string;
                /** @description URL to which the provider's paths are appended. */
                baseUrl?: string;
                /** @description Length of the vectors. */
                dimensions?: number;
                /** @description Sampling temperature. */
                temperature?: number;
                /** @description Maximum number of tokens in one answer. */
                maxOutputTokens?: number;
                /** @description Context window of the model in tokens; default: that of a known model, otherwise 8192. */
                contextTokens?: number;
                /** @description Maximum number of concurrent requests to the provider. */
                maxConcurrency?: number;
                /** @description Maximum number of requests to the provider in a minute. */
                requestsPerMinute?: number;
                /** @description Language of the texts (ISO 639). */
                language?: string;
                /**
                 * @description When pages are read by OCR.
                 * @enum {string}
                 */
                ocr?: "auto" | "always" | "never";
                /** @description Languages that OCR expects (codes of Tesseract). */
                languages?: string[];
                /** @description Quality of page images sent to a provider. */
                jpegQuality?: number;
                /** @description Maximum number of pixels of a page image. */
                maxPixels?: number;
                /** @description Whether navigation and footers of web pages are left out. */
                removeBoilerplate?: boolean;
            };
            /** @description Whether new records use this configuration when they name none. */
            isDefault: boolean;
            /** @description Time at which the record was created. */
            createdAt: string;
            /** @description Time of the last change. */
            modifiedAt: string;
            /** @description Time of the deletion; null while the record is not deleted. */
            deletedAt: string | null;
        };
        /** @description Embedder envelope. */
        EmbedderEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Embedder"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Embedder list. */
        EmbedderList: {
            /** @description Records of this page. */
            items: components["schemas"]["Embedder"][];
            /** @description Value of `cursor` for the next page; null on the last page. */
            cursor: string | null;
            /** @description Maximum number of records in the page. */
            limit: number;
            /** @description Number of records on all pages. */
            total: number;
        };
        /** @description Embedder list envelope. */
        EmbedderListEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["EmbedderList"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Error. */
        Error: {
            /** @description What is wrong, at most 100 entries. */
            detail: {
                /** @description Place of the error: `body`, `query`, `path` or `header`, then keys and indexes; empty if no input is at fault. */
                loc: (string | number)[];
                /** @description Explanation for people. */
                msg: string;
                /** @description Kind of the error, for programs. */
                type: string;
                /** @description The invalid value, up to 2 kB; never a secret. */
                input?: unknown;
                /** @description Values that the explanation uses, by name. */
                ctx?: {
                    [key: string]: unknown;
                };
            }[];
        };
        /** @description Extraction config. */
        ExtractionConfig: {
            /** @description JSON Schema (2020-12) of the values to extract. At most 512 kB as JSON. */
            jsonSchema: {
                [key: string]: unknown;
            };
            /** @description Instructions to the model, in addition to its task. */
            instructions?: string;
            /** @description Model configuration; by default the one of the workspace. */
            modelId?: string;
        };
        /** @description File form. */
        FileForm: {
            /** @description A file with its name. */
            file: string;
        };
        /** @description pdf. Fills in form fields. */
        FillFormEditOperation: {
            /**
             * @description Kind of the object or of the failure, for programs.
             * @constant
             */
            type: "fillForm";
            /** @description By full name: text, true or false for a checkbox, the option for radio buttons and choices. */
            fields: {
                [key: string]: string | boolean | string[];
            };
            /**
             * @description Whether the fields become plain page content.
             * @default false
             */
            flatten: boolean;
        };
        /** @description docx, pptx, xlsx, odt, ods, odp and text formats. Replaces {{name}} with values. */
        FillPlaceholdersEditOperation: {
            /**
             * @description Kind of the object or of the failure, for programs.
             * @constant
             */
            type: "fillPlaceholders";
            /** @description By name. A list of objects repeats the table row that holds {{name.field}}, once for each object. */
            values: {
                [key: string]: (string | number | boolean) | {
                    [key: string]: string | number | boolean;
                }[];
            };
        };
        /** @description Comparisons of one field, all of which must hold. */
        FilterCondition: {
            /** @description Equal to the value. */
            eq?: string | number | boolean | null;
            /** @description Not equal to the value. */
            ne?: string | number | boolean | null;
            /** @description Equal to one of the values, at most 1,000. */
            in?: (string | number | boolean | null)[];
            /** @description Greater than the value. */
            gt?: string | number;
            /** @description Greater than or equal to the value. */
            gte?: string | number;
            /** @description Less than the value. */
            lt?: string | number;
            /** @description Less than or equal to the value. */
            lte?: string | number;
            /** @description Whether the field has a value. */
            exists?: boolean;
        };
        /** @description Health. */
        Health: {
            /** @description Always true: the process answers. */
            alive: boolean;
            /** @description Version of the service. */
            version: string;
        };
        /** @description Health envelope. */
        HealthEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Health"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description pdf. Removes all other pages. */
        KeepPagesEditOperation: {
            /**
             * @description Kind of the object or of the failure, for programs.
             * @constant
             */
            type: "keepPages";
            /** @description Pages from 1: "2", "1-3,5", "8-" (to the end), "-1" (the last). */
            pages: string;
        };
        /** @description Key. */
        Key: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Workspace that the record belongs to. */
            workspaceId: string;
            /** @description Name of the key. */
            name: string;
            /**
             * @description What the key may do; each includes the one before.
             * @enum {string}
             */
            permission: "read" | "write" | "admin";
            /** @description Collections that the key or the search is limited to; without it, all. */
            collectionIds: string[] | null;
            /** @description Last characters of the key. */
            hint: string;
            /** @description Time after which the record no longer works or exists; null for never. */
            expiresAt: string | null;
            /** @description Time of the latest use, within five minutes; null before the first. */
            lastUsedAt: string | null;
            /** @description Time at which the record was created. */
            createdAt: string;
        };
        /** @description Key envelope. */
        KeyEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Key"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Key list. */
        KeyList: {
            /** @description Records of this page. */
            items: components["schemas"]["Key"][];
            /** @description Value of `cursor` for the next page; null on the last page. */
            cursor: string | null;
            /** @description Maximum number of records in the page. */
            limit: number;
            /** @description Number of records on all pages. */
            total: number;
        };
        /** @description Key list envelope. */
        KeyListEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["KeyList"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description List pages. */
        ListPages: components["schemas"]["PageSize"][];
        /** @description List pages envelope. */
        ListPagesEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["ListPages"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description List run pages. */
        ListRunPages: components["schemas"]["PageSize"][];
        /** @description List run pages envelope. */
        ListRunPagesEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["ListRunPages"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Message. */
        Message: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Chat that the message belongs to. */
            chatId: string;
            /**
             * @description Author of the message.
             * @enum {string}
             */
            role: "user" | "assistant";
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "streaming" | "done" | "failed" | "stopped";
            /** @description Content of the message, in the order in which it was written. */
            parts: ({
                /**
                 * @description Kind of the object or of the failure, for programs.
                 * @constant
                 */
                type: "reasoning";
                /** @description Text of the part. */
                text: string;
            } | {
                /**
                 * @description Kind of the object or of the failure, for programs.
                 * @constant
                 */
                type: "tool";
                /**
                 * @description Which tool was called.
                 * @enum {string}
                 */
                name: "retrieve";
                /** @description Input of the call; of `retrieve` its `query`. */
                input: {
                    [key: string]: unknown;
                };
                /**
                 * @description State of the record.
                 * @enum {string}
                 */
                status: "running" | "done" | "failed";
                /** @description Number of chunks that were found; null before the end. */
                resultCount: number | null;
            } | {
                /**
                 * @description Kind of the object or of the failure, for programs.
                 * @constant
                 */
                type: "text";
                /** @description Text of the part. */
                text: string;
            })[];
            /** @description Sources of the answer. */
            citations: components["schemas"]["Citation"][];
            /** @description Sentences of the answer, once it has ended, each with whether a citation supports it. */
            support: components["schemas"]["SentenceSupport"][];
            /** @description Number of citation marks of the model that were removed: their source was not retrieved or does not support them. */
            droppedMarks: number;
            /** @description Probability that the value, or the answer, is right, 0 to 1; null if it is not known. */
            confidence: number | null;
            /** @description Resources that the work used; null before its end. */
            usage: {
                /** @description Number of tokens that the model read. */
                inputTokens: number;
                /** @description Number of tokens that the model wrote. */
                outputTokens: number;
                /** @description Number of searches. */
                retrievals: number;
                /** @description Milliseconds from the request to the first line. */
                firstLineMs: number;
                /** @description Milliseconds from the request to the first text of the answer; null without text. */
                firstTextMs: number | null;
                /** @description Milliseconds from the request to the end of the answer. */
                totalMs: number;
            } | null;
            /** @description Reason of the failure; null without one. */
            error: {
                /** @description Kind of the object or of the failure, for programs. */
                type: string;
                /** @description Explanation for people. */
                message: string;
            } | null;
            /** @description Time at which the record was created. */
            createdAt: string;
        };
        /** @description Message envelope. */
        MessageEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Message"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Message list. */
        MessageList: {
            /** @description Records of this page. */
            items: components["schemas"]["Message"][];
            /** @description Value of `cursor` for the next page; null on the last page. */
            cursor: string | null;
            /** @description Maximum number of records in the page. */
            limit: number;
            /** @description Number of records on all pages. */
            total: number;
        };
        /** @description Message list envelope. */
        MessageListEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["MessageList"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Model. */
        Model: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Workspace that the record belongs to. */
            workspaceId: string;
            /** @description Name for people; it need not be unique. */
            name: string;
            /** @description Settings, as they were sent. */
            config: {
                /**
                 * @description Provider of the service.
                 * @enum {string}
                 */
                provider: "provider_a" | "provider_b" | "local";
                /** @description The provider's name of the model. */
                model?: string;
                /** @description Key of the provider; responses mask it. */
                apiKey?: string;
                /** @description URL to which the provider's paths are appended. */
                baseUrl?: string;
                /** @description Length of the vectors. */
                dimensions?: number;
                /** @description Sampling temperature. */
                temperature?: number;
                /** @description Maximum number of tokens in one answer. */
                maxOutputTokens?: number;
                /** @description Context window of the model in tokens; default: that of a known model, otherwise 8192. */
                contextTokens?: number;
                /** @description Maximum number of concurrent requests to the provider. */
                maxConcurrency?: number;
                /** @description Maximum number of requests to the provider in a minute. */
                requestsPerMinute?: number;
                /** @description Language of the texts (ISO 639). */
                language?: string;
                /**
                 * @description When pages are read by OCR.
                 * @enum {string}
                 */
                ocr?: "auto" | "always" | "never";
                /** @description Languages that OCR expects (codes of Tesseract). */
                languages?: string[];
                /** @description Quality of page images sent to a provider. */
                jpegQuality?: number;
                /** @description Maximum number of pixels of a page image. */
                maxPixels?: number;
                /** @description Whether navigation and footers of web pages are left out. */
                removeBoilerplate?: boolean;
            };
            /** @description Whether new records use this configuration when they name none. */
            isDefault: boolean;
            /** @description Time at which the record was created. */
            createdAt: string;
            /** @description Time of the last change. */
            modifiedAt: string;
            /** @description Time of the deletion; null while the record is not deleted. */
            deletedAt: string | null;
        };
        /** @description Model envelope. */
        ModelEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Model"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Model list. */
        ModelList: {
            /** @description Records of this page. */
            items: components["schemas"]["Model"][];
            /** @description Value of `cursor` for the next page; null on the last page. */
            cursor: string | null;
            /** @description Maximum number of records in the page. */
            limit: number;
            /** @description Number of records on all pages. */
            total: number;
        };
        /** @description Model list envelope. */
        ModelListEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["ModelList"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description pdf. Moves pages, in the order given, before a page (numbered as before the move); without one to the end. */
        MovePagesEditOperation: {
            /**
             * @description Kind of the object or of the failure, for programs.
             * @constant
             */
            type: "movePages";
            /** @description Pages from 1: "2", "1-3,5", "8-" (to the end), "-1" (the last). */
            pages: string;
            /** @description Page before which the pages are put; by default the end. */
            before?: number;
        };
        /** @description New key. */
        NewKey: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Workspace that the record belongs to. */
            workspaceId: string;
            /** @description Name of the key. */
            name: string;
            /**
             * @description What the key may do; each includes the one before.
             * @enum {string}
             */
            permission: "read" | "write" | "admin";
            /** @description Collections that the key or the search is limited to; without it, all. */
            collectionIds: string[] | null;
            /** @description Last characters of the key. */
            hint: string;
            /** @description Time after which the record no longer works or exists; null for never. */
            expiresAt: string | null;
            /** @description Time of the latest use, within five minutes; null before the first. */
            lastUsedAt: string | null;
            /** @description Time at which the record was created. */
            createdAt: string;
            /** @description The key itself; only this answer contains it. */
            key: string;
        };
        /** @description New key envelope. */
        NewKeyEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["NewKey"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Page size. */
        PageSize: {
            /** @description Number of the page, from 1. */
            page: number;
            /** @description Width of the page as displayed: in points for PDFs, in pixels for images. */
            width: number;
            /** @description Height of the page, in the unit of its width. */
            height: number;
        };
        /** @description Parser. */
        Parser: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Workspace that the record belongs to. */
            workspaceId: string;
            /** @description Name for people; it need not be unique. */
            name: string;
            /** @description Settings, as they were sent. */
            config: {
                /**
                 * @description Provider of the service.
                 * @enum {string}
                 */
                provider: "service" | "provider_b" | "provider_c";
                /** @description The provider's name of the model. */
                model?: string;
                /** @description Key of the provider; responses mask it. */
                apiKey?: string;
                /** @description URL to which the provider's paths are appended. */
                baseUrl?: string;
                /** @description Length of the vectors. */
                dimensions?: number;
                /** @description Sampling temperature. */
                temperature?: number;
                /** @description Maximum number of tokens in one answer. */
                maxOutputTokens?: number;
                /** @description Context window of the model in tokens; default: that of a known model, otherwise 8192. */
                contextTokens?: number;
                /** @description Maximum number of concurrent requests to the provider. */
                maxConcurrency?: number;
                /** @description Maximum number of requests to the provider in a minute. */
                requestsPerMinute?: number;
                /** @description Language of the texts (ISO 639). */
                language?: string;
                /**
                 * @description When pages are read by OCR.
                 * @enum {string}
                 */
                ocr?: "auto" | "always" | "never";
                /** @description Languages that OCR expects (codes of Tesseract). */
                languages?: string[];
                /** @description Quality of page images sent to a provider. */
                jpegQuality?: number;
                /** @description Maximum number of pixels of a page image. */
                maxPixels?: number;
                /** @description Whether navigation and footers of web pages are left out. */
                removeBoilerplate?: boolean;
            };
            /** @description Whether new records use this configuration when they name none. */
            isDefault: boolean;
            /** @description Time at which the record was created. */
            createdAt: string;
            /** @description Time of the last change. */
            modifiedAt: string;
            /** @description Time of the deletion; null while the record is not deleted. */
            deletedAt: string | null;
        };
        /** @description Parser envelope. */
        ParserEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Parser"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Parser list. */
        ParserList: {
            /** @description Records of this page. */
            items: components["schemas"]["Parser"][];
            /** @description Value of `cursor` for the next page; null on the last page. */
            cursor: string | null;
            /** @description Maximum number of records in the page. */
            limit: number;
            /** @description Number of records on all pages. */
            total: number;
        };
        /** @description Parser list envelope. */
        ParserListEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["ParserList"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Principal. */
        Principal: {
            /** @description Identifier of the key in use. */
            keyId: string;
            /**
             * @description What the key may do; each includes the one before.
             * @enum {string}
             */
            permission: "read" | "write" | "admin" | "root";
            /** @description Workspace of the key; null for the root key. */
            workspaceId: string | null;
            /** @description Collections that the key is limited to; null for all. */
            collectionIds: string[] | null;
            /** @description The scoped token in use; absent for a key. */
            token?: {
                /** @description Claim `sub` of the scoped token, an end user for instance; null without one. */
                subject: string | null;
                /** @description Time after which the record no longer works or exists; null for never. */
                expiresAt: string;
                /** @description Condition on documents. */
                filter: {
                    [key: string]: unknown;
                } | null;
            };
        };
        /** @description Principal envelope. */
        PrincipalEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Principal"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Raw upload. */
        RawUpload: {
            /** @description Name of the file; its extension decides the format. */
            name: string;
            /** @description Text of the file. */
            content: string;
            /** @description Media type of the content. */
            contentType: string;
            /** @description The application's own data, kept as it is; search filters can use it. At most 64 kB as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** @description Readiness. */
        Readiness: {
            /** @description Dependencies by name, such as `database` and `storage`. */
            dependencies: {
                [key: string]: {
                    /** @description Whether the call succeeded. */
                    ok: boolean;
                    /** @description Duration of the call in milliseconds. */
                    latencyMs: number;
                    /** @description More about the dependency: free space of `storage`, model of `embedder`, isolation of `sandbox`, reason of a failure. */
                    detail?: string;
                };
            };
        };
        /** @description Readiness envelope. */
        ReadinessEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Readiness"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description pdf. Removes the text from the file and paints black boxes over it; pixels and drawings under a box are removed too. Attachments, XMP metadata and alternative texts of the pages concerned are removed. */
        RedactEditOperation: {
            /**
             * @description Kind of the object or of the failure, for programs.
             * @constant
             */
            type: "redact";
            /**
             * @description Texts to remove.
             * @default []
             */
            texts: string[];
            /**
             * @description Regular expressions whose matches are removed.
             * @default []
             */
            patterns: string[];
            /**
             * @description Places of the text on its pages.
             * @default []
             */
            boxes: {
                /** @description Number of the page, from 1. */
                page: number;
                /** @description [x0, y0, x1, y1] in 0..1 of the page as displayed, from its top left corner. */
                bbox: number[];
            }[];
            /**
             * @description Whether upper and lower case count as the same.
             * @default true
             */
            ignoreCase: boolean;
            /**
             * @description For `texts`.
             * @default false
             */
            wholeWord: boolean;
        };
        /** @description Redeliver failed request. */
        RedeliverFailedRequest: {
            /** @description Webhook whose deliveries are sent again; without it, all active webhooks. */
            webhookId?: string;
            /**
             * @description Event whose deliveries are sent again; without it, all events.
             * @enum {string}
             */
            event?: "process.completed" | "document.ready" | "document.failed" | "connector.synced";
            /** @description Earliest time of creation of a delivery that is sent again; without it, any time. */
            since?: string;
        };
        /** @description Redelivery result. */
        RedeliveryResult: {
            /** @description Number of failed deliveries that are sent again. */
            redelivered: number;
        };
        /** @description Redelivery result envelope. */
        RedeliveryResultEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["RedeliveryResult"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description pdf. Removes pages. */
        RemovePagesEditOperation: {
            /**
             * @description Kind of the object or of the failure, for programs.
             * @constant
             */
            type: "removePages";
            /** @description Pages from 1: "2", "1-3,5", "8-" (to the end), "-1" (the last). */
            pages: string;
        };
        /** @description pdf. The new order; every page exactly once. */
        ReorderPagesEditOperation: {
            /**
             * @description Kind of the object or of the failure, for programs.
             * @constant
             */
            type: "reorderPages";
            /** @description Numbers of all pages in their new order. */
            order: number[];
        };
        /** @description docx, pptx, xlsx, odt, ods, odp and text formats. Replaces what a regular expression matches, by paragraph. */
        ReplacePatternEditOperation: {
            /**
             * @description Kind of the object or of the failure, for programs.
             * @constant
             */
            type: "replacePattern";
            /** @description Regular expression (RE2 syntax: no look-around, no back-references; matching takes linear time). */
            pattern: string;
            /** @description $1 and ${name} insert groups, $0 the whole match, $$ a dollar sign. */
            replace: string;
            /**
             * @description Whether upper and lower case count as the same.
             * @default false
             */
            ignoreCase: boolean;
        };
        /** @description docx, pptx, xlsx, odt, ods, odp and text formats. Replaces a text everywhere; the replacement keeps the formatting at the start of the match. */
        ReplaceTextEditOperation: {
            /**
             * @description Kind of the object or of the failure, for programs.
             * @constant
             */
            type: "replaceText";
            /** @description Text to find. */
            find: string;
            /** @description Text to put in its place. */
            replace: string;
            /**
             * @description Whether upper and lower case count as the same.
             * @default false
             */
            ignoreCase: boolean;
            /**
             * @description Match only where no letter, digit or underscore is adjacent.
             * @default false
             */
            wholeWord: boolean;
        };
        /** @description Either `documentIds` or `filter` */
        RetryDocumentsRequest: {
            /** @description Documents, at most 1,000. */
            documentIds?: string[];
            /** @description Condition on documents. */
            filter?: components["schemas"]["DocumentFilter"];
        };
        /** @description Retry result. */
        RetryResult: {
            /** @description Number of failed documents that are processed again. */
            retried: number;
        };
        /** @description Retry result envelope. */
        RetryResultEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["RetryResult"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description pdf. Rotates pages; all by default. */
        RotatePagesEditOperation: {
            /**
             * @description Kind of the object or of the failure, for programs.
             * @constant
             */
            type: "rotatePages";
            /** @description Pages from 1: "2", "1-3,5", "8-" (to the end), "-1" (the last). */
            pages?: string;
            /** @description Clockwise. */
            degrees: 90 | 180 | 270 | -90;
        };
        /** @description Run. */
        Run: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Workspace that the record belongs to. */
            workspaceId: string;
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "idle" | "queued" | "running" | "done" | "failed";
            /** @description Names of the files. */
            files: string[];
            /** @description The blocks of the request. */
            config: {
                [key: string]: unknown;
            };
            /** @description Share of the work that is done, 0 to 1. */
            progress: number;
            /** @description Reason of the failure; null without one. */
            error: {
                /** @description Kind of the object or of the failure, for programs. */
                type: string;
                /** @description Explanation for people. */
                message: string;
            } | null;
            /** @description Results by file; null before the end and after the expiry. */
            outcome: {
                /** @description Files of the run. */
                files: components["schemas"]["RunFileOutcome"][];
                /** @description Resources that the work used; null before its end. */
                usage: {
                    /** @description Number of tokens that the model read. */
                    inputTokens: number;
                    /** @description Number of tokens that the model wrote. */
                    outputTokens: number;
                    /** @description Number of pages; null for a format without pages. */
                    pageCount: number;
                };
            } | null;
            /** @description Time at which the record was created. */
            createdAt: string;
            /** @description Time at which the work began; null before. */
            startedAt: string | null;
            /** @description Time at which the work ended; null before. */
            finishedAt: string | null;
            /** @description When an idle run is given up, and when inputs and outputs are deleted. */
            expiresAt: string | null;
            /** @description Time at which inputs and outputs were deleted; null before. */
            outputsDeletedAt: string | null;
        };
        /** @description Run blocks. */
        RunBlocks: {
            /** @description Parser configuration; by default the one of the workspace. */
            parserId?: string;
            /** @description Settings of the parser that override the configuration. */
            parserConfig?: components["schemas"]["RunParserConfig"];
            /** @description Requests values that conform to a JSON Schema. */
            extractionConfig?: components["schemas"]["ExtractionConfig"];
            /** @description Requests a summary. */
            summaryConfig?: components["schemas"]["SummaryConfig"];
            /** @description Requests labels of a taxonomy. */
            classificationConfig?: components["schemas"]["ClassificationConfig"];
            /** @description Requests a changed file of the same kind. */
            editConfig?: components["schemas"]["EditConfig"];
        };
        /** @description Run envelope. */
        RunEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Run"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Run file. */
        RunFile: {
            /** @description Name of the file. */
            name: string;
            /** @description Size in bytes. */
            sizeBytes: number;
            /** @description SHA-256 of the content, in hexadecimal. */
            sha256: string;
        };
        /** @description Run file envelope. */
        RunFileEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["RunFile"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Run file outcome. */
        RunFileOutcome: {
            /** @description Name for people; it need not be unique. */
            name: string;
            /** @description Result of the parser. */
            parse?: {
                /** @description Media type of the content. */
                contentType: string;
                /** @description Number of pages; null for a format without pages. */
                pageCount: number | null;
                /** @description ISO 639 code of the language; null or absent if it is not known. */
                language: string | null;
                /** @description What could not be read of the file. */
                warnings?: components["schemas"]["ContentWarning"][];
                /** @description The document as Markdown. */
                markdown?: components["schemas"]["RunOutputReference"];
                /** @description The document as HTML. */
                html?: components["schemas"]["RunOutputReference"];
                /** @description The block tree of the document. */
                blocks?: components["schemas"]["RunOutputReference"];
                /** @description Picture of the first page; not available for members of archives. */
                thumbnail?: {
                    /** @description Path of the output, for `GET …/outputs/{path}`. */
                    path: string;
                    /** @description Media type of the content. */
                    contentType: string;
                };
            };
            /** @description Result of the extraction. */
            extraction?: {
                /** @description Values that conform to the schema. */
                data: unknown;
                /** @description By JSON Pointer. */
                evidence: {
                    [key: string]: {
                        /** @description Number of the page, from 1. */
                        page: number | null;
                        /** @description Box as [x0, y0, x1, y1], 0 to 1 from the top left corner of the page. */
                        bbox: number[] | null;
                        /** @description The lines or the cell that hold the quote. */
                        boxes: {
                            /** @description Number of the page, from 1. */
                            page: number;
                            /** @description Box as [x0, y0, x1, y1], 0 to 1 from the top left corner of the page. */
                            bbox: number[];
                        }[];
                        /** @description Text of the document that holds the value. */
                        quote: string;
                        /** @description Probability that the value, or the answer, is right, 0 to 1; null if it is not known. */
                        confidence: number;
                    };
                };
            };
            /** @description Result of the summary. */
            summary?: {
                /** @description Text of the object. */
                text: string;
            };
            /** @description Result of the classification. */
            classification?: {
                /** @description Labels that apply, best first. */
                labels: {
                    /** @description Identifiers from the root of the taxonomy to the label. */
                    path: string[];
                    /** @description Score, higher is better. */
                    score: number;
                }[];
            };
            /** @description Result of the edit. */
            edit?: {
                /** @description Changes to make, in order. */
                operations: ({
                    /** @description Kind of the object or of the failure, for programs. */
                    type: string;
                    /** @description Number of changed places; 0 if nothing matched. */
                    changes: number;
                    /** @description Changed pages of a PDF. */
                    pages?: number[];
                    /** @description Remarks on parts that could not be changed. */
                    notes?: string[];
                } & {
                    [key: string]: unknown;
                })[];
                /** @description Files made; several only after a split, all of them among the outputs. */
                fileCount: number;
                /** @description The changed file. */
                output: components["schemas"]["RunOutputReference"];
            };
            /** @description Failures of single modules. */
            errors: {
                /** @description Kind of the object or of the failure, for programs. */
                type: string;
                /** @description Explanation for people. */
                message: string;
                /** @description Part of the run that failed. */
                module: string;
            }[];
            /** @description Files that the run produced. */
            outputs: components["schemas"]["RunOutput"][];
        };
        /** @description Run form. */
        RunForm: {
            /** @description Files of the run. */
            files?: string[];
            /** @description Parser configuration; by default the one of the workspace. */
            parserId?: string;
            /** @description Settings of the parser that override the configuration. */
            parserConfig?: components["schemas"]["RunParserConfig"];
            /** @description Requests values that conform to a JSON Schema. */
            extractionConfig?: components["schemas"]["ExtractionConfig"];
            /** @description Requests a summary. */
            summaryConfig?: components["schemas"]["SummaryConfig"];
            /** @description Requests labels of a taxonomy. */
            classificationConfig?: components["schemas"]["ClassificationConfig"];
            /** @description Requests a changed file of the same kind. */
            editConfig?: components["schemas"]["EditConfig"];
        } & {
            [key: string]: unknown;
        };
        /** @description Run list. */
        RunList: {
            /** @description Records of this page. */
            items: components["schemas"]["Run"][];
            /** @description Value of `cursor` for the next page; null on the last page. */
            cursor: string | null;
            /** @description Maximum number of records in the page. */
            limit: number;
            /** @description Number of records on all pages. */
            total: number;
        };
        /** @description Run list envelope. */
        RunListEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["RunList"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Run output. */
        RunOutput: {
            /** @description Path of the output, for `GET …/outputs/{path}`. */
            path: string;
            /** @description Media type of the content. */
            contentType: string;
            /** @description Size in bytes. */
            sizeBytes: number;
        };
        /** @description Run output reference. */
        RunOutputReference: {
            /** @description Path of the output, for `GET …/outputs/{path}`. */
            path: string;
            /** @description Media type of the content. */
            contentType: string;
            /** @description Size in bytes. */
            sizeBytes: number;
            /** @description The file itself, for texts and JSON up to 256 kB. */
            content?: unknown;
        };
        /** @description Run parser config. */
        RunParserConfig: {
            /**
             * @description Provider of the service.
             * @enum {string}
             */
            provider?: "service" | "provider_b" | "provider_c";
            /** @description Quality of pages that are sent as JPEG, 1 to 100. */
            jpegQuality?: number;
            /** @description Maximum number of pixels of a page that is sent. */
            maxPixels?: number;
            /** @description Renderings to make. */
            formats?: ("markdown" | "html" | "blocks")[];
        };
        /** @description Search answer. */
        SearchAnswer: {
            /** @description Chunks that were found, best first. */
            hits: components["schemas"]["SearchHit"][];
            /** @description What makes the answer less than complete. */
            warnings: {
                /**
                 * @description Kind of the object or of the failure, for programs.
                 * @enum {string}
                 */
                type: "dense_unavailable" | "index_rebuilding" | "rerank_unavailable" | "metadata_omitted";
                /** @description Explanation for people. */
                message: string;
            }[];
            /** @description Duration of the search in milliseconds. */
            tookMs: number;
        };
        /** @description Search answer envelope. */
        SearchAnswerEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["SearchAnswer"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Search collection request. */
        SearchCollectionRequest: {
            /** @description Question or words to search for. */
            query: string;
            /** @description Maximum number of hits. */
            limit?: number;
            /** @description Number of hits to skip, for the next page of hits. */
            offset?: number;
            /**
             * @description Which vectors are searched.
             * @enum {string}
             */
            mode?: "hybrid" | "dense" | "sparse";
            /** @description How the dense and the sparse list are combined; only with `hybrid`. */
            fusion?: {
                /**
                 * @description Reciprocal rank fusion, or scores scaled to 0..1.
                 * @enum {string}
                 */
                method?: "rrf" | "minmax";
                /** @description Weight of the dense list. */
                denseWeight?: number;
                /** @description Weight of the sparse list. */
                sparseWeight?: number;
            };
            /** @description Condition on documents. */
            filter?: components["schemas"]["DocumentFilter"];
            /** @description Hits with a lower `relevance` are left out. */
            minScore?: number | null;
            /** @description Reranker of the best hits, off by default. In a search, null turns off that of the collection. */
            rerank?: {
                /** @description Name of a model folder in QUIRE_MODEL_DIR, or id of a language model configuration whose server has `/rerank`. */
                model: string;
                /** @description Number of hits that the reranker orders; the others follow. */
                topK?: number;
            } | null;
            /** @description Whether hits name the places of the query terms. */
            highlight?: boolean | null;
            /** @description Whether hits show how their score came about. */
            explain?: boolean | null;
        };
        /** @description Search collections request. */
        SearchCollectionsRequest: {
            /** @description Collections to search; without it, all collections of the workspace that the key may read. */
            collectionIds?: string[];
            /** @description Question or words to search for. */
            query: string;
            /** @description Maximum number of hits. */
            limit?: number;
            /** @description Number of hits to skip, for the next page of hits. */
            offset?: number;
            /**
             * @description Which vectors are searched.
             * @enum {string}
             */
            mode?: "hybrid" | "dense" | "sparse";
            /** @description How the dense and the sparse list are combined; only with `hybrid`. */
            fusion?: {
                /**
                 * @description Reciprocal rank fusion, or scores scaled to 0..1.
                 * @enum {string}
                 */
                method?: "rrf" | "minmax";
                /** @description Weight of the dense list. */
                denseWeight?: number;
                /** @description Weight of the sparse list. */
                sparseWeight?: number;
            };
            /** @description Condition on documents. */
            filter?: components["schemas"]["DocumentFilter"];
            /** @description Hits with a lower `relevance` are left out. */
            minScore?: number | null;
            /** @description Reranker of the best hits, off by default. In a search, null turns off that of the collection. */
            rerank?: {
                /** @description Name of a model folder in QUIRE_MODEL_DIR, or id of a language model configuration whose server has `/rerank`. */
                model: string;
                /** @description Number of hits that the reranker orders; the others follow. */
                topK?: number;
            } | null;
            /** @description Whether hits name the places of the query terms. */
            highlight?: boolean | null;
            /** @description Whether hits show how their score came about. */
            explain?: boolean | null;
        };
        /** @description Search hit. */
        SearchHit: {
            /** @description Document that the chunk belongs to. */
            documentId: string;
            /** @description Name of the document. */
            documentName: string;
            /** @description Collection that the document belongs to. */
            collectionId: string;
            /** @description Identifier of the chunk. */
            chunkId: string;
            /** @description Number of the content; it grows with each replacement. */
            revision: number;
            /** @description Score of the hit, comparable within this answer. */
            score: number;
            /** @description Probability, 0 to 1, that the chunk is about the query; comparable across queries. */
            relevance: number;
            /** @description Text of the object. */
            text: string;
            /** @description The part of the chunk that fits the query best. */
            snippet: string;
            /** @description Places of query terms in `text`, as [start, end) in UTF-16 code units; empty without `highlight`. */
            highlights: number[][];
            /** @description Places of query terms in `documentName`; empty without `highlight`. */
            nameHighlights: number[][];
            /** @description Places of query terms in each of `headings`; empty without `highlight`. */
            headingHighlights: number[][][];
            /** @description Boxes of the lines with highlights, on every page that they touch; empty without `highlight`. */
            highlightBoxes: {
                /** @description Number of the page, from 1. */
                page: number;
                /** @description Box as [x0, y0, x1, y1], 0 to 1 from the top left corner of the page. */
                bbox: number[];
            }[];
            /** @description Formats without pages: ranges of blocks with highlights; the blocks are `id`s in the HTML. */
            highlightBlocks: {
                /** @description Identifier of the block; the HTML rendering has it as `id`. */
                blockId: string;
                /** @description Start of the range in the text of the block; absent for tables. */
                start?: number;
                /** @description End of the range, exclusive. */
                end?: number;
            }[];
            /** @description Headings above the text, outermost first. */
            headings: string[];
            /** @description Boxes of the whole chunk. */
            boxes: {
                /** @description Number of the page, from 1. */
                page: number;
                /** @description Box as [x0, y0, x1, y1], 0 to 1 from the top left corner of the page. */
                bbox: number[];
            }[];
            /** @description Blocks that the text comes from. */
            blockIds: string[];
            /** @description The application's own data, kept as it is; search filters can use it. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description Rank and raw score in each list, the fused score, the likeness, and the outcome of a reranker. */
            explain?: {
                /** @description Place in the dense list; null if the chunk is not in it. */
                dense: {
                    /** @description Rank in the list, from 1. */
                    rank: number;
                    /** @description Score, higher is better. */
                    score: number;
                } | null;
                /** @description Place in the sparse list; null if the chunk is not in it. */
                sparse: {
                    /** @description Rank in the list, from 1. */
                    rank: number;
                    /** @description Score, higher is better. */
                    score: number;
                } | null;
                /** @description Score after the fusion. */
                fused: number;
                /** @description Cosine of query and chunk by the model that ships for German, French and Spanish; only if it counts in `score`. */
                likeness?: number;
                /** @description Place before the reranking, score of the reranker, and duration of the reranking in ms. */
                rerank?: {
                    /** @description Rank in the list, from 1. */
                    rank: number;
                    /** @description Score, higher is better. */
                    score: number;
                    /** @description Duration of the search in milliseconds. */
                    tookMs: number;
                };
            };
        };
        /** @description Send message request. */
        SendMessageRequest: {
            /** @description Question or words to search for. */
            query: string;
            /** @description Whether the answer is streamed. */
            stream?: boolean | null;
        };
        /** @description Sentence support. */
        SentenceSupport: {
            /** @description Index of the text part in the message. */
            part: number;
            /** @description Offset at which the sentence begins, in UTF-16 code units. */
            start: number;
            /** @description Offset behind the sentence, in UTF-16 code units. */
            end: number;
            /** @description Whether a citation supports the sentence or a part of it. */
            supported: boolean;
        };
        /** @description xlsx. Writes one cell and keeps its format. */
        SetCellEditOperation: {
            /**
             * @description Kind of the object or of the failure, for programs.
             * @constant
             */
            type: "setCell";
            /** @description Default: the first sheet. */
            sheet?: string;
            /** @description Address of the cell. */
            cell: string;
            /** @description null empties the cell. */
            value?: string | number | boolean | null;
            /** @description Formula instead of a value, with or without a leading =. */
            formula?: string;
        };
        /** @description pdf. Splits the document into several files; must be the last operation. */
        SplitPagesEditOperation: {
            /**
             * @description Kind of the object or of the failure, for programs.
             * @constant
             */
            type: "splitPages";
            /** @description One output for each. */
            ranges?: string[];
            /** @description Number of pages per output. */
            every?: number;
        };
        /** @description pdf. Writes text on pages; line breaks separate lines. */
        StampTextEditOperation: {
            /**
             * @description Kind of the object or of the failure, for programs.
             * @constant
             */
            type: "stampText";
            /** @description {page} and {pages} are replaced by the page number and the number of pages. */
            text: string;
            /** @description Pages from 1: "2", "1-3,5", "8-" (to the end), "-1" (the last). */
            pages?: string;
            /**
             * @description A named position, or the centre of the text in 0..1 of the page as displayed, from its top left corner.
             * @default bottomCentre
             */
            position: ("topLeft" | "topCentre" | "topRight" | "centre" | "bottomLeft" | "bottomCentre" | "bottomRight") | {
                /** @description Horizontal place, 0 to 1 from the left. */
                x: number;
                /** @description Vertical place, 0 to 1 from the top. */
                y: number;
            };
            /**
             * @description Points.
             * @default 12
             */
            size: number;
            /**
             * @description Colour in hexadecimal.
             * @default #000000
             */
            colour: string;
            /**
             * @description Opacity of the text, 0.01 to 1.
             * @default 1
             */
            opacity: number;
            /**
             * @description Degrees, counter-clockwise.
             * @default 0
             */
            rotation: number;
        };
        /** @description Summary config. */
        SummaryConfig: {
            /**
             * @description Length of the summary.
             * @enum {string}
             */
            length: "short" | "medium" | "long";
            /** @description Instructions to the model, in addition to its task. */
            instructions?: string;
            /** @description ISO 639 code of the language; null or absent if it is not known. */
            language?: string;
            /** @description Model configuration; by default the one of the workspace. */
            modelId?: string;
        };
        /** @description Taxonomy node. */
        TaxonomyNode: {
            /** @description Identifier of the label, unique among its siblings. */
            id: string;
            /** @description Name of the label. */
            label: string;
            /** @description Free text about the record. */
            description?: string;
            /** @description Narrower labels. */
            children?: components["schemas"]["TaxonomyNode"][];
        };
        /** @description Update chat request. */
        UpdateChatRequest: {
            /** @description Title of the chat. */
            title?: string;
            /** @description Model configuration; by default the one of the workspace. */
            modelId?: string;
            /** @description Instructions to the model, in addition to its task. */
            instructions?: string | null;
            /** @description Condition on documents. */
            filter?: components["schemas"]["DocumentFilter"] | null;
            /** @description The application's own data, kept as it is; search filters can use it. At most 64 kB as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** @description Update collection request. */
        UpdateCollectionRequest: {
            /** @description Name for people; it need not be unique. */
            name?: string;
            /** @description Free text about the record. */
            description?: string | null;
            /** @description Reranker of the best hits, off by default. In a search, null turns off that of the collection. */
            rerank?: {
                /** @description Name of a model folder in QUIRE_MODEL_DIR, or id of a language model configuration whose server has `/rerank`. */
                model: string;
                /** @description Number of hits that the reranker orders; the others follow. */
                topK?: number;
            } | null;
            /** @description Parser configuration; by default the one of the workspace. */
            parserId?: string;
            /** @description Configuration of the dense embedder; by default the one of the workspace. */
            embedderId?: string;
            /** @description Configuration of the sparse embedder; by default the one of the workspace. */
            sparseEmbedderId?: string;
            /** @description Size of the chunks that documents are split into. */
            chunking?: {
                /** @description Maximum number of tokens in a chunk. */
                maxTokens?: number;
                /** @description Number of tokens that a chunk repeats from the one before. */
                overlapTokens?: number;
            };
            /** @description The application's own data, kept as it is; search filters can use it. At most 64 kB as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** @description Update connector request. */
        UpdateConnectorRequest: {
            /** @description Name of the connector. */
            name?: string;
            /** @description Changed settings of the source; null removes one. At most 64 kB as JSON. */
            config?: {
                [key: string]: unknown;
            };
            /** @description Cron expression of five fields in UTC; null for manual synchronisations only. */
            schedule?: string | null;
            /** @description Whether the schedule is suspended. */
            paused?: boolean | null;
            /** @description Size in bytes above which files are skipped; null for the limit of the service. */
            maxFileBytes?: number | null;
            /**
             * @description Whether documents of deleted files are deleted (`mirror`) or kept.
             * @enum {string}
             */
            deletions?: "mirror" | "keep";
            /** @description Share of the known files above which deletions wait for an approval, 0 to 1. */
            maxDeletionShare?: number;
            /** @description Globs of source paths that are imported; empty for all. */
            include?: string[];
            /** @description Globs of source paths that are not imported. */
            exclude?: string[];
            /** @description Metadata that documents imported from now on get. At most 64 kB as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** @description Update document request. */
        UpdateDocumentRequest: {
            /** @description New name of the document. */
            name?: string;
            /** @description The application's own data, kept as it is; search filters can use it. At most 64 kB as JSON. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        /** @description Update embedder request. */
        UpdateEmbedderRequest: {
            /** @description Name for people; it need not be unique. */
            name?: string;
            /** @description Settings, as they were sent. */
            config?: {
                /**
                 * @description Provider of the service.
                 * @enum {string}
                 */
                provider?: "bm25" | "local" | "provider_a" | "provider_b";
                /** @description Name of the model, as the provider has it. */
                model?: string | null;
                /** @description The provider's API key; it is stored encrypted and comes back masked. */
                apiKey?: string | null;
                /** @description Base address of the provider's API. */
                baseUrl?: string | null;
                /** @description Length of the vectors. */
                dimensions?: number | null;
                /** @description Sampling temperature, 0 to 2. */
                temperature?: number | null;
                /** @description Maximum number of tokens in an answer. */
                maxOutputTokens?: number | null;
                /** @description Maximum number of calls at the same time. */
                maxConcurrency?: number | null;
                /** @description Maximum number of calls in a minute. */
                requestsPerMinute?: number | null;
                /** @description ISO 639 code of the language; by default it is detected. */
                language?: string | null;
            };
            /** @description Whether new records use this configuration when they name none. */
            isDefault?: boolean | null;
        };
        /** @description Update model request. */
        UpdateModelRequest: {
            /** @description Name for people; it need not be unique. */
            name?: string;
            /** @description Settings, as they were sent. */
            config?: {
                /**
                 * @description Provider of the service.
                 * @enum {string}
                 */
                provider?: "provider_a" | "provider_b" | "local";
                /** @description Name of the model, as the provider has it. */
                model?: string | null;
                /** @description The provider's API key; it is stored encrypted and comes back masked. */
                apiKey?: string | null;
                /** @description Base address of the provider's API. */
                baseUrl?: string | null;
                /** @description Length of the vectors. */
                dimensions?: number | null;
                /** @description Sampling temperature, 0 to 2. */
                temperature?: number | null;
                /** @description Maximum number of tokens in an answer. */
                maxOutputTokens?: number | null;
                /** @description Number of tokens that the model reads at most. */
                contextTokens?: number | null;
                /** @description Maximum number of calls at the same time. */
                maxConcurrency?: number | null;
                /** @description Maximum number of calls in a minute. */
                requestsPerMinute?: number | null;
            };
            /** @description Whether new records use this configuration when they name none. */
            isDefault?: boolean | null;
        };
        /** @description Update parser request. */
        UpdateParserRequest: {
            /** @description Name for people; it need not be unique. */
            name?: string;
            /** @description Settings, as they were sent. */
            config?: {
                /**
                 * @description Provider of the service.
                 * @enum {string}
                 */
                provider?: "service" | "provider_b" | "provider_c";
                /** @description Name of the model, as the provider has it. */
                model?: string | null;
                /** @description The provider's API key; it is stored encrypted and comes back masked. */
                apiKey?: string | null;
                /** @description Base address of the provider's API. */
                baseUrl?: string | null;
                /** @description Length of the vectors. */
                dimensions?: number | null;
                /** @description Sampling temperature, 0 to 2. */
                temperature?: number | null;
                /** @description Maximum number of tokens in an answer. */
                maxOutputTokens?: number | null;
                /** @description Maximum number of calls at the same time. */
                maxConcurrency?: number | null;
                /** @description Maximum number of calls in a minute. */
                requestsPerMinute?: number | null;
                /** @description When text is recognised in pictures. */
                ocr?: ("auto" | "always" | "never") | null;
                /** @description Languages for the recognition of text, as Tesseract names them. */
                languages?: string[] | null;
                /** @description Quality of pages that are sent as JPEG, 1 to 100. */
                jpegQuality?: number | null;
                /** @description Maximum number of pixels of a page that is sent. */
                maxPixels?: number | null;
                /** @description Whether navigation and footers of web pages are left out. */
                removeBoilerplate?: boolean | null;
            };
            /** @description Whether new records use this configuration when they name none. */
            isDefault?: boolean | null;
        };
        /** @description Update webhook request. */
        UpdateWebhookRequest: {
            /** @description Name for people; it need not be unique. */
            name?: string;
            /** @description Address that receives the deliveries; https only. */
            url?: string;
            /** @description Secret that signs the deliveries: base64 after the prefix `whsec_` (Standard Webhooks), or any other text as it is. */
            signingSecret?: string;
            /** @description Events to deliver. */
            events?: ("process.completed" | "document.ready" | "document.failed" | "connector.synced")[];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status?: "active" | "disabled";
        };
        /** @description Update workspace request. */
        UpdateWorkspaceRequest: {
            /** @description Name for people; it need not be unique. */
            name?: string;
            /**
             * @description Who sees a chat: `private` the key that created it, `workspace` every key of the workspace that reaches its collection. Tokens see only the chats of their own key and `sub` in both cases.
             * @enum {string}
             */
            chatSharing?: "private" | "workspace";
        };
        /** @description Webhook. */
        Webhook: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Workspace that the record belongs to. */
            workspaceId: string;
            /** @description Name of the webhook. */
            name: string;
            /** @description Address that receives the deliveries; https only. */
            url: string;
            /** @description Events to deliver. */
            events: ("process.completed" | "document.ready" | "document.failed" | "connector.synced")[];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "active" | "disabled";
            /** @description Why the webhook is disabled; null while it is active. */
            disabledReason: string | null;
            /** @description Last characters of the signing secret. */
            secretHint: string;
            /** @description Time at which the record was created. */
            createdAt: string;
            /** @description Time of the last change. */
            modifiedAt: string;
            /** @description Time of the last attempt; null before the first. */
            lastDeliveryAt: string | null;
            /** @description HTTP status of the latest answer; null without one. */
            lastStatusCode: number | null;
        };
        /** @description Webhook envelope. */
        WebhookEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Webhook"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Webhook list. */
        WebhookList: {
            /** @description Records of this page. */
            items: components["schemas"]["Webhook"][];
            /** @description Value of `cursor` for the next page; null on the last page. */
            cursor: string | null;
            /** @description Maximum number of records in the page. */
            limit: number;
            /** @description Number of records on all pages. */
            total: number;
        };
        /** @description Webhook list envelope. */
        WebhookListEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["WebhookList"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Workspace. */
        Workspace: {
            /** @description Identifier of the record. */
            id: string;
            /** @description Name of the workspace. */
            name: string;
            /**
             * @description Who sees a chat: `private` the key that created it, `workspace` every key of the workspace that reaches its collection. Tokens see only the chats of their own key and `sub` in both cases.
             * @enum {string}
             */
            chatSharing: "private" | "workspace";
            /** @description Time at which the record was created. */
            createdAt: string;
            /** @description Time of the last change. */
            modifiedAt: string;
        };
        /** @description Workspace envelope. */
        WorkspaceEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["Workspace"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
        /** @description Workspace list. */
        WorkspaceList: {
            /** @description Records of this page. */
            items: components["schemas"]["Workspace"][];
            /** @description Value of `cursor` for the next page; null on the last page. */
            cursor: string | null;
            /** @description Maximum number of records in the page. */
            limit: number;
            /** @description Number of records on all pages. */
            total: number;
        };
        /** @description Workspace list envelope. */
        WorkspaceListEnvelope: {
            /** @description The result of the operation. */
            data: components["schemas"]["WorkspaceList"];
            /**
             * @description State of the record.
             * @enum {string}
             */
            status: "ok";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthEnvelope"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadinessEnvelope"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    whoami: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrincipalEnvelope"];
                };
            };
        };
    };
    listWorkspaces: {
        parameters: {
            query?: {
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceListEnvelope"];
                };
            };
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWorkspaceRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceEnvelope"];
                };
            };
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceEnvelope"];
                };
            };
        };
    };
    deleteWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceEnvelope"];
                };
            };
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWorkspaceRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspaceEnvelope"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyListEnvelope"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewKeyEnvelope"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the API key. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyEnvelope"];
                };
            };
        };
    };
    listCollections: {
        parameters: {
            query?: {
                /** @description Whether deleted records are listed as well. */
                includeDeleted?: boolean | null;
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionListEnvelope"];
                };
            };
        };
    };
    createCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCollectionRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionEnvelope"];
                };
            };
        };
    };
    getCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionEnvelope"];
                };
            };
        };
    };
    deleteCollection: {
        parameters: {
            query?: {
                /** @description Whether the record is erased for good; needs `admin`. */
                purge?: boolean | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionEnvelope"];
                };
            };
        };
    };
    updateCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCollectionRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionEnvelope"];
                };
            };
        };
    };
    undeleteCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionEnvelope"];
                };
            };
        };
    };
    reindexCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; the work goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionEnvelope"];
                };
            };
        };
    };
    cancelReindex: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionEnvelope"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: {
                /** @description Whether deleted records are listed as well. */
                includeDeleted?: boolean | null;
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelListEnvelope"];
                };
            };
        };
    };
    createModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateModelRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelEnvelope"];
                };
            };
        };
    };
    getModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the model. */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelEnvelope"];
                };
            };
        };
    };
    deleteModel: {
        parameters: {
            query?: {
                /** @description Whether a configuration in use is deleted and its users are moved to the default. */
                force?: boolean | null;
                /** @description Whether the record is erased for good; needs `admin`. */
                purge?: boolean | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the model. */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelEnvelope"];
                };
            };
        };
    };
    updateModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the model. */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateModelRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelEnvelope"];
                };
            };
        };
    };
    undeleteModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the model. */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelEnvelope"];
                };
            };
        };
    };
    testModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the model. */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigurationTestEnvelope"];
                };
            };
        };
    };
    listEmbedders: {
        parameters: {
            query?: {
                /** @description Whether deleted records are listed as well. */
                includeDeleted?: boolean | null;
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbedderListEnvelope"];
                };
            };
        };
    };
    createEmbedder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEmbedderRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbedderEnvelope"];
                };
            };
        };
    };
    getEmbedder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the embedder. */
                embedder_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbedderEnvelope"];
                };
            };
        };
    };
    deleteEmbedder: {
        parameters: {
            query?: {
                /** @description Whether a configuration in use is deleted and its users are moved to the default. */
                force?: boolean | null;
                /** @description Whether the record is erased for good; needs `admin`. */
                purge?: boolean | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the embedder. */
                embedder_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbedderEnvelope"];
                };
            };
        };
    };
    updateEmbedder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the embedder. */
                embedder_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateEmbedderRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbedderEnvelope"];
                };
            };
        };
    };
    undeleteEmbedder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the embedder. */
                embedder_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmbedderEnvelope"];
                };
            };
        };
    };
    testEmbedder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the embedder. */
                embedder_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigurationTestEnvelope"];
                };
            };
        };
    };
    listParsers: {
        parameters: {
            query?: {
                /** @description Whether deleted records are listed as well. */
                includeDeleted?: boolean | null;
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParserListEnvelope"];
                };
            };
        };
    };
    createParser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateParserRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParserEnvelope"];
                };
            };
        };
    };
    getParser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the parser. */
                parser_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParserEnvelope"];
                };
            };
        };
    };
    deleteParser: {
        parameters: {
            query?: {
                /** @description Whether a configuration in use is deleted and its users are moved to the default. */
                force?: boolean | null;
                /** @description Whether the record is erased for good; needs `admin`. */
                purge?: boolean | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the parser. */
                parser_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParserEnvelope"];
                };
            };
        };
    };
    updateParser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the parser. */
                parser_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateParserRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParserEnvelope"];
                };
            };
        };
    };
    undeleteParser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the parser. */
                parser_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ParserEnvelope"];
                };
            };
        };
    };
    testParser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the parser. */
                parser_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfigurationTestEnvelope"];
                };
            };
        };
    };
    uploadDocumentMultipart: {
        parameters: {
            query?: {
                /** @description What happens if the collection holds the same content already. */
                duplicates?: "allow" | "skip" | "reject";
                /** @description Maximum number of seconds to wait until the document is ready or has failed. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["DocumentForm"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEnvelope"];
                };
            };
            /** @description Accepted; the work goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEnvelope"];
                };
            };
        };
    };
    replaceDocumentMultipart: {
        parameters: {
            query?: {
                /** @description Maximum number of seconds to wait until the document is ready or has failed. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
                /** @description Identifier of the document. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["DocumentForm"];
            };
        };
        responses: {
            /** @description Accepted; the work goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEnvelope"];
                };
            };
        };
    };
    uploadDocumentBinary: {
        parameters: {
            query?: {
                /** @description What happens if the collection holds the same content already. */
                duplicates?: "allow" | "skip" | "reject";
                /** @description Maximum number of seconds to wait until the document is ready or has failed. */
                wait?: number;
            };
            header: {
                /** @description Name of the file (RFC 6266; `filename*` takes precedence over `filename`). */
                "Content-Disposition": string;
            };
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEnvelope"];
                };
            };
            /** @description Accepted; the work goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEnvelope"];
                };
            };
        };
    };
    replaceDocumentBinary: {
        parameters: {
            query?: {
                /** @description Maximum number of seconds to wait until the document is ready or has failed. */
                wait?: number;
            };
            header: {
                /** @description Name of the file (RFC 6266; `filename*` takes precedence over `filename`). */
                "Content-Disposition": string;
            };
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
                /** @description Identifier of the document. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Accepted; the work goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEnvelope"];
                };
            };
        };
    };
    uploadDocumentRaw: {
        parameters: {
            query?: {
                /** @description What happens if the collection holds the same content already. */
                duplicates?: "allow" | "skip" | "reject";
                /** @description Maximum number of seconds to wait until the document is ready or has failed. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RawUpload"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEnvelope"];
                };
            };
            /** @description Accepted; the work goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEnvelope"];
                };
            };
        };
    };
    replaceDocumentRaw: {
        parameters: {
            query?: {
                /** @description Maximum number of seconds to wait until the document is ready or has failed. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
                /** @description Identifier of the document. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RawUpload"];
            };
        };
        responses: {
            /** @description Accepted; the work goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEnvelope"];
                };
            };
        };
    };
    listDocuments: {
        parameters: {
            query?: {
                /** @description State of the record. */
                status?: "indexing" | "ready" | "failed" | "deleted";
                /** @description Type of the error: lists only failed documents with this `error.type`. */
                errorType?: "no_text" | "corrupt" | "encrypted" | "unsupported" | "too_large" | "timeout" | "parser_crashed" | "provider_error" | "no_readable_member" | "storage_full" | "quota_exceeded" | "internal";
                /** @description Type of a warning: lists only documents with such a warning. */
                warning?: "ocr_language_missing" | "low_confidence" | "pages_without_text" | "truncated" | "simplified";
                /** @description Name for people; it need not be unique. */
                name?: string;
                /** @description Archive that the document came from. */
                parentId?: string;
                /** @description Order by time of creation. */
                order?: "asc" | "desc";
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentListEnvelope"];
                };
            };
        };
    };
    getDocument: {
        parameters: {
            query?: {
                /** @description Parts of the document to add to the answer. */
                include?: ("blocks" | "chunks" | "vectors")[];
                /** @description Maximum number of seconds to wait until the document is ready or has failed. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
                /** @description Identifier of the document. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentDetailEnvelope"];
                };
            };
        };
    };
    deleteDocument: {
        parameters: {
            query?: {
                /** @description Whether the record is erased for good; needs `admin`. */
                purge?: boolean | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
                /** @description Identifier of the document. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEnvelope"];
                };
            };
        };
    };
    updateDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
                /** @description Identifier of the document. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDocumentRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEnvelope"];
                };
            };
        };
    };
    retryDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
                /** @description Identifier of the document. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; the work goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEnvelope"];
                };
            };
        };
    };
    retryDocuments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetryDocumentsRequest"];
            };
        };
        responses: {
            /** @description Accepted; the work goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryResultEnvelope"];
                };
            };
        };
    };
    undeleteDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
                /** @description Identifier of the document. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentEnvelope"];
                };
            };
        };
    };
    deleteDocuments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteDocumentsRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionResultEnvelope"];
                };
            };
        };
    };
    listChunks: {
        parameters: {
            query?: {
                /** @description Parts of the document to add to the answer. */
                include?: "vectors"[];
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
                /** @description Identifier of the document. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChunkListEnvelope"];
                };
            };
        };
    };
    getChunk: {
        parameters: {
            query?: {
                /** @description Parts of the document to add to the answer. */
                include?: "vectors"[];
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
                /** @description Identifier of the document. */
                doc_id: string;
                /** @description Identifier of the chunk. */
                chunk_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChunkEnvelope"];
                };
            };
        };
    };
    getDocumentOriginal: {
        parameters: {
            query?: {
                /** @description Time at which a signed link expires, in Unix seconds. */
                expires?: string;
                /** @description Signature of a signed link; it replaces the key. */
                signature?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
                /** @description Identifier of the document. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "application/pdf": string;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
                    "application/msword": string;
                    "application/vnd.oasis.opendocument.text": string;
                    "application/rtf": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "application/vnd.ms-excel": string;
                    "application/vnd.oasis.opendocument.spreadsheet": string;
                    "application/vnd.openxmlformats-officedocument.presentationml.presentation": string;
                    "application/vnd.ms-powerpoint": string;
                    "application/vnd.oasis.opendocument.presentation": string;
                    "application/epub+zip": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/apng": string;
                    "image/webp": string;
                    "image/tiff": string;
                    "image/bmp": string;
                    "image/svg+xml": string;
                    "image/avif": string;
                    "image/gif": string;
                    "image/x-icon": string;
                    "text/plain": string;
                    "text/markdown": string;
                    "text/html": string;
                    "text/csv": string;
                    "application/json": string;
                    "application/zip": string;
                };
            };
            /** @description The requested range of the content */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "application/pdf": string;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
                    "application/msword": string;
                    "application/vnd.oasis.opendocument.text": string;
                    "application/rtf": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "application/vnd.ms-excel": string;
                    "application/vnd.oasis.opendocument.spreadsheet": string;
                    "application/vnd.openxmlformats-officedocument.presentationml.presentation": string;
                    "application/vnd.ms-powerpoint": string;
                    "application/vnd.oasis.opendocument.presentation": string;
                    "application/epub+zip": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/apng": string;
                    "image/webp": string;
                    "image/tiff": string;
                    "image/bmp": string;
                    "image/svg+xml": string;
                    "image/avif": string;
                    "image/gif": string;
                    "image/x-icon": string;
                    "text/plain": string;
                    "text/markdown": string;
                    "text/html": string;
                    "text/csv": string;
                    "application/json": string;
                    "application/zip": string;
                };
            };
        };
    };
    getDocumentMarkdown: {
        parameters: {
            query?: {
                /** @description Time at which a signed link expires, in Unix seconds. */
                expires?: string;
                /** @description Signature of a signed link; it replaces the key. */
                signature?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
                /** @description Identifier of the document. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                };
            };
            /** @description The requested range of the content */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                };
            };
        };
    };
    getDocumentHtml: {
        parameters: {
            query?: {
                /** @description Time at which a signed link expires, in Unix seconds. */
                expires?: string;
                /** @description Signature of a signed link; it replaces the key. */
                signature?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
                /** @description Identifier of the document. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The requested range of the content */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    getDocumentThumbnail: {
        parameters: {
            query?: {
                /** @description Time at which a signed link expires, in Unix seconds. */
                expires?: string;
                /** @description Signature of a signed link; it replaces the key. */
                signature?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
                /** @description Identifier of the document. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** @description The requested range of the content */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
        };
    };
    createDocumentLinks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
                /** @description Identifier of the document. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateDocumentLinksRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentLinksEnvelope"];
                };
            };
        };
    };
    listPages: {
        parameters: {
            query?: {
                /** @description Time at which a signed link expires, in Unix seconds. */
                expires?: string;
                /** @description Signature of a signed link; it replaces the key. */
                signature?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
                /** @description Identifier of the document. */
                doc_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPagesEnvelope"];
                };
            };
        };
    };
    getPage: {
        parameters: {
            query?: {
                /** @description Width of the whole page in pixels; a crop is cut out of it. Images are not enlarged. */
                width?: number;
                /** @description Box `x0,y0,x1,y1` in 0 to 1 from the top left corner of the page, as in `boxes` of citations; may be repeated. */
                box?: string[];
                /** @description Whether to mark the boxes on the whole page; otherwise the picture is cropped to their area. */
                mark?: boolean;
                /** @description Time at which a signed link expires, in Unix seconds. */
                expires?: string;
                /** @description Signature of a signed link; it replaces the key. */
                signature?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
                /** @description Identifier of the document. */
                doc_id: string;
                /** @description Number of the page, from 1. */
                page: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** @description The requested range of the content */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
        };
    };
    listRunPages: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the run. */
                run_id: string;
                /** @description Number of the file, from 1, in the order of `outcome.files`; while there is no outcome, of `files`. */
                file: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListRunPagesEnvelope"];
                };
            };
        };
    };
    getRunPage: {
        parameters: {
            query?: {
                /** @description Width of the whole page in pixels; a crop is cut out of it. Images are not enlarged. */
                width?: number;
                /** @description Box `x0,y0,x1,y1` in 0 to 1 from the top left corner of the page, as in `boxes` of citations; may be repeated. */
                box?: string[];
                /** @description Whether to mark the boxes on the whole page; otherwise the picture is cropped to their area. */
                mark?: boolean;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the run. */
                run_id: string;
                /** @description Number of the file, from 1, in the order of `outcome.files`; while there is no outcome, of `files`. */
                file: number;
                /** @description Number of the page, from 1. */
                page: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** @description The requested range of the content */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
        };
    };
    searchCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the collection. */
                col: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchCollectionRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchAnswerEnvelope"];
                };
            };
        };
    };
    searchCollections: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchCollectionsRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchAnswerEnvelope"];
                };
            };
        };
    };
    listChats: {
        parameters: {
            query?: {
                /** @description Collection that the chat is about. */
                collection_id?: string;
                /** @description Whether deleted records are listed as well. */
                includeDeleted?: boolean | null;
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatListEnvelope"];
                };
            };
        };
    };
    createChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateChatRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatEnvelope"];
                };
            };
        };
    };
    getChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the chat. */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatEnvelope"];
                };
            };
        };
    };
    deleteChat: {
        parameters: {
            query?: {
                /** @description Whether the record is erased for good; needs `admin`. */
                purge?: boolean | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the chat. */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatEnvelope"];
                };
            };
        };
    };
    updateChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the chat. */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateChatRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatEnvelope"];
                };
            };
        };
    };
    undeleteChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the chat. */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatEnvelope"];
                };
            };
        };
    };
    getChatHistory: {
        parameters: {
            query?: {
                /** @description Order by time of creation. */
                order?: "asc" | "desc";
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the chat. */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageListEnvelope"];
                };
            };
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the chat. */
                chat_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendMessageRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["DiffcpLine"];
                    "application/json": components["schemas"]["ConversationEnvelope"];
                };
            };
        };
    };
    resumeMessage: {
        parameters: {
            query?: {
                /** @description Number of the last line that the client has; -1 for none. */
                after?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the chat. */
                chat_id: string;
                /** @description Identifier of the message. */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["DiffcpLine"];
                };
            };
        };
    };
    stopMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the chat. */
                chat_id: string;
                /** @description Identifier of the message. */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageEnvelope"];
                };
            };
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description State of the record. */
                status?: "idle" | "queued" | "running" | "done" | "failed";
                /** @description Order by time of creation. */
                order?: "asc" | "desc";
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunListEnvelope"];
                };
            };
        };
    };
    createRun: {
        parameters: {
            query?: {
                /** @description Maximum number of seconds to wait for the end of the run. */
                wait?: number;
                /** @description Key that makes a repeated request return the same run; also the header `Idempotency-Key`. */
                idempotency_key?: string;
                /** @description Whether files follow one by one and processing begins with `submit`. */
                staged?: boolean;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": components["schemas"]["RunForm"];
                "application/json": components["schemas"]["RunBlocks"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunEnvelope"];
                };
            };
            /** @description Accepted; the work goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunEnvelope"];
                };
            };
        };
    };
    getRun: {
        parameters: {
            query?: {
                /** @description Maximum number of seconds to wait for the end of the run. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunEnvelope"];
                };
            };
            /** @description Accepted; the work goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunEnvelope"];
                };
            };
        };
    };
    deleteRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunEnvelope"];
                };
            };
        };
    };
    addRunFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Name of the file (RFC 6266; `filename*` takes precedence over `filename`). */
                "Content-Disposition"?: string;
            };
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["FileForm"];
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunFileEnvelope"];
                };
            };
        };
    };
    submitRun: {
        parameters: {
            query?: {
                /** @description Maximum number of seconds to wait for the end of the run. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunEnvelope"];
                };
            };
            /** @description Accepted; the work goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunEnvelope"];
                };
            };
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the run. */
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunEnvelope"];
                };
            };
        };
    };
    getRunOutput: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the run. */
                run_id: string;
                /** @description Path of the output, as `outputs` lists it. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "application/pdf": string;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
                    "application/msword": string;
                    "application/vnd.oasis.opendocument.text": string;
                    "application/rtf": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "application/vnd.ms-excel": string;
                    "application/vnd.oasis.opendocument.spreadsheet": string;
                    "application/vnd.openxmlformats-officedocument.presentationml.presentation": string;
                    "application/vnd.ms-powerpoint": string;
                    "application/vnd.oasis.opendocument.presentation": string;
                    "application/epub+zip": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/apng": string;
                    "image/webp": string;
                    "image/tiff": string;
                    "image/bmp": string;
                    "image/svg+xml": string;
                    "image/avif": string;
                    "image/gif": string;
                    "image/x-icon": string;
                    "text/plain": string;
                    "text/markdown": string;
                    "text/html": string;
                    "text/csv": string;
                    "application/json": string;
                    "application/zip": string;
                };
            };
            /** @description The requested range of the content */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                    "application/pdf": string;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
                    "application/msword": string;
                    "application/vnd.oasis.opendocument.text": string;
                    "application/rtf": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "application/vnd.ms-excel": string;
                    "application/vnd.oasis.opendocument.spreadsheet": string;
                    "application/vnd.openxmlformats-officedocument.presentationml.presentation": string;
                    "application/vnd.ms-powerpoint": string;
                    "application/vnd.oasis.opendocument.presentation": string;
                    "application/epub+zip": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/apng": string;
                    "image/webp": string;
                    "image/tiff": string;
                    "image/bmp": string;
                    "image/svg+xml": string;
                    "image/avif": string;
                    "image/gif": string;
                    "image/x-icon": string;
                    "text/plain": string;
                    "text/markdown": string;
                    "text/html": string;
                    "text/csv": string;
                    "application/json": string;
                    "application/zip": string;
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookListEnvelope"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEnvelope"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEnvelope"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEnvelope"];
                };
            };
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEnvelope"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryEnvelope"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description State of the record. */
                status?: "pending" | "delivered" | "failed" | "cancelled";
                /** @description Event of the delivery. */
                event?: "process.completed" | "document.ready" | "document.failed" | "connector.synced" | "webhook.test";
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the webhook. */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryListEnvelope"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description State of the record. */
                status?: "pending" | "delivered" | "failed" | "cancelled";
                /** @description Event of the delivery. */
                event?: "process.completed" | "document.ready" | "document.failed" | "connector.synced" | "webhook.test";
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryListEnvelope"];
                };
            };
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; the work goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryEnvelope"];
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDetailEnvelope"];
                };
            };
        };
    };
    redeliverFailed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RedeliverFailedRequest"];
            };
        };
        responses: {
            /** @description Accepted; the work goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliveryResultEnvelope"];
                };
            };
        };
    };
    followEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description Operation of the API, by its operation id. */
                action?: string;
                /** @description Kind of the record that the operation concerned. */
                resourceType?: string;
                /** @description Identifier of the record; null for a refused creation. */
                resourceId?: string;
                /** @description Only entries of this key. */
                keyId?: string;
                /** @description Only entries with this outcome. */
                outcome?: "done" | "refused";
                /** @description Only entries from this time on. */
                since?: string;
                /** @description Only entries before this time. */
                until?: string;
                /** @description Order by time of creation. */
                order?: "asc" | "desc";
                /** @description `jsonl` streams all matching entries as lines of JSON. */
                format?: "json" | "jsonl";
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryListEnvelope"];
                };
            };
        };
    };
    listConnectors: {
        parameters: {
            query?: {
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorListEnvelope"];
                };
            };
        };
    };
    createConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateConnectorRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorEnvelope"];
                };
            };
        };
    };
    getConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the connector. */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorEnvelope"];
                };
            };
        };
    };
    deleteConnector: {
        parameters: {
            query?: {
                /** @description Whether the imported documents stay (`keep`, the default) or are deleted. */
                documents?: "keep" | "delete";
                /** @description Whether the record is erased for good; needs `admin`. */
                purge?: boolean | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the connector. */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorEnvelope"];
                };
            };
        };
    };
    updateConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the connector. */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateConnectorRequest"];
            };
        };
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorEnvelope"];
                };
            };
        };
    };
    undeleteConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the connector. */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorEnvelope"];
                };
            };
        };
    };
    testConnector: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the connector. */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorTestEnvelope"];
                };
            };
        };
    };
    listConnectorItems: {
        parameters: {
            query?: {
                /** @description State of the record. */
                status?: "synced" | "failed" | "skipped" | "deleted";
                /** @description Path of the output, for `GET …/outputs/{path}`. */
                path?: string;
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the connector. */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorItemListEnvelope"];
                };
            };
        };
    };
    startSync: {
        parameters: {
            query?: {
                /** @description Whether nothing is changed and the record lists what would be. */
                dryRun?: boolean | null;
                /** @description Whether stored versions are ignored, so that every file is fetched. */
                full?: boolean | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the connector. */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; the work goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorSyncEnvelope"];
                };
            };
        };
    };
    listSyncs: {
        parameters: {
            query?: {
                /** @description Maximum number of records in the page. */
                limit?: number;
                /** @description Value of `cursor` for the next page; null on the last page. */
                cursor?: string | null;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the connector. */
                connector_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorSyncListEnvelope"];
                };
            };
        };
    };
    getSync: {
        parameters: {
            query?: {
                /** @description Maximum number of seconds to wait. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the connector. */
                connector_id: string;
                /** @description Identifier of the synchronisation. */
                sync_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorSyncEnvelope"];
                };
            };
        };
    };
    cancelSync: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the connector. */
                connector_id: string;
                /** @description Identifier of the synchronisation. */
                sync_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorSyncEnvelope"];
                };
            };
        };
    };
    approveSync: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the workspace. */
                ws: string;
                /** @description Identifier of the connector. */
                connector_id: string;
                /** @description Identifier of the synchronisation. */
                sync_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted; the work goes on */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectorSyncEnvelope"];
                };
            };
        };
    };
}
