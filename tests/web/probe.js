// Put into the page by tests/web/browser_test.py, before page.js. Watches the console, the graphics context and its errors, takes pictures,
// and tells the server what it saw.
"use strict";
{
  const test = new URLSearchParams(location.hash.slice(1));
  const sent = [];
  const send = (what, body) => sent.push(fetch("/test/" + what, {method: "POST", body}));
  const note = (kind, text) => send("note", kind + "\n" + text);
  const shown = (value) => value instanceof Error ? value + "\n" + value.stack : String(value);

  for (const level of ["error", "warn"]) {
    const before = console[level].bind(console);
    console[level] = (...values) => {
      note("console." + level, values.map(shown).join(" "));
      before(...values);
    };
  }
  addEventListener("error", (event) => note("error", event.message || "a file could not be loaded"), true);
  addEventListener("unhandledrejection", (event) => note("error", shown(event.reason)));

  let gl = null, frames = 0, mayLose = false;
  // What the test of this test breaks.
  const broken = test.get("break");
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    const context = broken === "context" && kind !== "2d" ? null : getContext.call(this, kind, options);
    if (this.id === "canvas" && context) {
      gl = context;
      this.addEventListener("webglcontextlost", () => { if (!mayLose) note("error", "the graphics context was lost"); });
    }
    return context;
  };

  // A frame callback that was asked for during a frame runs after the game's in the next one, while its pixels are still there.
  const afterFrame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  // Errors are kept until one asks; the question makes the page wait for the graphics process, so it is asked once a second, and with
  // each picture.
  let askAt_ms = 0;
  function askForErrors() {
    askAt_ms = performance.now() + 1000;
    const error = gl ? gl.getError() : 0;
    if (error && !(mayLose && error === gl.CONTEXT_LOST_WEBGL)) note("error", "OpenGL error 0x" + error.toString(16) + " before frame " + frames);
  }
  let frameAt_ms = 0, longest = {ms: 0, at: 0};
  function watchFrames() {
    ++frames;
    const now = performance.now();
    if (frameAt_ms && now - frameAt_ms > longest.ms) longest = {ms: Math.round(now - frameAt_ms), at: frames};
    frameAt_ms = now;
    if (now >= askAt_ms) askForErrors();
    requestAnimationFrame(watchFrames);
  }

  // While true no frame is asked for, as in a page that is hidden.
  let hidden = false;
  const ask = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (call) => hidden ? setTimeout(() => window.requestAnimationFrame(call), 50) : ask(call);

  const kLeastShades = 6;  // As in browser_test.py.

  // How many of 32 shades of grey occur, and how bright the picture is. A frame in which the game drew nothing, since no new one was
  // due, leaves nothing to read: then another one is taken.
  async function picture(name) {
    let taken = await pictureOfFrame(name);
    for (let again = 0; again < 9 && taken.shades < kLeastShades; ++again) taken = await pictureOfFrame(name);
    return taken;
  }
  async function pictureOfFrame(name) {
    await afterFrame();
    askForErrors();
    const width = gl.drawingBufferWidth, height = gl.drawingBufferHeight;
    const pixels = new Uint8Array(width * height * 4);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    if (broken === "blank") gl.clear(gl.COLOR_BUFFER_BIT);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const shades = new Array(32).fill(0);
    let sum = 0;
    for (let i = 0; i < pixels.length; i += 4) {
      const grey = (pixels[i] + pixels[i + 1] + pixels[i + 2]) / 3;
      ++shades[grey >> 3];
      sum += grey;
    }
    const flipped = new Uint8ClampedArray(pixels.length);
    for (let y = 0; y < height; ++y) flipped.set(pixels.subarray((height - 1 - y) * width * 4, (height - y) * width * 4), y * width * 4);
    for (let i = 3; i < flipped.length; i += 4) flipped[i] = 255;
    const copy = new OffscreenCanvas(width, height);
    copy.getContext("2d").putImageData(new ImageData(flipped, width, height), 0, 0);
    send("picture/" + name + ".png", await copy.convertToBlob());
    const used = shades.filter((count) => count > width * height * 1e-4).length;
    return {name, width, height, shades: used, mean: sum / (pixels.length / 4)};
  }

  async function framesPerSecond(ms) {
    const begin = performance.now(), first = frames;
    await pause(ms);
    return (frames - first) * 1000 / (performance.now() - begin);
  }

  async function play() {
    const wait_ms = Number(test.get("wait_ms"));
    while (document.documentElement.dataset.state !== "playing") {
      if (!document.getElementById("problem").hidden) throw new Error(document.getElementById("problem").textContent);
      await pause(20);
    }
    const result = {playing_ms: performance.getEntriesByName("spellpool-playing")[0].startTime, pictures: [], page: [innerWidth, innerHeight, devicePixelRatio].join(" "),
      marks: performance.getEntriesByType("mark").map((mark) => mark.name.replace("spellpool-", "") + " " + Math.round(mark.startTime)).join(", ")};
    if (!gl) throw new Error("the page has no graphics context");
    watchFrames();
    if (broken === "lost") gl.getExtension("WEBGL_lose_context").loseContext();
    if (broken === "gl") gl.enable(0xffff);
    if (broken === "console") console.error("planted");
    const info = gl.getExtension("WEBGL_debug_renderer_info");
    result.renderer = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : gl.getParameter(gl.RENDERER);
    result.fps = await framesPerSecond(wait_ms);
    result.pictures.push(await picture(test.get("name")));
    result.context_lost = gl.isContextLost();
    result.frames = frames;
    return result;
  }

  // What follows is how a player uses the page; keys, touches and drops go the way that the browser's own would.
  const until = async (what, holds, longest_ms = 20000) => {
    for (const end = performance.now() + longest_ms; performance.now() < end; await pause(50)) {
      const value = holds();
      if (value) return value;
    }
    throw new Error("not within " + longest_ms / 1000 + " s: " + what + " (" + frames + " frames, step " + steps() + ", " + document.visibilityState +
      (document.hasFocus() ? ", with" : ", without") + " the focus)");
  };
  const press = async (code, key, keyCode) => {
    for (const type of ["keydown", "keyup"]) {
      window.dispatchEvent(new KeyboardEvent(type, {code, key, keyCode, bubbles: true}));
      await pause(120);
    }
  };
  const kHome = "/home/web_user/", kLayout = "/tmp/layout.json", kSettings = kHome + ".config/spellpool/settings.toml",
    kRecordings = kHome + ".local/share/spellpool/recordings/";
  const textOf = (path) => game.FS.analyzePath(path).exists ? game.FS.readFile(path, {encoding: "utf8"}) : "";
  const steps = () => { try { return JSON.parse(textOf(kLayout)).step; } catch { return 0; } };
  const newFile = (ending) => until("a file " + ending, () => [...document.querySelectorAll("#saved p")].find((line) => line.textContent.includes(ending)));
  // Records frames by the key R until `enough` is resolved.
  const recordCsv = async (enough) => {
    await press("KeyR", "r", 82);
    await enough();
    await press("KeyR", "r", 82);
    await newFile(".csv");
  };
  const playing = () => until("the game plays", () => {
    if (!document.getElementById("problem").hidden) throw new Error(document.getElementById("problem").textContent);
    return document.documentElement.dataset.state === "playing";
  }, 60000);
  const kept = () => new Promise((resolve, reject) => game.FS.syncfs(false, (error) => error ? reject(error) : resolve()));

  const kSettled_ms = 2000;  // By then a change of the settings is in their file.
  async function touch() {
    const canvas = document.getElementById("canvas"), box = canvas.getBoundingClientRect();
    const finger = (type, x, y) => {
      const at = new Touch({identifier: 1, target: canvas, clientX: box.left + x * box.width, clientY: box.top + y * box.height});
      const down = type === "touchend" ? [] : [at];
      canvas.dispatchEvent(new TouchEvent(type, {touches: down, targetTouches: down, changedTouches: [at], bubbles: true, cancelable: true}));
    };
    // A touch on a panel is not one on the world behind it, nor does it take the next one from the world.
    const slot = () => JSON.parse(textOf(kLayout)).controls.find(({kind, index}) => kind === "spell" && index === 3)?.rect;
    const [x0, y0, x1, y1] = await until("the spell's slot is shown", slot), middle = [(x0 + x1) / 2 / box.width, (y0 + y1) / 2 / box.height];
    finger("touchstart", ...middle);
    await pause(300);
    finger("touchend", ...middle);
    await until("a touch selects a spell", () => slot()?.[2] - slot()?.[0] > 1.5 * (x1 - x0));
    await pause(kSettled_ms);
    if (textOf(kSettings).includes("newcomer = false")) throw new Error("a touch on a spell's slot casts");
    finger("touchstart", 0.7, 0.4);
    await pause(300);
    finger("touchmove", 0.72, 0.42);
    await pause(100);
    finger("touchend", 0.72, 0.42);
    await until("a touch casts the first spell", () => textOf(kSettings).includes("newcomer = false"));
    if (document.getElementById("touch").hidden) throw new Error("a touch shows no touch controls");
    const stick = document.getElementById("stick"), rim = stick.getBoundingClientRect(), held = [];
    for (const type of ["keydown", "keyup"]) addEventListener(type, (event) => held.push(type + " " + event.code));
    const thumb = (type, x) => stick.dispatchEvent(new PointerEvent(type, {pointerId: 1, clientX: rim.left + x * rim.width, clientY: rim.top + rim.height / 2, buttons: 1, pressure: 0.5}));
    stick.setPointerCapture = () => {};  // no real pointer is down
    thumb("pointerdown", 0.95);
    await pause(300);
    thumb("pointerup", 0.95);
    if (held.join() !== "keydown KeyD,keyup KeyD") throw new Error("the stick walks by " + held.join());
  }

  async function loseGraphics() {
    mayLose = true;
    const extension = gl.getExtension("WEBGL_lose_context");
    extension.loseContext();
    await until("the page says that the graphics are gone", () => !document.getElementById("start").hidden, 5000);
    const before = steps();
    await pause(1000);
    if (steps() > before + 2) throw new Error("the game goes on unseen");
    extension.restoreContext();
    await until("the game is seen again", () => document.getElementById("start").hidden && steps() > before + 30, 30000);
    mayLose = false;
    return picture(test.get("name") + "_restored");
  }

  // The first of two visits of one visitor.
  async function page() {
    await playing();
    watchFrames();
    const told = {};
    await until("steps", () => steps() > 30);
    await press("KeyU", "u", 85);
    await until("the settings are written", () => /^muted\s*= true/m.test(textOf(kSettings)));
    await press("F12", "F12", 123);
    await newFile(".png");
    await recordCsv(() => pause(1500));
    document.getElementById("show-files").click();
    told.files = document.querySelectorAll("#files li").length;
    document.getElementById("files").close();
    const film = document.getElementById("film");
    if (!film.hidden) {
      const clip = async (ms) => {
        delete document.documentElement.dataset.clipBytes;
        film.click();
        await pause(ms);
        film.click();
        return Number(await until("a clip", () => document.documentElement.dataset.clipBytes));
      };
      const {start, stop} = MediaRecorder.prototype;
      // Firefox sometimes says "stop" first, and on a busy machine it gives the data seconds later.
      MediaRecorder.prototype.start = function (...slice) {
        start.apply(this, slice);
        const keep = this.ondataavailable;
        this.ondataavailable = (event) => {
          given += event.data.size;
          if (this.state === "inactive") setTimeout(() => keep(event), 2000); else keep(event);
        };
      };
      let given = 0;
      // On a busy machine Firefox may have encoded nothing of a short clip when it ends.
      for (const ms of [2500, 5000, 10000]) {
        told.clip_bytes = await clip(ms);
        if (told.clip_bytes !== given) throw new Error("a clip of " + told.clip_bytes + " bytes: the browser gave " + given);
        if (given) break;
      }
      MediaRecorder.prototype.start = start;
      if (!given) throw new Error("the browser encoded nothing of a clip of 10 s");
      // A browser that does not end a clip at all.
      MediaRecorder.prototype.stop = MediaRecorder.prototype.pause;
      told.cut_clip_bytes = await clip(2500);
      MediaRecorder.prototype.stop = stop;
    }
    const before = steps();
    hidden = true;
    await pause(3000);
    hidden = false;
    await pause(300);
    told.hidden_steps = steps() - before;
    if (told.hidden_steps > 90) throw new Error(told.hidden_steps + " steps were played while the page was hidden, or caught up");
    const spell = "/assets/spells/" + game.FS.readdir("/assets/spells").find((name) => name.endsWith(".toml"));
    game.FS.writeFile(spell, textOf(spell) + "# edited\n");
    await until("the edited spell is kept", () => textOf(kHome + "edited" + spell).endsWith("# edited\n"));
    if (!(await navigator.locks.query()).held.some((lock) => lock.name === "spellpool-home")) throw new Error("a second page could write, too");
    await touch();
    const restored = await loseGraphics();
    await press("KeyZ", "z", 90);
    await pause(1500);
    await loseGraphics();  // ends side by side
    const nameless = [...document.querySelectorAll("button, a, canvas:not([aria-hidden=true]), input, select, progress, [role]")].filter((element) =>
      !(element.getAttribute("aria-label") || element.getAttribute("aria-labelledby") || element.textContent.trim() || (element.labels && element.labels.length) || element.id === "problem"));
    if (nameless.length) throw new Error("no label: " + nameless.map((element) => element.outerHTML.slice(0, 60)).join(", "));
    const worker = await navigator.serviceWorker.ready;
    await until("the service worker is ready", () => worker.active && worker.active.state === "activated");
    await kept();
    return {...told, pictures: [restored]};
  }

  // The first frames of play, recorded. Beside a pool the panel must say "0 allocations a frame", although sounds are still being
  // rendered: that is the mean of 30 frames, rounded. Three frames may allocate: that of the key, and those that make what is used first.
  async function record() {
    await playing();
    watchFrames();
    await recordCsv(() => {
      const first = frames;
      return until("40 frames", () => frames >= first + 40, 60000);
    });
    const name = game.FS.readdir(kRecordings).find((file) => file.endsWith(".csv"));
    const [head, ...rows] = textOf(kRecordings + name).trim().split("\n").filter((line) => !line.startsWith("#")).map((line) => line.split(","));
    const column = head.indexOf("new_calls"), calls = rows.map((row) => Number(row[column]));
    if (column < 0 || calls.length < 30) throw new Error("recorded " + calls.length + " frames of " + head);
    const others = [...calls].sort((a, b) => b - a).slice(3), allocations = others.reduce((sum, count) => sum + count, 0);
    if (allocations >= others.length / 2) throw new Error("allocations of each frame: " + calls);
    return {recorded_frames: calls.length, allocations, longest_frame: longest, pictures: [await picture(test.get("name"))]};
  }

  // The second one, without a network.
  async function again() {
    await playing();
    if (!/^muted\s*= true/m.test(textOf(kSettings))) throw new Error("the settings were forgotten");
    const files = game.FS.readdir(kRecordings);
    if (!files.some((name) => name.endsWith(".png"))) throw new Error("the picture was forgotten: " + files);
    if (!game.FS.readdir("/assets/spells").some((name) => name.endsWith(".toml") && textOf("/assets/spells/" + name).endsWith("# edited\n"))) throw new Error("the edited spell was forgotten");
    watchFrames();
    await pause(500);
    return {pictures: [await picture(test.get("name"))]};
  }

  // A replay by its address, and then dropped on the page, which starts again with it.
  async function drop() {
    await playing();
    if (location.search.includes("dropped")) {  // without the layout file that steps() reads
      watchFrames();
      await until("the dropped replay plays", () => frames > 30);
      return {pictures: [await picture(test.get("name"))]};
    }
    await until("the replay plays", () => steps() > 10);
    const dropFile = (bytes, name) => {
      const data = new DataTransfer();
      data.items.add(new File([bytes], name));
      window.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
    };
    dropFile(new Uint8Array([1, 2, 3]), "holiday.jpg");
    await newFile("holiday.jpg is not a replay");
    const before = steps();
    await until("the game goes on", () => steps() > before + 10);
    dropFile(await (await fetch("spells.replay")).arrayBuffer(), "spells.replay");
    return new Promise(() => {});
  }

  async function verify() {
    const lines = [], file = test.get("replay"), name = "/replays/" + file;
    const bytes = new Uint8Array(await (await fetch(file)).arrayBuffer());
    const {code} = await runProgram(["verify-replay", name], {files: {[name]: bytes}, onLine: (line) => lines.push(line)});
    return {code, lines};
  }

  // Minutes of play: what its memory, its sound and its frames do. For measurements; web/test does not wait that long. The page writes no
  // --layout-out here: writing that file with each frame keeps about 430 bytes.
  async function long() {
    await playing();
    watchFrames();
    if (globalThis.AudioContext) (await until("the sound context", () => game.audio)).context.resume();  // a player's first key does that
    const samples = [], begin = performance.now(), seconds = Number(test.get("seconds"));
    for (let at = 0; at <= seconds; at += seconds / 10) {
      while (performance.now() - begin < at * 1000) await pause(100);
      const audio = game.audio || {};
      const sample = {sound: audio.context && audio.context.state, s: Math.round((performance.now() - begin) / 1000), wasm_bytes: game.HEAP8 ? game.HEAP8.length : 0,
        underruns: audio.underruns, played: audio.played, frames, longest_frame: longest};
      if (window.gc) window.gc();  // what is left, the page holds
      sample.js_bytes = performance.memory ? performance.memory.usedJSHeapSize : 0;
      samples.push(sample);
      longest = {ms: 0, at: 0};
    }
    return {samples};
  }

  async function hashes() {
    const runs = JSON.parse(test.get("runs"));
    for (const {name, options} of runs) {
      const lines = [];
      const {code, files} = await runProgram([...options, "--hash-out", "/out/hashes"], {files: {"/out/.here": new Uint8Array()}, folders: ["/out"], onLine: (line) => lines.push(line)});
      if (code !== 0) throw new Error(name + ": exit code " + code + ": " + lines.join("; "));
      send("hashes/" + name, files["/out/hashes"]);
    }
    return {runs: runs.length};
  }

  // compare.html as a visitor uses it: chooses, presses the button, waits for the verdict.
  async function compare() {
    while (document.documentElement.dataset.state !== "ready") await pause(20);
    const form = document.forms.form;
    for (const [name, value] of Object.entries(JSON.parse(test.get("form")))) form.elements[name].value = value;
    const verdict = document.getElementById("verdict"), verdicts = [];
    for (let i = 0; i < Number(test.get("times") || 1); ++i) {
      form.requestSubmit();
      await until("a comparison begins", () => verdict.textContent === "" || document.getElementById("go").disabled);
      while (verdict.textContent === "") await pause(50);
      verdicts.push(verdict.textContent);
      send("verdict", verdict.textContent);
    }
    const {code, run, report} = window.comparison || {};
    return {code, state: run && run.state, verdict: verdict.textContent, verdicts, report: report && report.length, environment: run && run.environment, plan: run && run.plan,
      conditions: document.getElementById("conditions").textContent};
  }

  addEventListener("load", async () => {
    let result;
    try {
      result = await {play, hashes, compare, page, record, again, drop, verify, long}[test.get("what")]();
    } catch (error) {
      note("error", shown(error));
      result = {failed: shown(error)};
    }
    await Promise.all(sent);
    await fetch("/test/done", {method: "POST", body: JSON.stringify(result)});
  });
}
