// A second file with the same pools: one program may include the library as often as it likes.
#include "everything.hpp"

using namespace spellpool::pool;

CellHandle<Spark> make_elsewhere(SizeClassPool& pool) { return pool.make<Spark>(7.0f, 8.0f, 9.0f, u64{1}); }

float sum_elsewhere(const ExhibitPool<Spark>& pool) {
  float sum = 0;
  pool.visit([&](const auto& of_this_kind) { of_this_kind.for_each([&](const Spark& spark) { sum += spark.x; }); });
  return sum;
}

unsigned number_elsewhere() {
  VariantPool<Spark, Boss> pool(1);
  return pool.make<Boss>().pool;
}
