#pragma once
#include "core/types.hpp"

// Debug builds store the number of the issuing pool in each handle. A handle of a sibling pool (same type,
// another pool) is then refused; otherwise it would name whatever object is in that slot. Define
// SPELLPOOL_CHECK_OWNERS=1 in every file of the program to get the check in other builds. Files with
// different settings do not link.
#if !defined(SPELLPOOL_CHECK_OWNERS)
#if defined(NDEBUG)
#define SPELLPOOL_CHECK_OWNERS 0
#else
#define SPELLPOOL_CHECK_OWNERS 1
#endif
#endif

// Mangled names differ only where they contain a Handle, so a struct with a handle in it would have two layouts in
// one program. ELF: the linker keeps one of all sections of the group spellpool_check_owners. It has the symbol of
// the setting of one file, and a file with the other setting has an undefined reference. 4 bytes for each file.
#if defined(_MSC_VER)
#define SPELLPOOL_TEXT_OF(x) #x
#define SPELLPOOL_TEXT(x) SPELLPOOL_TEXT_OF(x)
#pragma detect_mismatch("SPELLPOOL_CHECK_OWNERS", SPELLPOOL_TEXT(SPELLPOOL_CHECK_OWNERS))
#elif defined(__ELF__)
#if SPELLPOOL_CHECK_OWNERS
#define SPELLPOOL_SETTING "SPELLPOOL_CHECK_OWNERS_must_be_1_in_every_file"
#define SPELLPOOL_OTHER "SPELLPOOL_CHECK_OWNERS_must_be_0_in_every_file"
#else
#define SPELLPOOL_SETTING "SPELLPOOL_CHECK_OWNERS_must_be_0_in_every_file"
#define SPELLPOOL_OTHER "SPELLPOOL_CHECK_OWNERS_must_be_1_in_every_file"
#endif
__asm__(".ifdef " SPELLPOOL_OTHER "\n"  // link-time optimisation joins the text of several files
        ".error \"SPELLPOOL_CHECK_OWNERS must be the same in every file\"\n"
        ".endif\n"
        ".ifndef " SPELLPOOL_SETTING "\n"
        ".pushsection .rodata.spellpool_setting,\"aG\",%progbits,spellpool_check_owners,comdat\n"
        ".globl " SPELLPOOL_SETTING "\n"
        ".hidden " SPELLPOOL_SETTING "\n" SPELLPOOL_SETTING ":\n"
        ".long 0\n"
        ".popsection\n"
        ".pushsection .rodata.spellpool_needs,\"aR\",%progbits\n"
        ".long " SPELLPOOL_SETTING " - .\n"
        ".popsection\n"
        ".endif\n");
#undef SPELLPOOL_SETTING
#undef SPELLPOOL_OTHER
#endif

namespace spellpool {
#if SPELLPOOL_CHECK_OWNERS
inline namespace checked_owners {
#endif

/// A weak reference to a pooled object: a slot, and which object of that slot.
///
/// Layout   {index, generation}: 8 bytes with the default 32-bit widths, 12 where owners are checked.
/// Rule     A live slot has an odd generation, a free slot an even one. Generation 0 is never live, so the
///          default handle is null. A handle resolves only while its generation equals that of the slot.
/// Tag      Makes a Handle<Voice> in a pool of bullets a compile-time error.
/// Source   Noel Llopis, "Managing Data Relationships" (Game Programming Gems 7). The odd/even rule saves
///          the live bit.
template <class Tag, class Index = u32, class Generation = u32>
struct Handle {
  Index index{};
  Generation generation{};
#if SPELLPOOL_CHECK_OWNERS
  u32 owner = 0;  ///< Number of the issuing pool; 0 (a handle built from its parts) is not checked.
#endif

  constexpr bool is_null() const { return generation == Generation{}; }
  constexpr explicit operator bool() const { return !is_null(); }
  friend constexpr bool operator==(const Handle& a, const Handle& b) {
    return a.index == b.index && a.generation == b.generation;
  }
};

#if SPELLPOOL_CHECK_OWNERS
}
#endif
}  // namespace spellpool
