#!/usr/bin/env bash
# Validates SARIF files with Microsoft's SARIF Multitool, rule kinds Sarif and
# Ghas, in one call. Fails on every error and warning, on every note that is not
# allowed below, and if a file is not looked at. Linux only; needs npm when the
# tool is not in the cache yet.
#
#   scripts/sarif-multitool.sh FILE...
set -euo pipefail

version=5.7.0
# Notes that stay: texts without message ids (2002), no version control
# provenance (2003), addresses that can't be fetched offline (2006), rule ids
# that are no letters and digits (2009), no code snippets (2010, 2011).
allowed="SARIF2002 SARIF2003 SARIF2006 SARIF2009 SARIF2010 SARIF2011"

if [ $# -eq 0 ]; then
  echo "usage: $0 FILE..." >&2
  exit 2
fi

cache=${XDG_CACHE_HOME:-$HOME/.cache}/sealmark-ci/sarif-multitool-$version
# The program itself: the npm wrapper passes its arguments through a shell,
# which cuts them at the semicolon.
tool=$cache/node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool
if [ ! -x "$tool" ]; then
  mkdir -p "$cache"
  npm install --prefix "$cache" --no-audit --no-fund --save-exact "@microsoft/sarif-multitool@$version" >&2
  chmod +x "$tool"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The exit status says nothing: it is 0 for errors and for broken JSON.
"$tool" validate "$@" --rule-kind 'Sarif;Ghas' --level 'Error;Warning;Note' \
  --output "$work/report.sarif" --log ForceOverwrite >"$work/log" 2>&1 || true
if ! grep -qx "Done. $# files scanned." "$work/log" || [ ! -f "$work/report.sarif" ]; then
  echo "the validator did not read $# files to their end:" >&2
  grep -v ': note ' "$work/log" | tail -n 20 >&2 || true
  exit 1
fi
FILES=$# ALLOWED=$allowed node - "$work/report.sarif" <<'JS'
const fs = require("fs");
const report = JSON.parse(fs.readFileSync(process.argv[2], "utf8").replace(/^\uFEFF/, ""));
const allowed = process.env.ALLOWED.split(" ");
let bad = 0;
const say = (text) => { bad++; console.error(text); };
const seen = new Set();
if (!report.runs || report.runs.length === 0) say("the validator reports no run");
for (const run of report.runs || []) {
  for (const r of run.results || []) {
    const place = ((r.locations || [])[0] || {}).physicalLocation || {};
    const file = (place.artifactLocation || {}).uri || "?";
    seen.add(file);
    const level = r.level || "warning"; // SARIF 2.1.0, 3.27.10: the default
    if (level === "note" && allowed.includes(r.ruleId)) continue;
    say(`${file}: line ${(place.region || {}).startLine || "?"}: ${level} ${r.ruleId}: ${JSON.stringify(r.message)}`);
  }
  for (const i of run.invocations || []) {
    if (i.executionSuccessful !== true) say("the validator did not finish: " + JSON.stringify(i));
  }
}
// Each of our files has notes that are allowed: without one it was not read.
if (seen.size !== Number(process.env.FILES)) say(`the validator says something of ${seen.size} files of ${process.env.FILES}`);
if (bad > 0) process.exit(1);
console.log(`${seen.size} SARIF files: no errors, no warnings`);
JS
