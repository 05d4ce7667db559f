#pragma once
// Text from files, escaped for the formats of a report: one function for each. Each makes one line
// (core/one_line.hpp).
#include <string>
#include <string_view>

namespace spellpool::measure {

/// For elements and quoted attributes of HTML and SVG: <, >, & and quotes as entities.
std::string html_text(std::string_view text);
/// For Markdown outside code, tables included: shown as it is, never as markup, link, image or column.
std::string markdown_text(std::string_view text);
/// For Markdown, as a code span; its fence is longer than any row of backticks in the text. Not for a table.
std::string markdown_code(std::string_view text);
/// For a table whose readers know no quotes: commas and quotes become blanks.
std::string csv_field(std::string_view text);
/// For a part of a file's name: letters, digits, '+' and '-'; everything else is '_'. At most 60 characters.
std::string file_word(std::string_view text);

}  // namespace spellpool::measure
