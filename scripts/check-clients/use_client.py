"""Uses the generated client: uploads, searches, chats and runs. Raises if an answer is not the expected one."""

import os
from io import BytesIO

import httpx

from client import AuthenticatedClient
from client.api.chat import create_chat, send_message
from client.api.collections import create_collection
from client.api.documents import get_document, upload_document_multipart
from client.api.keys import whoami
from client.api.process import create_run, get_run, get_run_output
from client.api.search import search_collection
from client.models import (
    CreateChatRequest,
    CreateCollectionRequest,
    DocumentFilter,
    DocumentForm,
    DocumentFormMetadata,
    FilterCondition,
    RunForm,
    RunParserConfig,
    RunParserConfigFormatsItem,
    SearchCollectionRequest,
    SendMessageRequest,
)
from client.types import File

TEXT = b"# Lock\n\nThe lock gate opens at nine.\n"
QUERY = "When does the gate open?"

client = AuthenticatedClient(
    base_url=os.environ["QUIRE_URL"],
    token=os.environ["QUIRE_KEY"],
    timeout=httpx.Timeout(90),
    raise_on_unexpected_status=True,
)


def file() -> File:
    return File(payload=BytesIO(TEXT), file_name="lock.md", mime_type="text/markdown")


workspace = whoami.sync(client=client).data.workspace_id
col = create_collection.sync(workspace, client=client, body=CreateCollectionRequest(name="Python")).data.id

form = DocumentForm(file=file(), name="gate.md", metadata=DocumentFormMetadata.from_dict({"year": 2026}))
document = upload_document_multipart.sync(workspace, col, client=client, body=form).data
while document.status == "indexing":
    document = get_document.sync(workspace, col, document.id, client=client, wait=30).data
assert document.status == "ready", document
assert document.name == "gate.md", document.name
assert document.metadata.to_dict() == {"year": 2026}, document.metadata

only_recent = DocumentFilter()
only_recent["metadata.year"] = FilterCondition(gte=2026)
wanted = SearchCollectionRequest(query=QUERY, limit=3, filter_=only_recent)
hits = search_collection.sync(workspace, col, client=client, body=wanted).data.hits
assert hits[0].document_id == document.id, hits

chat = create_chat.sync(workspace, client=client, body=CreateChatRequest(collection_id=col)).data
asked = SendMessageRequest(query=QUERY, stream=False)
message = send_message.sync(workspace, chat.id, client=client, body=asked).data.messages[1]
assert message.status == "done", message
assert "opens at nine" in message.citations[0].snippet, message.citations

body = RunForm(files=[file()], parser_config=RunParserConfig(formats=[RunParserConfigFormatsItem.MARKDOWN]))
run = create_run.sync(workspace, client=client, body=body)
assert hasattr(run, "data"), (run, body.to_multipart())
run = run.data
while run.status in ("queued", "running"):
    run = get_run.sync(workspace, run.id, client=client, wait=30).data
assert run.status == "done", run
outcome = run.outcome.files[0]
assert outcome.name == "lock.md", outcome
output = get_run_output.sync_detailed(workspace, run.id, outcome.parse.markdown.path, client=client)
assert output.content.startswith(b"# Lock"), output
