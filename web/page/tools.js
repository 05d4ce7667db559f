// The page's own controls: full screen, clips of the game, and the files that it wrote.
"use strict";

const kHome = "/home/web_user";
const kRecordings = kHome + "/.local/share/spellpool/recordings";
const kEdited = kHome + "/edited";  // what the editors changed in assets/
const kLongestClip_ms = 60000;
const kLateData_ms = 300;  // more data may follow
const kLongestEnding_ms = 10000;  // of a clip; then it is what the browser has encoded so far

function download(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Shows a line with a button for 15 s, or until the button is pressed.
function say(text, action, act, stays = false) {
  const line = document.createElement("p"), button = document.createElement("button");
  line.textContent = text + " ";
  button.textContent = action;
  button.addEventListener("click", () => { act(); line.remove(); });
  line.append(button);
  document.getElementById("saved").append(line);
  if (!stays) setTimeout(() => line.remove(), 15000);
}

function downloadFile(FS, path) {
  download(path.split("/").at(-1), new Blob([FS.readFile(path)]));
}

// Reports open in another tab, which browsers allow only after a click. Other files are downloaded. A folder shows the list of files.
function openFile(FS, path) {
  if (!FS.analyzePath(path).exists || FS.isDir(FS.stat(path).mode)) return document.getElementById("show-files").click();
  if (!path.endsWith(".html")) return downloadFile(FS, path);
  say(path.split("/").at(-1), "Open", () => window.open(URL.createObjectURL(new Blob([FS.readFile(path)], {type: "text/html"})), "_blank"));
}

// The shipped spells and sounds come back with the next visit. False: none was changed.
function forgetEdits(FS) {
  const paths = listFiles(FS, kEdited);
  for (const path of paths) FS.unlink(path);
  return paths.length > 0;
}

// Screenshots and recordings are in the page's own storage. A new one is offered for download; the button lists all.
function showFiles(FS) {
  const list = () => listFiles(FS, kRecordings).sort();
  const known = new Set(list());
  setInterval(() => {
    for (const path of list()) {
      // A file that is being written is offered when it is whole.
      if (known.has(path) || /\.part(-|$)/.test(path) || FS.streams.some((stream) => stream && stream.path === path)) continue;
      known.add(path);
      say(path.split("/").at(-1), "Download", () => downloadFile(FS, path));
    }
  }, 1000);
  const dialog = document.getElementById("files"), rows = dialog.querySelector("ul");
  const fill = () => {
    rows.replaceChildren(...list().map((path) => {
      const row = document.createElement("li"), get = document.createElement("button"), remove = document.createElement("button");
      get.textContent = path.slice(kRecordings.length + 1);
      get.addEventListener("click", () => downloadFile(FS, path));
      remove.textContent = "Delete";
      remove.setAttribute("aria-label", "Delete " + get.textContent);
      remove.addEventListener("click", () => { FS.unlink(path); fill(); });
      row.append(get, remove);
      return row;
    }));
    if (listFiles(FS, kEdited).length > 0) {
      const row = document.createElement("li"), back = document.createElement("button");
      back.textContent = "Put back all spells and sounds that you changed";
      back.addEventListener("click", () => {
        forgetEdits(FS);
        fill();
        say("They are back when the page is loaded again.", "Reload", () => location.reload(), true);
      });
      row.append(back);
      rows.append(row);
    }
    dialog.querySelector("p").hidden = rows.children.length > 0;
  };
  document.getElementById("show-files").addEventListener("click", () => { fill(); dialog.showModal(); });
}

// The button starts and stops a clip: the canvas and the game's sound, encoded by the browser.
function showClips(game, canvas) {
  const button = document.getElementById("film");
  const kind = globalThis.MediaRecorder && canvas.captureStream &&
    ["video/webm;codecs=vp9,opus", "video/webm;codecs=vp8,opus", "video/mp4"].find((type) => MediaRecorder.isTypeSupported(type));
  if (!kind) return;
  button.hidden = false;
  let end = null;
  const start = () => {
    const stream = canvas.captureStream(60), audio = game.audio, parts = [];
    const sound = audio && audio.node ? audio.context.createMediaStreamDestination() : null;
    if (sound) {
      audio.node.connect(sound);
      stream.addTrack(sound.stream.getAudioTracks()[0]);
    }
    const recorder = new MediaRecorder(stream, {mimeType: kind, videoBitsPerSecond: 8e6});
    let limit = 0, stopped = false, whole = false;
    const after = (ms, next) => { clearTimeout(limit); limit = setTimeout(next, ms); };
    const finish = () => {
      end = recorder.onstop = recorder.ondataavailable = null;
      if (sound) audio.node.disconnect(sound);
      for (const track of stream.getTracks()) track.stop();
      button.setAttribute("aria-pressed", "false");
      const name = "spellpool." + (kind.includes("webm") ? "webm" : "mp4"), clip = new Blob(parts, {type: kind});
      document.documentElement.dataset.clipBytes = clip.size;
      if (clip.size === 0) return say("The browser encoded nothing, so there is no clip.", "Close", () => {}, true);
      say(name + ", " + (clip.size / 1e6).toFixed(1) + " MB", "Download", () => download(name, clip), true);  // it is kept nowhere else
    };
    // What comes from an inactive recorder is the rest. Firefox sometimes says that it has stopped before it gives that.
    recorder.ondataavailable = ({data}) => {
      if (data.size > 0) parts.push(data);
      if (recorder.state !== "inactive" || parts.length === 0) return;
      whole = true;
      if (stopped) after(kLateData_ms, finish);
    };
    recorder.onstop = () => {
      stopped = true;
      after(whole ? kLateData_ms : kLongestEnding_ms, finish);
    };
    end = () => {
      if (recorder.state === "inactive") return;
      after(kLongestEnding_ms, finish);
      recorder.stop();
    };
    recorder.start(1000);
    button.setAttribute("aria-pressed", "true");
    after(kLongestClip_ms, end);
  };
  button.addEventListener("click", () => (end || start)());
}

function showFullScreen(canvas) {
  const button = document.getElementById("full-screen"), page = document.documentElement;
  if (!page.requestFullscreen) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else page.requestFullscreen().then(() => canvas.focus(), (error) => console.log("no full screen: " + error));
  });
}

function showTools(game, canvas) {
  document.getElementById("tools").hidden = false;
  // Keys that are pressed in the page's own controls are not the game's. A key that goes up may have gone down in the game.
  for (const id of ["tools", "files", "saved"]) {
    for (const type of ["keydown", "keypress"]) document.getElementById(id).addEventListener(type, (event) => event.stopPropagation());
  }
  document.getElementById("film").addEventListener("click", () => canvas.focus());
  document.getElementById("files").addEventListener("close", () => canvas.focus());
  document.getElementById("tools").addEventListener("toggle", (event) => { if (!event.target.open) canvas.focus(); });
  game.openFile = (path) => openFile(game.FS, path);
  showFiles(game.FS);
  showClips(game, canvas);
  showFullScreen(canvas);
}
