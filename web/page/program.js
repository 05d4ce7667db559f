// Starts the program in workers. A block of a comparison gets a worker of its own, as it gets a process of its own elsewhere.
"use strict";

const program = (async () => {
  const [module, archive] = await Promise.all([
    fetch("spellpool.wasm").then((response) => response.arrayBuffer()).then((bytes) => WebAssembly.compile(bytes)),
    fetch("spellpool.tar").then((response) => response.arrayBuffer()),
  ]);
  return {module, archive: new Uint8Array(archive)};
})();

// {code, files, wanted}, as program_worker.js says; `onLine` gets each line that the program prints.
async function runProgram(options, {files, folders, blocks, onLine} = {}) {
  const message = {...await program, options, files, folders, blocks};
  return new Promise((resolve, reject) => {
    const worker = new Worker("program_worker.js");
    worker.onmessage = ({data}) => {
      if ("line" in data) return onLine && onLine(data.line);
      worker.terminate();
      resolve(data);
    };
    worker.onerror = (event) => {
      worker.terminate();
      reject(new Error(event.message || "the worker could not be started"));
    };
    worker.postMessage(message);
  });
}

// `spellpool compare` with these options, block by block. Returns {code, files}: its folder is /compare.
async function runComparison(options, onLine) {
  const command = ["compare", "--progress", "--sim-only", ...options, "--out", "/compare"];
  const blocks = {};
  let files = {};
  for (;;) {
    const begun = Object.keys(files).some((path) => path.endsWith("/plan.json"));
    const run = await runProgram(begun ? ["compare", "--progress", "--resume", "/compare"] : command, {files: begun ? files : {}, folders: ["/compare"], blocks, onLine});
    files = run.files;
    if (!run.wanted) return {code: run.code, files};
    // What the block writes: the values of these options.
    const words = run.wanted, outputs = ["--frames", "--report", "--hash-out"].map((name) => words.indexOf(name)).filter((at) => at > 0).map((at) => words[at + 1]);
    const folders = [...new Set(outputs.map((path) => path.slice(0, path.lastIndexOf("/"))))];
    const marks = Object.fromEntries(folders.map((folder) => [folder + "/.here", new Uint8Array()]));
    const block = await runProgram(words.slice(1), {files: marks, folders, onLine});
    blocks[JSON.stringify(words)] = {code: block.code, files: Object.fromEntries(outputs.map((path) => [path, block.files[path]]).filter(([, bytes]) => bytes))};
  }
}
