#include "render/gl/shader_library.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "render/builtin_shaders.hpp"

namespace spellpool::render {
namespace {

constexpr std::size_t kLargestFileBytes = 1u << 20;

// The first complaint of a compile log, as "file:line: reason". Drivers write "0:12(5): error: …" (Mesa),
// "0(12) : error …" (NVIDIA) or "ERROR: 0:12: …": the first number is the file's, the second the line.
std::string readable(std::string_view log, const std::vector<std::string>& files, const std::string& place) {
  const std::string_view line = log.substr(0, log.find('\n'));
  std::size_t at = 0;
  const auto number = [&](std::size_t& value) {
    const std::size_t begin = at;
    value = 0;
    while (at < line.size() && std::isdigit(static_cast<unsigned char>(line[at])) != 0) {
      value = value * 10 + static_cast<std::size_t>(line[at++] - '0');
    }
    return at > begin;
  };
  if (line.substr(0, 7) == "ERROR: ") at = 7;
  std::size_t file = 0;
  std::size_t row = 0;
  if (!number(file) || at >= line.size() || (line[at] != ':' && line[at] != '(')) {
    return place + files.front() + ": " + std::string(line);
  }
  ++at;
  if (!number(row) || file >= files.size()) return place + files.front() + ": " + std::string(line);
  std::size_t reason = line.find(": ", at);
  reason = reason == std::string_view::npos ? at : reason + 2;
  return place + files[file] + ":" + std::to_string(row) + ": " + std::string(line.substr(reason));
}

/// "void main(", however it is spaced.
bool has_main(std::string_view text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = text.find("main"); at != std::string_view::npos; at = text.find("main", at + 1)) {
    std::size_t after = at + 4;
    while (after < text.size() && is_space(text[after])) ++after;
    if (at > 0 && is_space(text[at - 1]) && after < text.size() && text[after] == '(') return true;
  }
  return false;
}

}  // namespace

ShaderLibrary::ShaderLibrary(std::string folder) : folder_(std::move(folder)) {
  if (!folder_.empty() && folder_.back() != '/') folder_ += '/';
  header_ =
      epoxy_is_desktop_gl() ? "#version 330 core\n" : "#version 300 es\nprecision highp float;\nprecision highp int;\n";
}

ShaderLibrary::~ShaderLibrary() {
  for (Program& program : programs_) free_program(program);
}

void ShaderLibrary::free_program(Program& program) {
  for (const GLuint shader : {program.vertex, program.fragment}) {
    if (shader != 0) glDeleteShader(shader);
  }
  if (program.id != 0) glDeleteProgram(program.id);
  program = {};
}

bool ShaderLibrary::text_of(std::string_view name, bool from_disk, std::string& text, std::string& problem) const {
  if (!from_disk) {
    const std::string_view builtin = text_named(builtin_shaders(), name);
    if (builtin.empty()) problem = std::string(name) + ": not built in";
    text.assign(builtin);
    return !builtin.empty();
  }
  const std::string path = folder_ + std::string(name);
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    problem = path + ": cannot be read";
    return false;
  }
  text.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  if (text.empty() || text.size() > kLargestFileBytes || text.find('\0') != std::string::npos) {
    problem = path + (text.empty() ? ": is empty" : ": is no shader text");
    return false;
  }
  return true;
}

bool ShaderLibrary::assemble(std::string_view name, std::string_view defines, bool from_disk, Source& source,
                             std::string& problem) const {
  std::string text;
  if (!text_of(name, from_disk, text, problem)) return false;
  std::string& whole = source.text;
  whole = header_;
  if (figure_light_ == FigureLightFrom::Attributes) whole += "#define LIGHT_IN_ATTRIBUTES\n";
  while (!defines.empty()) {
    const std::string_view word = defines.substr(0, defines.find(' '));
    whole.append("#define ").append(word).append("\n");
    defines.remove_prefix(std::min(word.size() + 1, defines.size()));
  }
  whole += "#line 1 0\n";
  source.files = {std::string(name)};
  std::size_t row = 1;
  for (std::size_t at = 0; at < text.size(); ++row) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t open = line.find('"');
    const std::size_t close = line.rfind('"');
    if (line.compare(0, 8, "#include") != 0 || open == close) {
      whole += line + "\n";
      continue;
    }
    const std::string included = line.substr(open + 1, close - open - 1);
    std::string part;
    if (included.find('/') != std::string::npos || !text_of(included, from_disk, part, problem)) {
      problem = from_disk ? folder_ : std::string();
      problem.append(name).append(":").append(std::to_string(row));
      problem.append(": cannot include \"").append(included).append("\"");
      return false;
    }
    whole.append("#line 1 ").append(std::to_string(source.files.size())).append("\n").append(part);
    whole.append("\n#line ").append(std::to_string(row + 1)).append(" 0\n");
    source.files.push_back(included);
  }
  // Some drivers link a stage without one, and the figure is gone without a word.
  if (!has_main(whole)) {
    problem = (from_disk ? folder_ : std::string()) + std::string(name) + ": has no main()";
    return false;
  }
  return true;
}

