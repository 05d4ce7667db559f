// The comparison in a page: runs it in workers, and offers what it wrote.
"use strict";

const $ = (id) => document.getElementById(id);

// The smallest step of this page's clock, in µs.
function clockStep_us() {
  let least = Infinity;
  for (let i = 0; i < 50; ++i) {
    const begin = performance.now();
    let end = begin;
    while (end === begin) end = performance.now();
    least = Math.min(least, end - begin);
  }
  return Math.round(least * 1000);
}

function offer(name, bytes, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], {type}));
  link.textContent = name;
  if (type !== "text/html") link.download = name;
  else link.target = "_blank";
  $("results").append(link);
}

async function listStrategies() {
  let text = "";
  await runProgram(["--list", "strategies", "--json"], {onLine: (line) => { text += line + "\n"; }});
  for (const [name, chosen] of [["a", "heap"], ["b", "free_list"]]) {
    const select = document.forms.form.elements[name];
    for (const row of JSON.parse(text)) select.add(new Option(row.title || row.name, row.name, false, row.name === chosen));
  }
}

async function compare(event) {
  event.preventDefault();
  $("go").disabled = true;
  $("results").textContent = $("verdict").textContent = "";
  const form = new FormData(document.forms.form);
  const arm = (name) => form.get(name) + (form.get(name + "_allocator") === "dlmalloc" ? "" : "+" + form.get(name + "_allocator"));
  const [scene, preset] = form.get("load").split(" ");
  const options = ["--a", arm("a"), "--b", arm("b"), "--scene", scene, "--preset", preset, "--quads", form.get("quads"), "--steps", form.get("steps")];
  const last = [];
  const onLine = (line) => {
    const progress = /^progress ([0-9.]+) (.*)$/.exec(line);
    if (!progress) return last.push(line);
    $("progress").value = Number(progress[1]);
    $("what").textContent = progress[2];
  };
  try {
    const {code, files} = await runComparison(options, onLine);
    const report = code === 0 ? await runProgram(["report", "/compare", "--out", "/report"], {files, folders: ["/report"]}) : {files: {}};
    for (const [path, bytes] of Object.entries(files)) if (/\/(run.*\.json|frames.*\.csv)$/.test(path)) offer(path.split("/").at(-1), bytes, "application/octet-stream");
    for (const [path, bytes] of Object.entries(report.files)) if (path.endsWith(".html")) offer("report", bytes, "text/html");
    const run = Object.keys(files).find((path) => /\/run[^/]*\.json$/.test(path));
    window.comparison = {code, run: run ? JSON.parse(new TextDecoder().decode(files[run])) : null, report: Object.keys(report.files)};
    $("verdict").textContent = (code === 0 ? last.at(-1) : last.filter((line) => line.startsWith("spellpool: ")).at(-1)) || "exit code " + code;
  } catch (error) {
    $("verdict").textContent = String(error.message || error);
  }
  $("go").disabled = false;
}

$("form").addEventListener("submit", compare);
$("go").disabled = true;
listStrategies().then(() => {
  $("go").disabled = false;
  const step_us = clockStep_us(), isolated = globalThis.crossOriginIsolated;
  $("conditions").textContent = `${isolated ? "This page is isolated" : "This page is not isolated"}: its clock has steps of ` +
    `${step_us} µs${step_us > 1 ? ", too coarse for single steps, so whole blocks are timed" : ""}. ${navigator.userAgent}`;
  document.documentElement.dataset.state = "ready";
}).catch((error) => { $("verdict").textContent = error.message + ": reload the page"; });
