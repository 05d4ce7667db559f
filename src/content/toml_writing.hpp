#pragma once
// Values as TOML text, for what this room writes.
#include <string>
#include <string_view>

namespace spellpool::content {

/// The shortest text that reads back as the same float, with a point so that it looks like what it is.
std::string number(float value);
/// A basic string: quotes, backslashes and control characters escaped. `text` is UTF-8.
std::string in_quotes(std::string_view text);

}  // namespace spellpool::content
