// Starts the program in workers. A block of a comparison gets a worker of its own, as it gets a process of its own elsewhere.
"use strict";

// The program is linked once with each allocator. web/build adds a version to the names of those that the browser does not keep.
const kPrograms = {dlmalloc: "spellpool", emmalloc: "spellpool_emmalloc", mimalloc: "spellpool_mimalloc"};

async function fetchBytes(name) {
  const response = await fetch(name);
  const newer = response.status === 404 ? ". If it has a newer version of the game, load the page again" : "";
  if (!response.ok) throw new Error(name + ": the server answers " + response.status + newer);
  return response.arrayBuffer();
}

const modules = {};
const compileProgram = (name) => modules[name] ||= fetchBytes(name + ".wasm").then((bytes) => WebAssembly.compile(bytes));
const archive = fetchBytes("spellpool.tar").then((bytes) => new Uint8Array(bytes));

// {code, files, waits, wanted}, as program_worker.js says; `onLine` gets each line that the program prints.
async function runProgram(options, {files, folders, blocks, onLine, allocator = "dlmalloc"} = {}) {
  const name = kPrograms[allocator];
  const message = {script: name + ".js", module: await compileProgram(name), archive: await archive, options, files, folders, blocks};
  return new Promise((resolve, reject) => {
    const worker = new Worker("program_worker.js");
    worker.onmessage = ({data}) => {
      if ("line" in data) return onLine && onLine(data.line);
      worker.terminate();
      if ("failed" in data) reject(new Error(data.failed));
      else resolve(data);
    };
    worker.onerror = (event) => {
      worker.terminate();
      reject(new Error(event.message || "the worker could not be started"));
    };
    worker.postMessage(message);
  });
}

// ["env", "LD_PRELOAD=mimalloc", program, …] is how an allocator is chosen elsewhere.
function allocatorOf(words) {
  return words[0] === "env" ? [words[1].replace("LD_PRELOAD=", ""), words.slice(2)] : ["dlmalloc", words];
}

// What a block leaves: its exit code, and the files named by these options.
async function runBlock(wanted, onLine) {
  const [allocator, words] = allocatorOf(wanted), outputs = ["--frames", "--report", "--hash-out"].map((name) => words.indexOf(name)).filter((at) => at > 0).map((at) => words[at + 1]);
  const folders = [...new Set(outputs.map((path) => path.slice(0, path.lastIndexOf("/"))))];
  const marks = Object.fromEntries(folders.map((folder) => [folder + "/.here", new Uint8Array()]));
  const block = await runProgram(words.slice(1), {files: marks, folders, onLine, allocator});
  return {code: block.code, files: Object.fromEntries(outputs.map((path) => [path, block.files[path]]).filter(([, bytes]) => bytes))};
}

// `spellpool compare` with these options, block by block. Returns {code, files}: its folder is /compare.
async function runComparison(options, onLine) {
  const command = ["compare", "--progress", "--sim-only", ...options, "--out", "/compare"];
  const blocks = {};
  let files = {};
  // A run that waits for blocks ends as if it were interrupted; its last lines say that. The last run goes through all blocks again.
  let shown = 0;
  const onProgress = (line) => {
    const [word, share] = line.split(" ");
    if (word !== "progress" || line.endsWith(" interrupted") || Number(share) < shown) return;
    shown = Number(share);
    onLine(line);
  };
  for (;;) {
    const lines = [];
    const begun = Object.keys(files).some((path) => path.endsWith("/plan.json"));
    const run = await runProgram(begun ? ["compare", "--progress", "--resume", "/compare"] : command, {files: begun ? files : {}, folders: ["/compare"], blocks,
      onLine: (line) => { lines.push(line); onProgress(line); }});
    files = run.files;
    if (!run.waits) {
      lines.forEach(onLine);
      return {code: run.code, files};
    }
    const begin = performance.now();
    for (const [i, words] of run.wanted.entries()) {
      if (i > 0) {
        const left_s = (performance.now() - begin) / 1000 / i * (run.wanted.length - i);
        onProgress(`progress ${(i / run.wanted.length).toFixed(4)} block ${i + 1} of ${run.wanted.length} · about ${Math.ceil(left_s)} s left`);
      }
      const block = await runBlock(words, onLine);
      blocks[JSON.stringify(words)] = block;
      if (block.code !== 0) break;
    }
  }
}
