#pragma once
// What the two files of this program share.
#if defined(ONE_HEADER)
#include <spellpool_pool.hpp>
#else
#include <pool/pools.hpp>
#endif

using spellpool::u32;
using spellpool::u64;
using spellpool::u8;

struct Spark {
  float x, y;
  float heat;
  u64 spawn_id;
  float importance() const { return heat; }
};
/// Owns something, and nobody has said which fields it has: soa and dense cannot hold it.
struct Label {
  std::string text;
};
struct Boss {
  double health[12];
};

template <>
struct spellpool::pool::FieldsOf<Spark> {
  using Hot = FieldList<&Spark::x, &Spark::y, &Spark::heat>;
  using Cold = FieldList<&Spark::spawn_id>;
};

// In other_unit.cpp: the same templates, made a second time.
spellpool::pool::CellHandle<Spark> make_elsewhere(spellpool::pool::SizeClassPool& pool);
float sum_elsewhere(const spellpool::pool::ExhibitPool<Spark>& pool);
unsigned number_elsewhere();
