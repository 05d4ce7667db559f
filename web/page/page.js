// Loads the game, shows the progress, and starts it. The address carries the program's options: index.html?scene=shooter&seed=7&autoplay is
// `spellpool --scene shooter --seed 7 --autoplay`. ?replay=FILE plays a replay from the page's own server. So does a file dropped on the page.
"use strict";

// Written by web/build: bytes of each file as it is served, before any compression.
const kBytes = {"spellpool.wasm": 0, "spellpool.tar": 0};

const $ = (id) => document.getElementById(id);
const canvas = $("canvas");

let stopSpell = () => {};

function fail(text) {
  stopSpell();
  const anew = document.createElement("a");
  anew.href = location.pathname;
  anew.textContent = "Start anew";
  $("problem").replaceChildren(text + " ", anew);
  $("problem").hidden = false;
  $("what").hidden = $("progress").hidden = true;
  $("start").hidden = false;
}

// Draws a nova, as it is after so many seconds, before anything is loaded: on the processor, since a software OpenGL needs its
// time for the game.
function drawSpell(s) {
  const spell = $("spell"), pen = spell.getContext("2d", {willReadFrequently: true});
  spell.width = spell.height = 240 * devicePixelRatio;  // clears it
  pen.scale(spell.width / 15, spell.width / 15);
  const glow = (x, y, radius, stops) => {
    const light = pen.createRadialGradient(x, y, 0, x, y, radius);
    for (const [at, colour] of stops) light.addColorStop(at, colour);
    pen.fillStyle = light;
    pen.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
  };
  glow(7.5, 7.5, 4, [[0, "#fff3d0"], [0.14, "#ffd27a"], [0.42, "#e6763c44"], [1, "#e6763c00"]]);
  for (let i = 0; i < 12; ++i) {
    const flown = (s / 1.8 + i * 7 % 12 / 12) % 1, way = 0.6 + 6.4 * flown * (2 - flown), turn = i * Math.PI / 6;
    pen.globalAlpha = 1 - flown * flown;
    glow(7.5 + way * Math.cos(turn), 7.5 + way * Math.sin(turn), 0.75 - 0.5 * flown, [[0, "#ffe2a8"], [0.2, "#ffd27a"], [0.36, "#e6763c99"], [1, "#e6763c00"]]);
  }
}

// Moves it if loading takes long. Returns what stops it.
function moveSpell() {
  drawSpell(0);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return () => {};
  const begin = performance.now() + 600;
  const timer = setInterval(() => { if (performance.now() > begin) drawSpell((performance.now() - begin) / 1000); }, 50);
  return () => clearInterval(timer);
}

function programOptions(search) {
  const options = [];
  for (const [name, value] of new URLSearchParams(search)) {
    if (name === "replay" || /^(utm_.*|fbclid|gclid|msclkid)$/.test(name)) continue;  // what others add to a link is no option
    options.push("--" + name);
    if (value !== "") options.push(...value.split(" "));
  }
  return options;
}

const received = {};
function showProgress() {
  let done = 0, all = 0;
  for (const name in kBytes) {
    done += received[name] || 0;
    all += kBytes[name];
  }
  $("progress").value = all > 0 ? Math.min(1, done / all) : 0;
}

// The response of a file, which counts its bytes as they come.
async function fetchCounted(name, type) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(name + ": the server answers " + response.status);
  const counted = response.body.pipeThrough(new TransformStream({
    transform(chunk, out) {
      received[name] = (received[name] || 0) + chunk.length;
      showProgress();
      out.enqueue(chunk);
    },
  }));
  return new Response(counted, {headers: {"content-type": type}});
}

// True for the first page of this game. A second one must not write: each would delete what the other has saved.
function isFirstPage() {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => navigator.locks.request("spellpool-home", {ifAvailable: true}, (lock) => {
    resolve(lock !== null);
    return lock && new Promise(() => {});  // held until the page is closed
  }).catch(() => resolve(true)));  // a frame that may not ask
}

// Settings, scores, replays and pictures live in IndexedDB; where there is none, until the page is closed. True if they are kept.
async function keepHome(game) {
  game.FS.mkdirTree(kHome);
  const keeps = await isFirstPage();
  try {
    game.FS.mount(game.IDBFS, {autoPersist: keeps}, kHome);
  } catch {
    return false;
  }
  const error = await new Promise((resolve) => game.FS.syncfs(true, resolve));
  if (error) console.warn("Settings and scores are not kept: " + error);
  if (!keeps) say("The game is open in another tab: what you change in this one is not kept.", "Close", () => {}, true);
  return keeps && !error;
}

