#pragma once
// Where a function's code stands decides what its callers cost. These say what the compiler's own guess gets wrong; each was measured
// (bench/instructions, bench pools). Compilers that do not know them guess.

#if defined(__GNUC__) || defined(__clang__)
#define SPELLPOOL_FLAT __attribute__((always_inline))       ///< Part of its caller, also where a lambda has many of them.
#define SPELLPOOL_APART __attribute__((noinline))           ///< A call: the usual path around it stays short.
#define SPELLPOOL_RARE __attribute__((noinline, cold))      ///< A call that hardly ever happens.
#elif defined(_MSC_VER)
#define SPELLPOOL_FLAT
#define SPELLPOOL_APART __declspec(noinline)
#define SPELLPOOL_RARE __declspec(noinline)
#else
#define SPELLPOOL_FLAT
#define SPELLPOOL_APART
#define SPELLPOOL_RARE
#endif
