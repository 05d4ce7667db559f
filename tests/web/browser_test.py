#!/usr/bin/env python3
"""browser_test.py FOLDER NATIVE_PROGRAM OUT_FOLDER [--hash-steps N] [--seeds N] BROWSER…

Serves FOLDER (build/web) on the loopback interface and plays the game in real browsers, unseen, with software WebGL. Fails if the
graphics context is missing or lost, if a picture is blank, if there is an OpenGL error, an error or a warning on the console, if a
step's hash differs from NATIVE_PROGRAM's, or if the page does not do what docs/WEB.md says. Pictures go to OUT_FOLDER.
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
    """What one page reported."""

    def __init__(self):
        self.notes, self.pictures, self.hashes, self.result = [], {}, {}, None
        self.done = threading.Event()


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        """A browser that is killed drops its connections."""
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
        elif name in self.server.replays:
            file = self.server.replays[name]
        elif self.server.offline:
            return self.answer(b"", "text/plain", 503)
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
        elif what == "verdict":
            print("          " + body.decode(), flush=True)
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
                       "extensions.update.enabled": False, "dom.w3c_touch_events.enabled": 1, "browser.safebrowsing.malware.enabled": False, "services.settings.server": ""}


def firefox(profile, width, height, address):
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in FIREFOX_PREFERENCES.items()]
    (pathlib.Path(profile) / "user.js").write_text("\n".join(lines) + "\n")
    # Headless Firefox has no OpenGL: it runs under Xvfb, and Mesa draws in software.
    return ["xvfb-run", "-a", "-s", f"-screen 0 {width}x{height}x24", "firefox-esr", "--no-remote", "--kiosk",
            f"--width={width}", f"--height={height}", "--profile", profile, address]


BROWSERS = {"chromium": chromium, "firefox": firefox}


# Chromium's, to see the memory that a page holds, without what waits to be collected.
MEMORY_FLAGS = {"chromium": ["--js-flags=--expose-gc", "--enable-precise-memory-info"], "firefox": []}


def visit(server, browser, query, words, size=(1280, 720), hashes_only=False, home=None, flags=()):
    """Opens the page and waits until it reports. `home`: the profile of a returning visitor; else a new one."""
    if home is None:
        with tempfile.TemporaryDirectory(prefix="spellpool-web-", ignore_cleanup_errors=True) as home:
            return visit(server, browser, query, words, size, hashes_only, home, flags)
    server.visit, server.hashes_only = Visit(), hashes_only
    site, page = f"http://127.0.0.1:{server.server_port}", f"/{query}#{urllib.parse.urlencode(words)}"
    address = site + (f"/test/wait.html?{server.settle_s}#{urllib.parse.quote(page)}" if server.settle_s else page)
    profile = os.path.join(home, "profile")
    os.makedirs(profile, exist_ok=True)
    environment = dict(os.environ, HOME=home, XDG_CONFIG_HOME=home, XDG_CACHE_HOME=home, LIBGL_ALWAYS_SOFTWARE="1")
    with open(server.out / f"{browser}.log", "ab") as log:
        process = subprocess.Popen([*BROWSERS[browser](profile, *size, address), *flags], env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   start_new_session=True)
        try:
            for _ in range(server.longest_s):
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
        server.visit.notes.append(("error", f"{browser} reported nothing in {server.longest_s} s, or exited: see {server.out}/{browser}.log"))
    return server.visit


def wrong_in(server, seen, pictures=True):
    """The problems of a visit, one line each; writes its screenshots. `pictures`: a visit without any is a problem."""
    for file, body in seen.pictures.items():
        (server.out / file).write_bytes(body)
    wrong = [f"{kind}: {text}" for kind, text in seen.notes]
    result = seen.result or {}
    for picture in result.get("pictures", []):
        # A frame that nothing was drawn into has one shade; the arena, dark as it is, has more than eight.
        if picture["shades"] < 6 or picture["mean"] < 2:
            wrong.append(f"the picture is blank: {picture}")
    if pictures and not wrong and not result.get("pictures"):
        wrong.append("no picture was taken")
    if result.get("context_lost"):
        wrong.append("the graphics context was lost")
    return wrong


def check_play(server, browser, name, query, size, problems):
    words = {"what": "play", "name": f"{browser}_{name}", "wait_ms": 4000}
    seen = visit(server, browser, query, words, size)
    wrong = wrong_in(server, seen)
    result = seen.result or {}
    problems += [f"{browser} {name}: {line}" for line in wrong]
    if not wrong:
        picture = result["pictures"][0]
        print(f"{browser:9} {name:18} {picture['width']}x{picture['height']} in {result['page']}  {result['marks']} ms, {result['fps']:.1f} FPS, "
              f"{picture['shades']} of 32 shades, mean {picture['mean']:.1f}, no error ({result['renderer']})", flush=True)


def check_page(server, browser, problems):
    """Keys, touch, clips and a lost WebGL context; a second visit offline; replays by address and dropped."""
    layout = "layout-out=/tmp/layout.json"
    with tempfile.TemporaryDirectory(prefix="spellpool-web-", ignore_cleanup_errors=True) as home:
        for what, query in (("page", f"?scene=spells&{layout}"), ("again", f"?scene=spells&{layout}")):
            server.offline = what == "again"
            seen = visit(server, browser, query, {"what": what, "name": f"{browser}_{what}"}, home=home)
            wrong = wrong_in(server, seen)
            problems += [f"{browser} {what}: {line}" for line in wrong]
            if not wrong:
                print(f"{browser:9} {what:18} {({key: value for key, value in seen.result.items() if key != 'pictures'})}", flush=True)
            server.offline = False
            if wrong:
                return
    wrong = wrong_in(server, visit(server, browser, f"?replay=spells.replay&{layout}", {"what": "drop", "name": f"{browser}_drop"}))
    for name, verified in server.verified.items():
        seen = visit(server, browser, "", {"what": "verify", "replay": name}, hashes_only=True)
        wrong += [f"{name}: {kind}: {text}" for kind, text in seen.notes]
        told = (seen.result or {}).get("lines", [])
        if told != verified:
            wrong.append(f"verify-replay says of {name} {told}, natively {verified}")
    problems += [f"{browser} replay: {line}" for line in wrong]
    if not wrong:
        print(f"{browser:9} replay             plays by its address and dropped; of each scene one: {told[-1]}, as natively", flush=True)


def check_record(server, browser, problems):
    """The first frames of a game do not allocate."""
    for scene in ("spells", "shooter"):
        seen = visit(server, browser, f"?scene={scene}&autoplay&seed=7", {"what": "record", "name": f"{browser}_record_{scene}"})
        wrong = wrong_in(server, seen)
        problems += [f"{browser} record {scene}: {line}" for line in wrong]
        if not wrong:
            told = seen.result
            print(f"{browser:9} {scene:18} {told['allocations']} allocations in its first {told['recorded_frames']} frames less three, the longest frame "
                  f"took {told['longest_frame']['ms']} ms", flush=True)


def check_test(server, problems):
    """The test notices each planted fault."""
    for broken, word in (("context", "WebGL"), ("lost", "was lost"), ("blank", "blank"), ("gl", "OpenGL error"), ("console", "planted")):
        seen = visit(server, "chromium", "?autoplay&seed=7", {"what": "play", "name": "broken", "wait_ms": 1000, "break": broken})
        wrong = wrong_in(server, seen)
        if not any(word in line for line in wrong):
            problems.append(f"this test does not see that {broken} is broken: {wrong}")
    print("chromium  this test          sees five things that are broken on purpose", flush=True)


def record_replays(program, folder):
    """Replays of the native program by their names, and what verify-replay says of them there."""
    files, verified = {}, {}
    environment = dict(os.environ, XDG_CONFIG_HOME=str(folder), XDG_DATA_HOME=str(folder))
    for scene in ("spells", "shooter"):
        name = scene + ".replay"
        files[name] = folder / name
        subprocess.run([program, "--headless", "--sim-only", "--autoplay", "--scene", scene, "--seed", "5", "--steps", "900", "--record-input", str(files[name])],
                       check=True, env=environment, stdout=subprocess.DEVNULL)
        verified[name] = subprocess.run([program, "verify-replay", str(files[name])], check=True, env=environment, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return files, verified


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
    """The comparisons in a page play all of their blocks, and find the same hashes on both sides: of strategies, and of allocators."""
    for form in ({"a": "heap", "b": "free_list", "load": "spells heavy_churn", "quads": 5, "steps": 120},
                 {"a": "heap", "a_allocator": "emmalloc", "b": "heap", "b_allocator": "mimalloc", "load": "spells default", "quads": 1, "steps": 120}):
        seen = visit(server, browser, "compare.html", {"what": "compare", "form": json.dumps(form)})
        wrong = [f"{kind}: {text}" for kind, text in seen.notes]
        result = seen.result or {}
        plan = json.dumps(result.get("plan"))
        if not wrong and (result.get("code") != 0 or result.get("state") != "done" or not result.get("report")):
            wrong.append(f"the comparison did not end well: {result}")
        wrong += [f"run.json does not name {form[name]}: {plan}" for name in ("a_allocator", "b_allocator") if name in form and form[name] not in plan]
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
    parser.add_argument("--only", choices=["play", "page", "record", "test", "compare", "hashes", "long", "verdicts"])
    parser.add_argument("--picture", help="of --only play: title, arena, shooter, phone or large alone")
    parser.add_argument("--settle", type=int, default=0, metavar="SECONDS",
                        help="the browser runs for so long before it opens a page: its own start, in a new profile, takes both processors")
    parser.add_argument("--form", default="{}", help="of --only verdicts: choices of compare.html as JSON")
    parser.add_argument("--times", type=int, default=20, help="of --only verdicts")
    parser.add_argument("--seconds", type=int, default=600, help="of --only long")
    parser.add_argument("--size", default="1280x720", help="of --only long")
    parser.add_argument("--query", default="?autoplay&seed=7", help="of --only long")
    parser.add_argument("browsers", nargs="+", choices=list(BROWSERS))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for browser in options.browsers:
        command = {"chromium": "chromium", "firefox": "firefox-esr"}[browser]
        if shutil.which(command) is None:
            print(f"{command} is not installed", file=sys.stderr)
            return 2
    server = Server(("127.0.0.1", 0), Handler)
    server.folder, server.out, server.offline, server.longest_s = options.folder, options.out, False, LONGEST_S
    server.settle_s = options.settle
    threading.Thread(target=server.serve_forever, daemon=True).start()
    problems = []
    runs = hash_runs(options.hash_steps, options.seeds)
    native = native_hashes(options.native, runs) if options.only in (None, "hashes") else {}
    with tempfile.TemporaryDirectory(prefix="spellpool-web-") as folder:
        server.replays, server.verified = record_replays(options.native, pathlib.Path(folder)) if options.only in (None, "page") else ({}, {})
        check_all(server, options, runs, native, problems)
    for line in problems:
        print("WRONG     " + line)
    print(f"{len(problems)} problems; pictures in {options.out}")
    return 1 if problems else 0


def check_all(server, options, runs, native, problems):
    if options.only == "long":
        server.longest_s = options.seconds + 120
        words = {"what": "long", "seconds": options.seconds}
        for browser in options.browsers:
            seen = visit(server, browser, options.query, words, tuple(map(int, options.size.split("x"))), flags=MEMORY_FLAGS[browser])
            problems += [f"{browser}: {line}" for line in wrong_in(server, seen, pictures=False)]
            for sample in (seen.result or {}).get("samples", []):
                print(browser, sample, flush=True)
        return
    if options.only == "verdicts":
        server.longest_s = 3600
        for browser in options.browsers:
            seen = visit(server, browser, "compare.html", {"what": "compare", "form": options.form, "times": options.times})
            problems += [f"{browser}: {line}" for line in wrong_in(server, seen, pictures=False)]
            print(browser, (seen.result or {}).get("environment"), (seen.result or {}).get("conditions"), flush=True)
        return
    if options.only in (None, "test") and "chromium" in options.browsers:
        check_test(server, problems)
    for browser in options.browsers:
        if options.only in (None, "play"):
            plays = (("title", "", (1280, 720)), ("arena", "?autoplay&seed=7", (1280, 720)), ("shooter", "?scene=shooter&autoplay&seed=7", (1280, 720)),
                     ("phone", "?autoplay&seed=7", (390, 844)), ("large", "?autoplay&seed=7", (2560, 1440)))
            for name, query, size in plays:
                if options.picture not in (None, name):
                    continue
                check_play(server, browser, name, query, size, problems)
        if options.only in (None, "page"):
            check_page(server, browser, problems)
        if options.only in (None, "record"):
            check_record(server, browser, problems)
        if options.only in (None, "compare"):
            check_compare(server, browser, problems)
        if options.only in (None, "hashes"):
            check_hashes(server, browser, runs, native, problems)


sys.exit(main())