// The editors save into assets/, which the page makes anew each time. What differs from the shipped files is kept with the settings, with
// the shipped text that it was made from: another version of the game brings other files, which no edit of before may replace.
function keepEdits(FS) {
  const kept = kEdited, origin = (path) => path + ".from", has = (path) => FS.analyzePath(path).exists;
  const shipped = new Map(), same = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);
  const texts = () => ["/assets/spells", "/assets/sounds"].flatMap((folder) => listFiles(FS, folder)).filter((path) => path.endsWith(".toml"));
  const changed = new Map();
  for (const path of texts()) shipped.set(path, FS.readFile(path));
  for (const path of listFiles(FS, kept).filter((name) => name.endsWith(".toml"))) {
    const was = shipped.get(path.slice(kept.length));
    if (!was || (has(origin(path)) && same(FS.readFile(origin(path)), was))) writeFile(FS, path.slice(kept.length), FS.readFile(path));
  }
  for (const path of texts()) changed.set(path, +FS.stat(path).mtime);
  setInterval(() => {
    for (const path of texts()) {
      const at = +FS.stat(path).mtime;
      if (changed.get(path) === at) continue;
      changed.set(path, at);
      const bytes = FS.readFile(path), was = shipped.get(path);
      if (!was || !same(was, bytes)) {
        writeFile(FS, kept + path, bytes);
        if (was) writeFile(FS, origin(kept + path), was);
      } else {
        for (const gone of [kept + path, origin(kept + path)]) if (has(gone)) FS.unlink(gone);
      }
    }
  }, 1000);
}

// "" or the path in the program's file system of the replay that the address names.
async function fetchReplay(FS) {
  const name = new URLSearchParams(location.search).get("replay");
  if (!name) return "";
  const address = new URL(name, location.href);
  if (address.origin !== location.origin) throw new Error("a replay has to lie on the page's own server: " + name);
  const response = await fetch(address);
  if (!response.ok) throw new Error(name + ": the server answers " + response.status);
  const path = "/replays/" + address.pathname.split("/").at(-1);
  writeFile(FS, path, new Uint8Array(await response.arrayBuffer()));
  return path;
}

// A replay that is dropped is kept beside the settings, and the page starts again with it.
function takeDrops(game, keeps) {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (!file) return;
    const refuse = (why) => say(file.name + " " + why, "Close", () => {}, true);
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (!new TextDecoder().decode(bytes.subarray(0, 17)).startsWith("spellpool-replay ")) return refuse("is not a replay of Spellpool: the game goes on.");
    if (!keeps) return refuse("cannot be kept: another tab of the game is open, or this browser keeps nothing.");
    const path = kHome + "/dropped.replay";
    writeFile(game.FS, path, bytes);
    game.FS.syncfs(false, (error) => {
      if (error) refuse("could not be kept: " + error);
      else location.search = "?input=" + path;
    });
  });
}

// Touch screens get a stick for walking, at the left thumb, and buttons for keys. Touching the arena aims and casts.
function showTouchControls() {
  const stick = $("stick"), held = new Set();
  const press = (code, down) => {
    if (down === held.has(code)) return;
    if (down) held.add(code); else held.delete(code);
    const key = {KeyW: "w", KeyA: "a", KeyS: "s", KeyD: "d", KeyE: "e"}[code] || code;
    window.dispatchEvent(new KeyboardEvent(down ? "keydown" : "keyup", {code, key, keyCode: key.length === 1 ? key.toUpperCase().charCodeAt(0) : {Tab: 9, Escape: 27}[key], bubbles: true}));
  };
  const move = (event) => {
    const box = stick.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * 2 - 1, y = (event.clientY - box.top) / box.height * 2 - 1;
    press("KeyA", x < -0.3);
    press("KeyD", x > 0.3);
    press("KeyW", y < -0.3);
    press("KeyS", y > 0.3);
  };
  const release = () => [...held].forEach((code) => press(code, false));
  stick.addEventListener("pointerdown", (event) => {
    stick.setPointerCapture(event.pointerId);
    move(event);
  });
  stick.addEventListener("pointermove", (event) => { if (event.pressure > 0 || event.buttons) move(event); });
  stick.addEventListener("pointerup", release);
  stick.addEventListener("pointercancel", release);
  for (const button of document.querySelectorAll("#touch button")) {
    button.addEventListener("click", () => {
      press(button.dataset.code, true);
      setTimeout(() => press(button.dataset.code, false), 60);
    });
  }
  addEventListener("touchstart", () => { $("touch").hidden = false; }, {once: true});
}