/// Submits one stage to the driver. No question is asked here: the answer would wait for the driver.
bool ShaderLibrary::submit(GLenum stage, std::string_view name, std::string_view defines, bool from_disk,
                           GLuint& shader, std::string& problem) const {
  Source source;
  if (!assemble(name, defines, from_disk, source, problem)) return false;
  shader = glCreateShader(stage);
  const char* text = source.text.c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  return true;
}

bool ShaderLibrary::submit(const ProgramRow& row, bool from_disk, Program& made, std::string& problem) const {
  made = {};
  if (!submit(GL_VERTEX_SHADER, row.vertex, row.defines, from_disk, made.vertex, problem) ||
      !submit(GL_FRAGMENT_SHADER, row.fragment, row.defines, from_disk, made.fragment, problem)) {
    free_program(made);
    return false;
  }
  made.id = glCreateProgram();
  glAttachShader(made.id, made.vertex);
  glAttachShader(made.id, made.fragment);
  glLinkProgram(made.id);
  return true;
}

/// Why a program does not link: the first stage that does not compile, else the two do not fit.
std::string ShaderLibrary::problem_of(const ProgramRow& row, bool from_disk, const Program& made) const {
  const std::string place = from_disk ? folder_ : std::string("built-in ");
  std::array<char, 2048> log{};
  for (const auto& [shader, name] : {std::pair(made.vertex, row.vertex), std::pair(made.fragment, row.fragment)}) {
    GLint good = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good == GL_TRUE) continue;
    glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), nullptr, log.data());
    Source source;
    std::string ignored;
    assemble(name, row.defines, from_disk, source, ignored);
    return readable(log.data(), source.files, place);
  }
  glGetProgramInfoLog(made.id, static_cast<GLsizei>(log.size()), nullptr, log.data());
  const std::string_view text = log.data();
  std::string problem = place;
  problem.append(row.fragment).append(": does not fit ").append(row.vertex).append(": ");
  problem.append(text.substr(0, text.find('\n')));
  return problem;
}

/// Waits for the driver.
bool ShaderLibrary::finish(const ProgramRow& row, bool from_disk, Program& made, std::string& problem) const {
  GLint good = GL_FALSE;
  glGetProgramiv(made.id, GL_LINK_STATUS, &good);
  if (good != GL_TRUE) {
    problem = problem_of(row, from_disk, made);
    free_program(made);
    return false;
  }
  // Attached, they would keep their texts and trees for as long as the program lives.
  for (GLuint* shader : {&made.vertex, &made.fragment}) {
    glDetachShader(made.id, *shader);
    glDeleteShader(*shader);
    *shader = 0;
  }
  glUseProgram(made.id);
  made.reads_light = false;
  for (const SamplerRow& sampler : kSamplers) {
    const GLint place = glGetUniformLocation(made.id, sampler.name);
    if (place < 0) continue;
    glUniform1i(place, static_cast<GLint>(sampler.id));
    made.reads_light |= sampler.id == TextureUnit::Light || sampler.id == TextureUnit::Bloom;
  }
  const GLuint block = glGetUniformBlockIndex(made.id, "Frame");
  if (block != GL_INVALID_INDEX) glUniformBlockBinding(made.id, block, kFrameBlockBinding);
  made.step = glGetUniformLocation(made.id, "u_step");
  glUseProgram(0);
  return true;
}

bool ShaderLibrary::make(const ProgramRow& row, bool from_disk, Program& out, std::string& problem) const {
  Program made;
  if (!submit(row, from_disk, made, problem) || !finish(row, from_disk, made, problem)) return false;
  free_program(out);
  out = made;
  return true;
}

