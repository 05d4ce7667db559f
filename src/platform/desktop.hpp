#pragma once
#include <string>
#include <string_view>

namespace spellpool::platform {

/// "file:///home/a%20b": a path, which has to begin with '/', as an address.
std::string file_address(std::string_view path);
/// Opens a file or a folder with what the desktop has for it (xdg-open), and does not wait. "" or a line that says
/// why not.
std::string open_with_desktop(const std::string& path);
/// Puts a text on the clipboard. "" or a line.
std::string copy_text(const std::string& text);

}  // namespace spellpool::platform
