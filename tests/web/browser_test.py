#!/usr/bin/env python3
"""browser_test.py FOLDER NATIVE_PROGRAM OUT_FOLDER [--hash-steps N] [--seeds N] BROWSER…

Serves FOLDER (build/web) on the loopback interface and plays the game in real browsers, unseen, with software WebGL. Fails if the
graphics context is missing or lost, if a picture is blank, if there is an OpenGL error, an error or a warning on the console, or if a
step's hash differs from NATIVE_PROGRAM's. Pictures go to OUT_FOLDER.
BROWSER is chromium or firefox. Exit codes: 0 all is well, 1 something is not, 2 a browser is missing."""
import argparse
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
LONGEST_S = 300
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml",
         ".tar": "application/x-tar"}


class Visit:
    """What one page told."""

    def __init__(self):
        self.notes, self.pictures, self.hashes, self.result = [], {}, {}, None
        self.done = threading.Event()


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        """A browser that is ended breaks its connections off."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, body, kind, status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = urllib.parse.urlparse(self.path).path
        name = "index.html" if path == "/" else path[1:]
        if name.startswith("test/"):
            file = HERE / pathlib.PurePosixPath(name).name
        else:
            file = self.server.folder / pathlib.PurePosixPath(name).name
        if not file.is_file():
            return self.answer(b"", "text/plain", 404)
        body = file.read_bytes()
        if file.suffix == ".html":
            body = body.replace(b"<head>", b'<head><script src="/test/probe.js"></script>')
            if self.server.hashes_only:
                body = body.replace(b'<script src="page.js" defer>', b'<script src="program.js" defer>')
        self.answer(body, TYPES.get(file.suffix, "application/octet-stream"))

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        visit, what = self.server.visit, self.path[len("/test/"):]
        if what == "note":
            kind, text = body.decode().split("\n", 1)
            visit.notes.append((kind, text))
        elif what.startswith("picture/"):
            visit.pictures[what[len("picture/"):]] = body
        elif what.startswith("hashes/"):
            visit.hashes[what[len("hashes/"):]] = body.decode()
        elif what == "done":
            visit.result = json.loads(body)
        self.answer(b"", "text/plain")
        if what == "done":
            visit.done.set()


APP_BAR_PX = 56  # the bar above the page


def chromium(profile, width, height, address):
    return ["chromium", "--headless=new", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
            "--autoplay-policy=no-user-gesture-required", "--no-first-run", "--disable-background-networking", "--disable-dev-shm-usage",
            f"--user-data-dir={profile}", f"--window-size={width},{height + APP_BAR_PX}", f"--app={address}"]


FIREFOX_PREFERENCES = {"webgl.force-enabled": True, "layout.css.devPixelsPerPx": "1", "media.autoplay.default": 0, "browser.shell.checkDefaultBrowser": False,
                       "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.enabled": False, "app.update.enabled": False,
                       "browser.aboutwelcome.enabled": False, "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
                       "extensions.update.enabled": False, "browser.safebrowsing.malware.enabled": False, "services.settings.server": ""}


def firefox(profile, width, height, address):
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in FIREFOX_PREFERENCES.items()]
    (pathlib.Path(profile) / "user.js").write_text("\n".join(lines) + "\n")
    # Headless, it has no OpenGL: it gets a screen that nobody sees, and Mesa draws in software.
    return ["xvfb-run", "-a", "-s", f"-screen 0 {width}x{height}x24", "firefox-esr", "--no-remote", "--kiosk", "--profile", profile, address]


BROWSERS = {"chromium": chromium, "firefox": firefox}


def visit(server, browser, query, words, size=(1280, 720), hashes_only=False):
    """Opens the page and waits for its word."""
    server.visit, server.hashes_only = Visit(), hashes_only
    address = f"http://127.0.0.1:{server.server_port}/{query}#{urllib.parse.urlencode(words)}"
    with tempfile.TemporaryDirectory(prefix="spellpool-web-", ignore_cleanup_errors=True) as home:
        profile = os.path.join(home, "profile")
        os.mkdir(profile)
        environment = dict(os.environ, HOME=home, XDG_CONFIG_HOME=home, XDG_CACHE_HOME=home, LIBGL_ALWAYS_SOFTWARE="1")
        with open(server.out / f"{browser}.log", "ab") as log:
            process = subprocess.Popen(BROWSERS[browser](profile, *size, address), env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                       start_new_session=True)
            try:
                for _ in range(LONGEST_S):
                    if server.visit.done.wait(1) or process.poll() is not None:
                        break
            finally:
                try:
                    os.killpg(process.pid, 15)
                    process.wait(10)
                except (ProcessLookupError, subprocess.TimeoutExpired):
                    pass
                try:
                    os.killpg(process.pid, 9)
                except ProcessLookupError:
                    pass
                process.wait()
    if server.visit.result is None:
        server.visit.notes.append(("error", f"{browser} told nothing in {LONGEST_S} s, or ended: see {server.out}/{browser}.log"))
    return server.visit


def check_play(server, browser, name, query, size, problems):
    words = {"what": "play", "name": f"{browser}_{name}", "wait_ms": 4000}
    seen = visit(server, browser, query, words, size)
    for file, body in seen.pictures.items():
        (server.out / file).write_bytes(body)
    wrong = [f"{kind}: {text}" for kind, text in seen.notes]
    result = seen.result or {}
    for picture in result.get("pictures", []):
        # A frame that nothing was drawn into has one shade; the arena, dark as it is, has more than eight.
        if picture["shades"] < 6 or picture["mean"] < 2:
            wrong.append(f"the picture is blank: {picture}")
    if not wrong and not result.get("pictures"):
        wrong.append("no picture was taken")
    if result.get("context_lost"):
        wrong.append("the graphics context was lost")
    problems += [f"{browser} {name}: {line}" for line in wrong]
    if not wrong:
        picture = result["pictures"][0]
        print(f"{browser:9} {name:18} {picture['width']}x{picture['height']}  playing after {result['playing_ms']:.0f} ms, {result['fps']:.1f} FPS, "
              f"{picture['shades']} of 32 shades, mean {picture['mean']:.1f}, no error ({result['renderer']})", flush=True)


def hash_runs(steps, seeds):
    runs = []
    for scene in ("spells", "shooter"):
        for seed in range(1, seeds + 1):
            common = ["--headless", "--sim-only", "--autoplay", "--steps", str(steps), "--scene", scene, "--seed", str(seed)]
            for strategy in ("heap", "free_list", "bitmap", "dense"):
                runs.append({"name": f"{scene}-{seed}-{strategy}", "options": common + ["--strategy", strategy]})
            runs.append({"name": f"{scene}-{seed}-switching", "options": common + ["--switch-every", "100"]})
    return runs


def check_hashes(server, browser, runs, native, problems):
    seen = visit(server, browser, "", {"what": "hashes", "runs": json.dumps(runs)}, hashes_only=True)
    problems += [f"{browser} hashes: {kind}: {text}" for kind, text in seen.notes]
    different = 0
    for run in runs:
        if seen.hashes.get(run["name"]) == native[run["name"]]:
            continue
        different += 1
        problems.append(f"{browser} hashes: {run['name']} differs from the native run" if run["name"] in seen.hashes else f"{browser} hashes: {run['name']} is missing")
    print(f"{browser:9} {len(runs)} runs of the simulation, {different} differ from the native ones", flush=True)


def check_compare(server, browser, problems):
    """The comparison in a page plays all of its blocks, and finds the same hashes on both sides."""
    form = {"a": "heap", "b": "free_list", "scene": "spells", "quads": 5, "steps": 300}
    seen = visit(server, browser, "compare.html", {"what": "compare", "form": json.dumps(form)})
    wrong = [f"{kind}: {text}" for kind, text in seen.notes]
    result = seen.result or {}
    if not wrong and (result.get("code") != 0 or result.get("state") != "done" or not result.get("report")):
        wrong.append(f"the comparison did not end well: {result}")
    problems += [f"{browser} compare: {line}" for line in wrong]
    if not wrong:
        print(f"{browser:9} compare            {result['verdict']}  ({result['conditions']})", flush=True)


def native_hashes(program, runs):
    hashes = {}
    with tempfile.TemporaryDirectory(prefix="spellpool-web-") as home:
        environment = dict(os.environ, XDG_CONFIG_HOME=home, XDG_DATA_HOME=home)
        for run in runs:
            file = pathlib.Path(home) / "hashes"
            subprocess.run([program, *run["options"], "--hash-out", str(file)], check=True, env=environment, stdout=subprocess.DEVNULL)
            hashes[run["name"]] = file.read_text()
            if hashes[run["name"]].count("\n") != int(run["options"][run["options"].index("--steps") + 1]):
                sys.exit(f"{program}: too few hashes for {run['name']}")
    return hashes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("native")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--hash-steps", type=int, default=3600)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", choices=["play", "compare", "hashes"])
    parser.add_argument("browsers", nargs="+", choices=list(BROWSERS))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for browser in options.browsers:
        command = {"chromium": "chromium", "firefox": "firefox-esr"}[browser]
        if shutil.which(command) is None:
            print(f"{command} is not installed", file=sys.stderr)
            return 2
    server = Server(("127.0.0.1", 0), Handler)
    server.folder, server.out = options.folder, options.out
    threading.Thread(target=server.serve_forever, daemon=True).start()
    problems = []
    runs = hash_runs(options.hash_steps, options.seeds)
    native = native_hashes(options.native, runs) if options.only in (None, "hashes") else {}
    for browser in options.browsers:
        if options.only in (None, "play"):
            for name, query, size in (("title", "", (1280, 720)), ("arena", "?autoplay&seed=7", (1280, 720)), ("shooter", "?scene=shooter&autoplay&seed=7", (1280, 720)),
                                      ("phone", "?autoplay&seed=7", (390, 844)), ("large", "?autoplay&seed=7", (2560, 1440))):
                check_play(server, browser, name, query, size, problems)
        if options.only in (None, "compare"):
            check_compare(server, browser, problems)
        if options.only in (None, "hashes"):
            check_hashes(server, browser, runs, native, problems)
    for line in problems:
        print("WRONG     " + line)
    print(f"{len(problems)} problems; pictures in {options.out}")
    return 1 if problems else 0


sys.exit(main())
