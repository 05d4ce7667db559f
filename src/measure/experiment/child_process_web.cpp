// A page has no processes. The script that runs the program in a worker may run a child's command in another worker,
// whose instance and heap are as fresh as a process's, but only after this program has ended: run_child() hands the
// command to Module.runChild, which returns the exit code, or -1 to say "ask again next time". Module.expectChild
// gets the commands that will be asked for then. web/page/program.js plays `compare` and its --resume until no block
// is left to ask for.
#include <emscripten.h>

#include <cerrno>

#include "measure/experiment/child_process.hpp"
#include "measure/record/json_text.hpp"

namespace spellpool::measure {
namespace {

EM_JS(int, page_run_child, (const char* words), {
  return Module.runChild ? Module.runChild(JSON.parse(UTF8ToString(words))) : -2;
});

EM_JS(void, page_expect_child, (const char* words), {
  if (Module.expectChild) Module.expectChild(JSON.parse(UTF8ToString(words)));
});

std::string words_of(const std::vector<std::string>& argv) { return json_text(nlohmann::ordered_json(argv), -1); }

}  // namespace

bool children_run_later() { return true; }
void expect_child(const std::vector<std::string>& argv) { page_expect_child(words_of(argv).c_str()); }

ChildResult run_child(const std::vector<std::string>& argv, const std::string&, const std::atomic<bool>&, const std::function<void()>&) {
  const int code = page_run_child(words_of(argv).c_str());
  if (code == -2) return {ChildEnd::NotStarted, ENOSYS};
  if (code == -1) return {ChildEnd::Stopped, 0};
  return {ChildEnd::Exited, code};
}

ChildResult run_child_lines(const std::vector<std::string>&, const std::atomic<bool>&, double, const std::function<void(std::string_view)>&) {
  return {ChildEnd::NotStarted, ENOSYS};
}

int FedChild::start(const std::vector<std::string>&, const std::string&) { return ENOSYS; }
bool FedChild::write(std::string_view) { return false; }
ChildResult FedChild::finish() { return {ChildEnd::NotStarted, ENOSYS}; }
void FedChild::stop() {}

bool program_exists(const std::string&) { return false; }

}  // namespace spellpool::measure