// Resolves when the browser has drawn what the page looks like now, after 3 s at the latest. On a slow machine it takes half a second; a
// hidden page is never drawn.
function drawn() {
  const frames = new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return Promise.race([frames, new Promise((resolve) => setTimeout(resolve, document.hidden ? 0 : 3000))]);
}

async function start() {
  stopSpell = moveSpell();
  if (typeof WebAssembly !== "object") return fail("This browser has no WebAssembly.");
  const problems = [], printed = [];
  const wasm = fetchCounted("spellpool.wasm", "application/wasm").then((response) => WebAssembly.compileStreaming(response));
  const files = fetchCounted("spellpool.tar", "application/x-tar").then((response) => response.arrayBuffer());
  const script = new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.src = "spellpool.js";
    element.onload = resolve;
    element.onerror = () => reject(new Error("spellpool.js could not be loaded"));
    document.head.append(element);
  });
  const [module, archive] = await Promise.all([wasm, files, script]);
  performance.mark("spellpool-loaded");
  $("what").textContent = "Starting";
  stopSpell();
  const still = drawn();
  let game = null, over = false;
  const end = (text) => {  // the first reason is the true one
    if (!over) fail(text);
    over = true;
  };
  const crashed = (what) => {
    if (game && game.audio) clearInterval(game.audio.timer);
    end("The game ended by an error (" + what + "). What was saved is kept.");
  };
  addEventListener("error", (event) => { if (event.error instanceof WebAssembly.RuntimeError) crashed(event.error.message); });
  game = await makeProgram(module, {
    canvas,
    onAbort: crashed,
    print: (line) => { printed.push(line); console.log(line); },
    printErr(line) {
      problems.push(line);
      // Notes come here too: "Saved FILE".
      if (/(warning|error): /.test(line)) console.warn(line); else console.log(line);
    },
    onGameOver(error) {
      end(error || "The game is over.");
    },
  });
  window.game = game;
  untar(game.FS, new Uint8Array(archive));
  const keeps = await keepHome(game);
  keepEdits(game.FS);
  let lost = false;
  canvas.addEventListener("webglcontextlost", () => {
    lost = true;
    if (!over) fail("The browser lost the graphics context. The game continues when it is restored.");
  });
  canvas.addEventListener("webglcontextrestored", () => {
    lost = false;
    if (!over) $("start").hidden = true;
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  takeDrops(game, keeps);
  showTouchControls();
  showTools(game, canvas);
  const replay = await fetchReplay(game.FS);
  await still;
  // Asked for before callMain(), so in each of the two frames this runs before the game.
  const firstFrame = new Promise((resolve) => requestAnimationFrame(() => {
    $("start").hidden = !over && !lost;
    requestAnimationFrame(resolve);
  }));
  let code;
  try {
    code = game.callMain([...programOptions(location.search), ...(replay ? ["--input", replay] : [])]);
  } catch (error) {
    return end(String(error.message || error));
  }
  performance.mark("spellpool-started");
  if (code !== 0) {
    const why = problems.at(-1) || "The game could not be started.";
    if (!why.includes("/assets/") || !forgetEdits(game.FS)) return end(why);
    return end(why + " The files that you changed are put back.");
  }
  if (/[?&](help|version|list)\b/.test(location.search)) {  // it has printed that, and started no game
    $("problem").classList.add("printed");
    return end(printed.join("\n"));
  }
  canvas.focus();
  await firstFrame;
  if (over) return;
  performance.mark("spellpool-playing");
  document.documentElement.dataset.state = "playing";
  if (navigator.serviceWorker) navigator.serviceWorker.register("service_worker.js").catch(() => {});  // without one there is no play offline
}

start().catch((error) => fail(String(error.message || error)));
