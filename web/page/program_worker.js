// Runs the program once, in an instance and a heap of its own, then ends.
//   in   {script, module, archive, options, files: {path: bytes}, folders: [path], blocks: {command: {code, files}}}
//   out  {line} for each line that the program prints, then {code, files, wanted}
// `files` are written before; those in `folders` are read afterwards. `blocks` answers the commands that the program wants to run as a child;
// the first one without an answer is `wanted`.
"use strict";

onmessage = async ({data: {script, module, archive, options, files = {}, folders = [], blocks = {}}}) => {
  importScripts("files.js", script);
  let wanted = null;
  const game = await createSpellpool({
    noInitialRun: true,
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
      return {};
    },
    print: (line) => postMessage({line}),
    printErr: (line) => postMessage({line}),
    runChild(words) {
      const block = blocks[JSON.stringify(words)];
      if (!block) {
        wanted = wanted || words;
        return -1;
      }
      for (const path in block.files) writeFile(game.FS, path, block.files[path]);
      return block.code;
    },
  });
  untar(game.FS, archive);
  for (const path in files) writeFile(game.FS, path, files[path]);
  const code = game.callMain(options);
  const result = {};
  for (const folder of folders) readFolder(game.FS, folder, result);
  postMessage({code, files: result, wanted});
  close();
};