void ShaderLibrary::set_figure_light(FigureLightFrom from) {
  if (figure_light_ == from) return;
  figure_light_ = from;
  bool any = false;
  for (const ProgramRow& row : kPrograms) {
    if (!takes_figure_light(row)) continue;
    Program& program = programs_[static_cast<std::size_t>(row.id)];
    const bool waits = program.queued;
    free_program(program);
    if (!is_begun(row.made_for)) continue;  // it came from a folder that is not as built
    program.queued = true;
    if (!waits) submit(row.id);
    any = true;
  }
  if (!any) return;
  fence_.set();
  if (!folder_.empty() && !folder_is_as_built()) reload();
}

void ShaderLibrary::queue(MadeFor group) {
  if (is_begun(group)) return;
  begun_[static_cast<std::size_t>(group)] = true;
  for (const ProgramRow& row : kPrograms) {  // what has() finds is from a folder that is not as built
    if (row.made_for == group && !has(row.id)) programs_[static_cast<std::size_t>(row.id)].queued = true;
  }
}

void ShaderLibrary::begin(MadeFor group) {
  queue(group);
  for (const ProgramRow& row : kPrograms) {
    if (row.made_for == group) submit(row.id);
  }
}

/// If it is queued.
void ShaderLibrary::submit(ProgramId id) {
  Program& program = programs_[static_cast<std::size_t>(id)];
  if (program.queued) submit(kPrograms[static_cast<std::size_t>(id)], false, program, warning_);
}

void ShaderLibrary::advance() {
  if (advanced_ && !is_usable(*advanced_)) return;
  if (advanced_) finish(*advanced_);  // while nothing else is submitted that this would wait for
  const auto is_queued = [this](ProgramId id) { return programs_[static_cast<std::size_t>(id)].queued; };
  advanced_ = std::exchange(wanted_, {});
  if (advanced_ && !is_queued(*advanced_)) advanced_.reset();  // used meanwhile
  for (const ProgramRow& row : kPrograms) {
    if (!advanced_ && is_queued(row.id)) advanced_ = row.id;
  }
  if (!advanced_) return;
  submit(*advanced_);
  fence_.set();
}

void ShaderLibrary::end_frame() {
  if (std::exchange(any_first_use_, false)) fence_.set();
}

bool ShaderLibrary::is_idle() {
  if (fence_.has_passed()) fence_.clear();
  return !fence_.is_set();
}

bool ShaderLibrary::finish(ProgramId id) {
  if (!is_begun(made_for(id))) begin(made_for(id));
  submit(id);
  Program& program = programs_[static_cast<std::size_t>(id)];
  return !program.is_pending() || finish(kPrograms[static_cast<std::size_t>(id)], false, program, warning_);
}

bool ShaderLibrary::is_usable(ProgramId id) {
  queue(made_for(id));
  const Program& program = programs_[static_cast<std::size_t>(id)];
  if (program.queued && !wanted_) wanted_ = id;
  return !program.queued && (!program.is_pending() || (is_idle() && links_are_done(program.id)));
}

bool ShaderLibrary::ready(std::initializer_list<MadeFor> groups) {
  if (std::ranges::all_of(groups, [this](MadeFor group) { return is_ready(group); })) return true;
  for (const MadeFor group : groups) {
    ready_[static_cast<std::size_t>(group)] = true;
    begin(group);
  }
  for (const ProgramRow& row : kPrograms) {
    if (std::ranges::find(groups, row.made_for) == groups.end()) continue;
    if (!has(row.id) || !finish(row.id)) return false;
  }
  if (!folder_.empty() && !folder_is_as_built()) reload();
  return true;
}

bool ShaderLibrary::folder_is_as_built() const {
  std::string text;
  std::string problem;
  for (const EmbeddedText& shader : builtin_shaders()) {
    if (!text_of(shader.name, true, text, problem) || text != shader.text) return false;
  }
  return true;
}

bool ShaderLibrary::reload() {
  warning_.clear();
  if (folder_.empty()) return true;
  std::size_t others = 0;
  for (const ProgramRow& row : kPrograms) {
    const bool of_shooter = row.made_for == MadeFor::Shooter || row.made_for == MadeFor::Garden;
    if (of_shooter && !is_begun(row.made_for)) continue;
    std::string problem;
    if (make(row, true, programs_[static_cast<std::size_t>(row.id)], problem)) continue;
    if (warning_.empty()) {
      warning_ = problem;
    } else if (warning_ != problem) {
      ++others;
    }
  }
  if (warning_.empty()) return true;
  if (others > 0) warning_.append(" (and ").append(std::to_string(others)).append(" more)");
  warning_ += "; the last good shader is drawn";
  return false;
}

}  // namespace spellpool::render
