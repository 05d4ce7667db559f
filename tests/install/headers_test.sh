#!/usr/bin/env bash
# headers_test.sh SOURCE_FOLDER CXX
# Each header of src/pool and its subfolders compiles as the only one of a program, without exceptions and type information, and includes (itself
# or through headers of ours) what it uses of the standard library: another library's headers may include less than this one's.
set -euo pipefail
source=$1 cxx=$2
cd "$source/src"
failed=0

# name in std:: → headers that declare it. What is not here is not looked at.
uses() {
  awk '
    function needs(headers, names,    list, i, count) {
      count = split(names, list, " ")
      for (i = 1; i <= count; ++i) from[list[i]] = headers
    }
    function read_in(file,    line, name) {
      if (file in seen) return
      seen[file] = 1
      while ((getline line < file) > 0) {
        if (line ~ /^[ \t]*#[ \t]*include[ \t]*["<]/) {
          name = line
          gsub(/^[^"<]*["<]|[">].*$/, "", name)
          if (line ~ /"/) read_in(name); else has[name] = 1
        }
      }
      close(file)
    }
    BEGIN {
      needs("algorithm", "sort find min max nth_element copy fill clamp count_if all_of any_of swap_ranges")
      needs("array", "array")
      needs("atomic", "atomic memory_order_relaxed")
      needs("bit", "countr_zero popcount has_single_bit endian bit_cast bit_ceil")
      needs("chrono", "chrono")
      needs("concepts", "unsigned_integral same_as convertible_to integral invocable")
      needs("cstddef", "byte size_t ptrdiff_t max_align_t nullptr_t")
      needs("cstdint", "uint8_t uint16_t uint32_t uint64_t uintptr_t int8_t int16_t int32_t int64_t")
      needs("cstdio", "fprintf printf")
      needs("cstdlib", "abort")
      needs("cstring", "memcpy memset memmove memcmp strlen")
      needs("initializer_list vector array string", "initializer_list")
      needs("limits", "numeric_limits")
      needs("memory", "addressof unique_ptr make_unique uninitialized_value_construct_n construct_at destroy_at")
      needs("memory_resource", "pmr")
      needs("new", "align_val_t bad_alloc launder nothrow")
      needs("optional", "optional nullopt")
      needs("iterator vector array string span", "size data begin end")
      needs("ranges", "ranges")
      needs("span", "span")
      needs("string", "string to_string")
      needs("string_view", "string_view")
      needs("tuple array variant", "get")
      needs("tuple", "tuple tuple_size_v apply")
      needs("type_traits", "is_trivially_copyable_v is_default_constructible_v is_same_v is_array_v integral_constant true_type" \
            " false_type is_trivially_destructible_v is_nothrow_move_constructible_v is_move_constructible_v decay_t conditional_t" \
            " is_copy_constructible_v is_object_v is_const_v is_void_v is_aggregate_v remove_cvref_t remove_reference_t is_nothrow_constructible_v")
      needs("utility", "move forward swap exchange as_const declval pair in_place_type index_sequence make_index_sequence")
      needs("variant", "variant visit variant_size_v monostate")
      needs("vector", "vector")
      file = ARGV[1]
      read_in(file)
      while ((getline line < file) > 0) {
        gsub(/"([^"\\]|\\.)*"/, "", line)
        sub(/\/\/.*/, "", line)
        if (line ~ /::operator (new|delete)|::new /) line = line " std::launder"  # the same header
        while (match(line, /std::[a-z_0-9]+/)) {
          name = substr(line, RSTART + 5, RLENGTH - 5)
          line = substr(line, RSTART + RLENGTH)
          if (!(name in from)) continue
          ok = 0
          count = split(from[name], any, " ")
          for (i = 1; i <= count; ++i) if (any[i] in has) ok = 1
          if (!ok) missing[from[name]] = name
        }
      }
      for (headers in missing) {
        print file ": uses std::" missing[headers] " and does not include <" headers ">"
        bad = 1
      }
      exit bad
    }' "$1"
}

# The stricter of the two languages; with exceptions they are compiled by all other tests.
alone() {
  echo "#include \"$1\"" | "$cxx" -std=c++20 -fno-exceptions -fno-rtti -I. -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion \
    -Wshadow -Werror -x c++ - || { echo "FAILED: $1 does not compile alone"; return 1; }
}
export -f alone
export cxx

mapfile -t headers < <(find pool -name '*.hpp' | sort)
((${#headers[@]} > 20)) || { echo "FAILED: only ${#headers[@]} headers found"; exit 1; }
for header in "${headers[@]}"; do uses "$header" || failed=1; done
printf '%s\n' "${headers[@]}" | xargs -P 2 -I{} bash -c 'alone {}' || failed=1
exit $failed
