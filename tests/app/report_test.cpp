// What a comparison writes, read back by readers that share nothing with the program; and what it makes of other tools' files.
#include "program.hpp"

#include <regex>

namespace spellpool::app {
namespace {

class ReportProgram : public ProgramTest {
 protected:
  void compare(const std::string& out) {
    const Outcome outcome = run("compare --scene storage --objects 1500 --quads 2 --steps 100 --out " + out);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  nlohmann::json python(const std::string& arguments) {
    const Outcome outcome = shell("python3 '" SPELLPOOL_SOURCE_DIR "/tests/app/read_recordings.py' " + arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out, nullptr, false);
  }
};

#define NEEDS(NAME) \
  if (!have_command(NAME)) GTEST_SKIP() << "skipped: no " NAME " here; apt-get install it"

TEST_F(ReportProgram, EveryTableIsReadByTheRulesOfTheProgramsItIsFor) {
  NEEDS("python3");
  compare("r");
  const auto frames = python("frames r/frames.csv");
  EXPECT_EQ(frames[0]["frames"], 800);
  EXPECT_EQ(frames[0]["blocks"], 8);
  EXPECT_EQ(frames[0]["strategies"], (std::vector<std::string>{"free_list", "heap"}));
  const auto mangohud = python("mangohud r/a_heap_mangohud.csv r/b_free_list_mangohud.csv");
  const auto capframex = python("capframex r/a_heap_capframex.csv r/b_free_list_capframex.csv");
  for (std::size_t arm = 0; arm < 2; ++arm) {
    EXPECT_EQ(mangohud[arm]["frames"], 400);
    EXPECT_EQ(capframex[arm]["frames"], 400);
    EXPECT_NEAR(mangohud[arm]["total_ms"].get<double>(), capframex[arm]["total_ms"].get<double>(), 0.01);
  }
  const auto trace = python("trace r/trace.json");
  EXPECT_GT(trace[0]["frames"]["1"], 90);
  EXPECT_GT(trace[0]["frames"]["2"], 90);
}

TEST_F(ReportProgram, DebiansCompareReadsTheBenchmarks) {
  std::string compare_py;
  for (const char* path : {"/usr/share/benchmark/compare.py", "/usr/bin/google-benchmark-compare", "/usr/share/doc/libbenchmark-tools/compare.py"}) {
    if (std::filesystem::exists(path)) compare_py = path;
  }
  if (compare_py.empty()) GTEST_SKIP() << "skipped: no compare.py of Google Benchmark; apt-get install libbenchmark-tools";
  if (shell("python3 -c 'import scipy'").exit_code != 0) GTEST_SKIP() << "skipped: compare.py needs SciPy; apt-get install python3-scipy";
  compare("r");
  for (const char* how : {"benchmarks r/gbench_a.json r/gbench_b.json", "filters r/gbench.json heap free_list"}) {
    const Outcome outcome = shell("python3 " + compare_py + " --no-utest " + how);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("storage"), std::string::npos) << outcome.out;
  }
}

TEST_F(ReportProgram, ThePageAsksNobodyForAnything) {
  compare("r");
  const std::string page = read("r/report.html");
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  // Addresses may stand in a name space; nothing may be loaded from one.
  for (const char* way : {"src=\"http", "href=\"http", "url(http", "@import", "fetch(", "XMLHttpRequest", "src='http"}) EXPECT_EQ(page.find(way), std::string::npos) << way;
  EXPECT_NE(page.find("lang=\"en\""), std::string::npos);
  EXPECT_NE(page.find("aria-label"), std::string::npos);
  EXPECT_NE(page.find(read_json("r/run.json")["equal_work"]["replay_hash"].get<std::string>()), std::string::npos);
  EXPECT_EQ(read("r/share.png").substr(1, 3), "PNG");
  EXPECT_EQ(read("r/share.png").substr(16, 8), std::string("\0\0\x04\xb0\0\0\x02\x76", 8)) << "1200 by 630";
  EXPECT_EQ(read("r/summary.svg").substr(0, 4), "<svg");
  EXPECT_NE(read("r/report.md").find("summary.svg"), std::string::npos);
}

TEST_F(ReportProgram, LabelsOfTheAxesLieInsideTheirPicture) {
  NEEDS("node");
  for (const double spike_ms : {2.0, 138.12, 1'038.12, 12'345.67, 1'234'567.0}) {
    std::string text = "Application,TimeInSeconds,MsBetweenPresents\n";
    for (int i = 0; i < 900; ++i) text += "game,0," + std::to_string(i == 400 ? spike_ms : 1'000.0 + i) + "\n";
    write("long.csv", text);
    const std::string out = "r" + std::to_string(spike_ms);
    ASSERT_EQ(run("report long.csv --out " + out).exit_code, 0);
    const Outcome outcome = shell("node '" SPELLPOOL_SOURCE_DIR "/tests/app/report_axes.mjs' " + out + "/report.html");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const nlohmann::json told = nlohmann::json::parse(outcome.out);
    EXPECT_GT(told["written"], 10);
    EXPECT_TRUE(told["outside"].empty()) << spike_ms << ": " << told["outside"].dump();
  }
}

// The page in a real browser, headless, with the network off.
class ReportInChromium : public ReportProgram {
 protected:
  void SetUp() override {
    ReportProgram::SetUp();
    NEEDS("chromium");
  }
  Outcome browse(const std::string& page, const std::string& arguments) {
    return shell("timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-background-networking --disable-component-update "
                 "--disable-sync --user-data-dir=" + path("chromium") + " --host-resolver-rules='MAP * ~NOTFOUND' --virtual-time-budget=5000 " + arguments + " file://" + path(page));
  }
  /// What the page itself asked of the network while it was shown. The browser's own requests come from no origin.
  std::vector<std::string> requests_of(const std::string& page) {
    const Outcome outcome = browse(page, "--log-net-log=" + path("net.json") + " --dump-dom");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    std::string text = read("net.json");
    nlohmann::json log = nlohmann::json::parse(text, nullptr, false);
    if (log.is_discarded()) log = nlohmann::json::parse(text.substr(0, text.find_last_of('}') + 1) + "]}", nullptr, false);
    std::vector<std::string> requests;
    EXPECT_TRUE(log.is_object() && log.contains("events")) << text.size() << " bytes of net log";
    if (!log.is_object() || !log.contains("events")) return requests;
    for (const auto& event : log["events"]) {
      if (!event.contains("params") || !event["params"].is_object() || !event["params"].contains("url") || !event["params"].contains("initiator")) continue;
      const std::string url = event["params"]["url"], from = event["params"]["initiator"];
      if (from != "not an origin" && url.rfind("file:", 0) != 0 && url.rfind("data:", 0) != 0 && url.rfind("blob:", 0) != 0) requests.push_back(url);
    }
    return requests;
  }
  /// A comparison with a spike that cannot be missed, and its page.
  void compare_with_spikes() {
    compare("r");
    std::string table = read("r/frames.csv");
    // The frame time of a row in the middle of a block, 40 ms.
    std::size_t at = 0;
    for (int line = 0; line < 60; ++line) at = table.find('\n', at) + 1;
    for (int column = 0; column < 8; ++column) at = table.find(',', at) + 1;
    table.replace(at, table.find(',', at) - at, "40000.000");
    write("r/frames.csv", table);
    ASSERT_EQ(run("report r --out s").exit_code, 0);
  }
};

TEST_F(ReportInChromium, TwoRecordingsOfAHundredThousandFramesAreShown) {
  for (const char* name : {"one.csv", "two.csv"}) {
    std::string text = "os,cpu,gpu,ram,kernel,driver,cpuscheduler\nLinux,c,g,1,k,d,s\nfps,frametime,elapsed\n";
    double elapsed = 0;
    for (int i = 0; i < 100'000; ++i) {
      const double ms = 8.0 + 0.001 * (i * 7919 % 1000) + (i % 9'973 == 0 ? 40 : 0);
      elapsed += ms * 1e6;
      text += std::to_string(1000 / ms) + "," + std::to_string(ms) + "," + std::to_string(elapsed) + "\n";
    }
    write(name, text);
  }
  ASSERT_EQ(run("report one.csv two.csv --out r").exit_code, 0);
  const Outcome outcome = browse("r/report.html", "--dump-dom");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::smatch ready;
  const std::string head = outcome.out.substr(0, 2'000);
  ASSERT_TRUE(std::regex_search(head, ready, std::regex("data-ready=\"1\" data-open-ms=\"([0-9]+)\""))) << head;
  // How long it took is told; a second is what it should take on a machine that has nothing else to do.
  std::printf("opened in %s ms\n", ready[1].str().c_str());
  RecordProperty("open_ms", ready[1].str());
  EXPECT_NE(outcome.out.find("100,000 frames"), std::string::npos);
  EXPECT_NE(outcome.out.find("1 % low (average)"), std::string::npos) << "the script ran to its end";
}

TEST_F(ReportInChromium, NoRequestLeavesThePage) {
  compare_with_spikes();
  EXPECT_EQ(requests_of("s/report.html"), std::vector<std::string>{});
  // One that would be seen: the same page, allowed to ask, with a picture from elsewhere.
  std::string page = read("s/report.html");
  page = std::regex_replace(page, std::regex("<meta http-equiv=\"Content-Security-Policy\"[^>]*>"), "");
  page.insert(page.find("<main"), "<img src=\"http://example.invalid/x.png\">");
  write("asking.html", page);
  EXPECT_EQ(requests_of("asking.html").size() > 0, true);
  // And the page's own policy keeps it in.
  std::string held = read("s/report.html");
  held.insert(held.find("<main"), "<img src=\"http://example.invalid/x.png\">");
  write("held.html", held);
  EXPECT_EQ(requests_of("held.html"), std::vector<std::string>{});
}

TEST_F(ReportInChromium, BothThemesArePainted) {
  NEEDS("python3");
  compare_with_spikes();
  for (const bool dark : {false, true}) {
    const std::string name = dark ? "dark.png" : "light.png";
    const Outcome outcome = browse("s/report.html", std::string(dark ? "--force-dark-mode " : "") + "--window-size=1200,1800 --screenshot=" + path(name));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto picture = python("picture " + name)[0];
    EXPECT_EQ(picture["width"], 1200);
    const double ground = picture["usual"];
    EXPECT_TRUE(dark ? ground < 40 : ground > 235) << name << ": " << ground;
    EXPECT_GT(picture["shades"].get<int>(), 60) << name << " shows something";
  }
}

TEST_F(ReportInChromium, ASpikeOpensByKeyAndByClickWithItsPhasesAndItsPlaceInTheTrace) {
  compare_with_spikes();
  for (const char* act : {"document.getElementById('overlay').dispatchEvent(new KeyboardEvent('keydown',{key:'n'}))",
                          "document.querySelector('[data-spike]').click()",
                          "document.getElementById('next').click()"}) {
    std::string page = read("s/report.html");
    page.insert(page.rfind("</body>"), std::string("<script>") + act + "</script>");
    write("acted.html", page);
    const Outcome outcome = browse("acted.html", "--dump-dom");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    std::smatch told;
    ASSERT_TRUE(std::regex_search(outcome.out, told, std::regex("id=\"spike\"[^>]*>([^<]+)</p>"))) << act;
    const std::string words = told[1];
    for (const char* part : {"block ", "step ", " new, ", " delete", "In trace.json: spike "}) EXPECT_NE(words.find(part), std::string::npos) << act << ": " << words;
    const std::string name = words.substr(words.find("spike "), words.find(", at ") - words.find("spike "));
    EXPECT_NE(read("s/trace.json").find("\"" + name + "\""), std::string::npos) << name;
    EXPECT_NE(outcome.out.find("aria-label=\"this frame: "), std::string::npos) << act;
    EXPECT_NE(outcome.out.find("aria-label=\"a usual one: "), std::string::npos) << act;
  }
}

TEST_F(ReportProgram, ReportsAreMadeAgainFromAFolderAndFromOneThatWasKilled) {
  compare("r");
  const std::string first = read("r/report.html");
  Outcome outcome = run("report r");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read("r/report.html"), first) << "nothing is overwritten";
  EXPECT_EQ(read("r/report-2.html"), first) << "the same page, from the files alone";
  shell("$P compare --scene storage --objects 1500 --quads 100 --steps 100 --out k & PID=$!; appeared k/run.json; kill -KILL $PID; wait $PID");
  ASSERT_TRUE(std::filesystem::exists(folder_ / "k/run.json"));
  outcome = run("report k --out k2");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(std::regex_search(read("k2/report.html"), std::regex("[Uu]nfinished")));
}

TEST_F(ReportProgram, TakesRecordingsOfAnyGame) {
  write("mango.csv", "os,cpu,gpu,ram,kernel,driver,cpuscheduler\nDebian,c,g,1,k,d,s\nfps,frametime,cpu_load,elapsed\n100,10000,0,10000000\n50,20000,0,30000000\n");
  write("cx.csv", "//GameName=Some Game\n//Processor=X\nApplication,ProcessID,Dropped,TimeInSeconds,MsBetweenPresents\ngame.exe,1,0,0.02,20\ngame.exe,1,1,0.04,20\n");
  write("pm1.csv", "Application,ProcessID,TimeInSeconds,msBetweenPresents,Dropped\ndwm.exe,2,0.0,5,0\ngame.exe,1,0.01,10,0\ngame.exe,1,0.02,30,0\ngame.exe,1,0.02,NA,0\n");
  write("pm2.csv", "Application,ProcessID,CPUStartTime,FrameTime,GPUTime\n\"a, game.exe\",1,0,8,NA\n\"a, game.exe\",1,8,16,3\n\"a, game.exe\",1,24,NA,3\n");
  const struct { const char* file; const char* says[3]; } cases[] = {
      {"mango.csv", {"MangoHud", "frametime is in µs", "10.00 ms"}},
      {"cx.csv", {"Some Game", "1 frames were presented and never shown", "20.00 ms"}},
      {"pm1.csv", {"PresentMon 1", "the file also has dwm.exe (1 frame), left out; --process NAME chooses", "1 rows have no time (NA)"}},
      {"pm2.csv", {"PresentMon 2", "a, game.exe", "8.000 ms"}},
  };
  for (const auto& one : cases) {
    const std::string out = std::string(one.file) + ".d";
    const Outcome outcome = run(std::string("report ") + one.file + " --out " + out);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string text = read(out + "/report.html") + read(out + "/report.md");
    for (const char* words : one.says) EXPECT_NE(text.find(words), std::string::npos) << one.file << ": " << words;
  }
  const Outcome both = run("report pm1.csv pm2.csv --out both");
  EXPECT_EQ(both.exit_code, 0);
  EXPECT_NE(both.out.find("their work was not proven equal"), std::string::npos) << both.out;
  EXPECT_NE(read("both/report.html").find("not proven equal"), std::string::npos);
}

TEST_F(ReportProgram, OneOfSeveralProcessesIsChosenAndTheOthersAreListed) {
  std::string text = "Application,ProcessID,TimeInSeconds,msBetweenPresents,Dropped\n";
  for (int i = 0; i < 4; ++i) text += "dwm.exe,2,0.0,5,1\n";
  for (int i = 0; i < 3; ++i) text += "Game.exe,1,0.0,20,0\n";
  write("pm.csv", text + "Game.exe,1,0.0,NA,0\nidle.exe,3,0.0,NA,0\n");
  write("mango.csv", "os,cpu,gpu,ram,kernel,driver,cpuscheduler\nDebian,c,g,1,k,d,s\nfps,frametime,cpu_load\n100,10,0\n");
  const auto expect = [&](const Outcome& outcome, int code, const std::string& out, const std::string& err) {
    EXPECT_EQ(outcome.exit_code, code) << outcome.err;
    EXPECT_NE(outcome.out.find(out), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.err.find(err), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.error_lines(), err.empty() ? 0u : 1u) << outcome.err;
  };
  expect(run("report pm.csv --out all"), 0, "dwm.exe: 5.00 ms",
         "pm.csv: reads dwm.exe (4 frames); the file also has Game.exe (3 frames), idle.exe (0 frames); --process NAME chooses");
  expect(run("report pm.csv --process gAME.EXE --out game"), 0, "Game.exe: 20.00 ms", "also has dwm.exe (4 frames)");
  const std::string game = read("game/report.html");
  EXPECT_NE(game.find("1 rows have no time (NA)"), std::string::npos) << "of this process alone";
  EXPECT_EQ(game.find("never shown"), std::string::npos) << "the other process dropped frames";
  expect(run("report pm.csv --process game --out none"), 2, "",
         "--process: pm.csv has no process 'game'; there are: dwm.exe (4 frames), Game.exe (3 frames), idle.exe (0 frames)");
  expect(run("report pm.csv --process idle.exe --out none"), 2, "", "pm.csv: holds no frame of idle.exe");
  expect(run("report mango.csv --process Game.exe --out none"), 2, "", "--process: mango.csv names no process; leave it out");
  expect(run("report . --process Game.exe --out none"), 2, "", "--process: . is a comparison; leave it out");
  expect(run("report pm.csv --process '' --out none"), 2, "", "--process: it is empty");
  expect(run("report pm.csv mango.csv --process Game.exe --out both"), 0, "mango / Game.exe", "also has");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none"));
  EXPECT_NE(run("report --help").out.find("--process NAME"), std::string::npos);
}

TEST_F(ReportProgram, BadRecordingsAreOneLineThatNamesThem) {
  write("empty.csv", "");
  write("other.csv", "a,b\n1,2\n");
  write("short.csv", "Application,TimeInSeconds,MsBetweenPresents\ng,1,2\ng,1\ng,1,2\n");
  write("none.csv", "Application,TimeInSeconds,MsBetweenPresents\ng,1,NA\n");
  const struct { const char* file; const char* says; } cases[] = {
      {"empty.csv", "no column"}, {"other.csv", "no column"}, {"short.csv", "line 3"}, {"none.csv", "no frame"}, {"missing.csv", "cannot read"}, {"nowhere", "cannot read"}};
  for (const auto& one : cases) {
    const Outcome outcome = run(std::string("report ") + one.file + " --out x");
    EXPECT_EQ(outcome.exit_code, 2) << one.file;
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find(one.says), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find(one.file), std::string::npos) << outcome.err;
  }
  write("ok.csv", "Application,TimeInSeconds,MsBetweenPresents\ng,1,2\n");
  EXPECT_EQ(run("report ok.csv --out /dev/null/x").exit_code, 2);
}

}  // namespace
}  // namespace spellpool::app
