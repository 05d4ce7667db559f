#pragma once
#include <string_view>
#include <variant>

namespace spellpool::frame {

/// A row of a table of keys: where a value goes, and what it may be.
template <class Owner, class... Member>
struct FileKey {
  std::string_view name;
  std::variant<Member...> member;
  double low = 0, high = 0;  ///< For numbers: the smallest and largest that the file may say.
  bool required = false;
  std::string_view help;
};

}  // namespace spellpool::frame
