#!/bin/sh
# Pins the images that Dockerfile and compose.yaml name: name:version becomes name:version@sha256:…, the digest that its registry has
# now. For a release, or before a deployment; run it again for new digests. Nothing is written unless every registry has answered.
# Needs docker with buildx.
#   sh infra/pin-digests.sh [folder of the two files]
set -eu
cd "${1:-$(dirname "$0")/..}"

images=$(sed -nE 's/^( *image:|FROM) +([^ @]+:v?[0-9][^ @]*).*$/\2/p' Dockerfile compose.yaml | sort -u)
edits=''
for image in $images; do
  digest=$(docker buildx imagetools inspect "$image" | sed -nE 's/^Digest: *(sha256:[0-9a-f]{64})$/\1/p')
  if [ -z "$digest" ]; then
    echo "$image: its registry named no digest; nothing was changed" >&2
    exit 1
  fi
  echo "$image@$digest"
  name=$(printf '%s' "$image" | sed 's/[.]/\\./g')
  edits="$edits
s#^( *image:|FROM)( +$name)(@sha256:[0-9a-f]{64})?( .*)?\$#\\1\\2@$digest\\4#"
done
for file in Dockerfile compose.yaml; do
  sed -E "$edits" "$file" > "$file.pinned"
  mv "$file.pinned" "$file"
done
