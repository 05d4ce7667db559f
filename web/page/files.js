// What a page and its workers share: an instance of the program, and the files of its file system.
"use strict";

// The program from its compiled module, not started yet. Emscripten's own promise never ends if there is no memory for an instance.
function makeProgram(module, settings) {
  return new Promise((resolve, reject) => createSpellpool({
    ...settings,
    noInitialRun: true,
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module), reject);
      return {};
    },
  }).then(resolve, reject));
}

// Writes bytes to an absolute path; makes the folders above it.
function writeFile(FS, path, bytes) {
  const slash = path.lastIndexOf("/");
  if (slash > 0) FS.mkdirTree(path.slice(0, slash));
  FS.writeFile(path, bytes);
}

// Writes the regular files of a tar archive below "/".
function untar(FS, archive) {
  const text = (at, length) => new TextDecoder().decode(archive.subarray(at, at + length)).replace(/\0.*$/s, "");
  for (let at = 0; at + 512 <= archive.length && archive[at] !== 0;) {
    const size = parseInt(text(at + 124, 12), 8);
    if (text(at + 156, 1) === "0") writeFile(FS, "/" + text(at, 100), archive.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

// The paths of all files below a folder; none if there is no such folder.
function listFiles(FS, folder, paths = []) {
  if (!FS.analyzePath(folder).exists) return paths;
  for (const name of FS.readdir(folder)) {
    if (name === "." || name === "..") continue;
    const path = folder + "/" + name;
    if (FS.isDir(FS.stat(path).mode)) listFiles(FS, path, paths);
    else paths.push(path);
  }
  return paths;
}

// Adds all files below a folder to {path: bytes}.
function readFolder(FS, folder, files) {
  for (const path of listFiles(FS, folder)) files[path] = FS.readFile(path);
}
