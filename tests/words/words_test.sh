#!/usr/bin/env bash
# words_test.sh SOURCE_FOLDER
# Names, comments, docs and panel texts use the field's terms. Each row below is a private word as a regular expression (whole words,
# any case) and the term to write instead. A line that needs such a word stands in allowed.txt beside this file: path, tab, a part of the
# line. The test also plants a word in a copy and expects to find it.
set -euo pipefail
root=$1
here=$root/tests/words

rows() {
  cat <<'ROWS'
[a-z_]*desks?_?	controller
[a-z_]*(shelf|shelves)_?	index, library
[a-z_]*herds?_?	pooled objects
crew_?	thread pool, workers
thief|thieves|thefts?	the voice that steals, stealing
hurry|hurried|hurries	accelerated aging
(gives?|giving|gave) way	victim, is stolen
likewise	a sentence that says it
kin	related, of one type
straw man	a fair opponent
whoever|somebody|nobody|anybody	it, the thing's name; a player is "they"
comes round|come round	wraps around
obeys?	apply
wish|wishes|wished	request
the processor paints|by the processor	CPU renderer, on the CPU
plays by itself	demo mode
sees nobody	headless
[a-z_]*(tenan(t|ts|cy)|farewells?|bury|buried|buries)[a-z_]*	the object in a slot, a callback, retire
ROWS
}

# files FOLDER: what people read.
files() {
  (cd "$1" && find README.md CONTRIBUTING.md docs src shaders cmake examples -type f \
    \( -name '*.md' -o -name '*.hpp' -o -name '*.cpp' -o -name '*.vert' -o -name '*.frag' -o -name '*.glsl' -o -name '*.cmake' \) | sort)
}

# hits FOLDER: path:number:line	term, for each line with such a word that is not allowed.
hits() {
  local folder=$1 pattern term list
  list=$(files "$folder")
  while IFS=$'\t' read -r pattern term; do
    (cd "$folder" && xargs -d '\n' grep -nHiwE -- "$pattern" <<<"$list" || true) | while IFS= read -r line; do
      allowed "$line" || printf '%s\n    write: %s\n' "$line" "$term"
    done
  done < <(rows)
}
allowed() {
  local path part
  while IFS=$'\t' read -r path part; do
    [[ -z $path || $path == \#* ]] && continue
    [[ $1 == "$path":* && $1 == *"$part"* ]] && return 0
  done <"$here/allowed.txt"
  return 1
}

found=$(hits "$root")
if [[ -n $found ]]; then
  echo "Private words; write the term, or add the line to tests/words/allowed.txt if the word is the right one:" >&2
  echo "$found" >&2
  exit 1
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch"/{docs,src,shaders,cmake,examples}
echo "The slots." | tee "$scratch"/{README,CONTRIBUTING}.md >/dev/null
[[ -z $(hits "$scratch") ]] || { echo "words_test: finds words where there are none" >&2; exit 1; }
echo "class VoiceDesk;  // Somebody gives way." >"$scratch/src/voice.hpp"
(($(hits "$scratch" | grep -c 'src/voice.hpp') == 3)) || { echo "words_test: does not find planted words" >&2; exit 1; }
