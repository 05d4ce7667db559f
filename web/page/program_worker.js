// Runs the program once, in an instance and a heap of its own, then ends.
//   in   {script, module, archive, options, files: {path: bytes}, folders: [path], blocks: {command: {code, files}}}
//   out  {line} for each line that the program prints, then {code, files, waits, wanted}, or {failed} with the reason
// `files` are written before; those in `folders` are read afterwards. `blocks` answers the commands that the program wants to run as a child.
// `waits`: the program ended because one has no answer. `wanted`: that one, and those that it will ask for later.
"use strict";

onmessage = async ({data}) => {
  try {
    await runOnce(data);
  } catch (error) {
    postMessage({failed: String(error && error.message || error)});
  }
  close();
};

async function runOnce({script, module, archive, options, files = {}, folders = [], blocks = {}}) {
  importScripts("files.js", script);
  const wanted = new Map();
  let waits = false;
  const want = (words) => {
    const command = JSON.stringify(words);
    if (!(command in blocks)) wanted.set(command, words);
  };
  const game = await makeProgram(module, {
    print: (line) => postMessage({line}),
    printErr: (line) => postMessage({line}),
    expectChild: want,
    runChild(words) {
      const block = blocks[JSON.stringify(words)];
      if (!block) {
        want(words);
        waits = true;
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
  postMessage({code, files: result, waits, wanted: [...wanted.values()]});
}
