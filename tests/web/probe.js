// Put into the page by tests/web/browser_test.py, before page.js. Watches the console, the graphics context and its errors, takes pictures,
// and tells the server what it saw.
"use strict";
{
  const test = new URLSearchParams(location.hash.slice(1));
  const sent = [];
  const send = (what, body) => sent.push(fetch("/test/" + what, {method: "POST", body}));
  const note = (kind, text) => send("note", kind + "\n" + text);
  const shown = (value) => value instanceof Error ? value.stack || String(value) : String(value);

  for (const level of ["error", "warn"]) {
    const before = console[level].bind(console);
    console[level] = (...values) => {
      note("console." + level, values.map(shown).join(" "));
      before(...values);
    };
  }
  addEventListener("error", (event) => note("error", event.message || "a file could not be loaded"), true);
  addEventListener("unhandledrejection", (event) => note("error", shown(event.reason)));

  let gl = null, frames = 0;
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, options) {
    const context = getContext.call(this, kind, options);
    if (this.id === "canvas" && context) {
      gl = context;
      this.addEventListener("webglcontextlost", () => note("error", "the graphics context was lost"));
    }
    return context;
  };

  // A frame callback that was asked for during a frame runs after the game's in the next one, while its pixels are still there.
  const afterFrame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  function watchFrames() {
    ++frames;
    const error = gl ? gl.getError() : 0;
    if (error) note("error", "OpenGL error 0x" + error.toString(16) + " in frame " + frames);
    requestAnimationFrame(watchFrames);
  }

  // How many of 32 shades of grey occur, and how bright the picture is.
  async function picture(name) {
    await afterFrame();
    const width = gl.drawingBufferWidth, height = gl.drawingBufferHeight;
    const pixels = new Uint8Array(width * height * 4);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
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
    const result = {playing_ms: performance.getEntriesByName("spellpool-playing")[0].startTime, pictures: []};
    if (!gl) throw new Error("the page has no graphics context");
    watchFrames();
    const info = gl.getExtension("WEBGL_debug_renderer_info");
    result.renderer = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : gl.getParameter(gl.RENDERER);
    result.fps = await framesPerSecond(wait_ms);
    result.pictures.push(await picture(test.get("name")));
    result.context_lost = gl.isContextLost();
    result.frames = frames;
    return result;
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
    form.requestSubmit();
    while (document.getElementById("verdict").textContent === "") await pause(50);
    const {code, run, report} = window.comparison || {};
    return {code, state: run && run.state, verdict: document.getElementById("verdict").textContent, report: report && report.length,
      conditions: document.getElementById("conditions").textContent};
  }

  addEventListener("load", async () => {
    let result;
    try {
      result = await {play, hashes, compare}[test.get("what")]();
    } catch (error) {
      note("error", shown(error));
      result = {failed: shown(error)};
    }
    await Promise.all(sent);
    await fetch("/test/done", {method: "POST", body: JSON.stringify(result)});
  });
}
