#include "app/cli/synctest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "app/play/session.hpp"
#include "core/log.hpp"
#include "platform/paths.hpp"
#include "platform/stop_signals.hpp"
#include "sim/make_world.hpp"

namespace spellpool::app {
namespace {

/// The objects of a pool by what names them in every strategy.
struct Object {
  u64 spawn_id;
  u32 slot;
  std::vector<std::byte> bytes;
};

const frame::SlotField* field_of(const sim::PoolPort& pool, std::string_view name) {
  const auto fields = pool.fields();
  const auto found = std::ranges::find(fields, name, &frame::SlotField::name);
  return found == fields.end() ? nullptr : &*found;
}

std::size_t bytes_of(const sim::PoolPort& pool) {
  std::size_t bytes = 0;
  for (const frame::SlotField& field : pool.fields()) bytes = std::max<std::size_t>(bytes, field.offset + field.bytes);
  return bytes;
}

/// Reads the spawn id of an object of this pool.
auto spawn_id_reader(const sim::PoolPort& pool) {
  return [at = field_of(pool, "spawn_id")->offset](const std::byte* object) {
    u64 id = 0;
    std::memcpy(&id, object + at, sizeof id);
    return id;
  };
}

std::vector<Object> objects_of(sim::PoolPort& pool) {
  std::vector<Object> objects;
  const std::size_t bytes = bytes_of(pool);
  const auto spawn_id_in = spawn_id_reader(pool);
  pool.for_each_object([&](u32 slot, std::byte* object) {
    objects.push_back({spawn_id_in(object), slot, {object, object + bytes}});
    return false;
  });
  std::ranges::sort(objects, {}, &Object::spawn_id);
  return objects;
}

/// What differs between a world that was restored and one that never was: "particles, slot 17, vx", or "" if no
/// pool's objects do.
std::string pool_difference(sim::GameWorld& restored, sim::GameWorld& straight) {
  for (const auto& pool : restored.pools()) {
    const std::string name(frame::row(pool->id()).name);
    const std::vector<Object> got = objects_of(*pool), wanted = objects_of(straight.pool(pool->id()));
    for (std::size_t i = 0; i < std::min(got.size(), wanted.size()); ++i) {
      if (got[i].spawn_id != wanted[i].spawn_id) {
        return got[i].spawn_id < wanted[i].spawn_id
                   ? fmt::format("{}, slot {}: object {} should not live", name, got[i].slot, got[i].spawn_id)
                   : fmt::format("{}: object {} is missing", name, wanted[i].spawn_id);
      }
      for (const frame::SlotField& field : pool->fields()) {
        const bool names_slot = field.name == "target" || field.name == "heart";  // handles: slots differ between worlds
        if (names_slot ||
            std::memcmp(got[i].bytes.data() + field.offset, wanted[i].bytes.data() + field.offset, field.bytes) == 0)
          continue;
        return fmt::format("{}, slot {}, {}", name, got[i].slot, field.name);
      }
    }
    if (got.size() != wanted.size())
      return fmt::format("{}: {} objects instead of {}", name, got.size(), wanted.size());
  }
  return {};
}

/// What a restoration leaves out on purpose: a part, or a field of a pool's objects.
struct Omission {
  std::string_view part;
  sim::PoolPort* pool = nullptr;
  const frame::SlotField* field = nullptr;
  bool known() const { return !part.empty() || field; }
};
/// Of "PART" or "POOL.FIELD".
Omission omission_of(sim::GameWorld& world, const std::string& text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos) {
    const auto part = std::ranges::find(world.parts(), text);
    return part == world.parts().end() ? Omission{} : Omission{*part};
  }
  for (const auto& pool : world.pools()) {
    if (frame::row(pool->id()).name == text.substr(0, dot))
      return {{}, pool.get(), field_of(*pool, text.substr(dot + 1))};
  }
  return {};
}

/// Restores all but that part, or that member of the pool's objects.
void restore_without(sim::GameWorld& world, const sim::WorldState& state, const Omission& omission) {
  if (!omission.field) return world.restore_without(state, omission.part);
  const std::vector<Object> now = objects_of(*omission.pool);
  world.restore(state);
  const auto spawn_id_in = spawn_id_reader(*omission.pool);
  omission.pool->for_each_object([&](u32, std::byte* object) {
    const u64 id = spawn_id_in(object);
    const auto kept = std::ranges::lower_bound(now, id, {}, &Object::spawn_id);
    if (kept == now.end() || kept->spawn_id != id) return false;
    std::memcpy(object + omission.field->offset, kept->bytes.data() + omission.field->offset, omission.field->bytes);
    return true;
  });
}

struct Found {
  u64 step = 0;
  std::string what;  // "" nothing
};

/// Its worlds: one is saved and restored, one never is and steps only beside the restored one. The third takes every
/// other state too, as a replay's keyframes are restored into a world that did not save them.
Found test_one(const sim::WorldConfig& config, const SyncTest& test) {
  const std::unique_ptr<sim::GameWorld> world = sim::make_world(config), straight = sim::make_world(config),
                                        other = sim::make_world(config);
  const std::unique_ptr<sim::ScriptedPlayer> player = world->scripted_player(config.seed);
  const std::unique_ptr<sim::WorldState> state = world->new_state();
  const Omission omission = omission_of(*world, test.forget);
  const auto differs = [&](sim::GameWorld& restored, std::string_view where) {
    std::string what = pool_difference(restored, *straight);
    if (what.empty()) what = restored.part_that_differs(*straight);
    if (what.empty()) what = "the hash, though no member does";
    return Found{straight->steps(), what + std::string(where)};
  };
  constexpr std::string_view kInAnother = " (restored into another world)";
  bool restores_another = false;
  // Commands change what is played by in each stretch: that has to come back too.
  frame::SimCommand turns_load;
  turns_load.kind = frame::SimCommandKind::SetLoad;
  const auto commands = [&](u64 i) {
    return i == test.distance / 2 ? std::span<const frame::SimCommand>(&turns_load, 1)
                                  : std::span<const frame::SimCommand>();
  };
  std::vector<frame::InputFrame> inputs;
  std::vector<u64> hashes;
  while (world->steps() < test.steps && !platform::stop_requested()) {
    world->save(*state);
    turns_load.capacity = turns_load.capacity == 1 ? 2 : 1;
    inputs.clear();
    hashes.clear();
    for (u64 i = 0; i < test.distance; ++i) {
      inputs.push_back(player->next());
      world->step(inputs.back(), commands(i));
      hashes.push_back(world->hash());
    }
    if (omission.known()) restore_without(*world, *state, omission);
    else world->restore(*state);
    if (world->hash() != straight->hash() || !world->part_that_differs(*straight).empty()) return differs(*world, {});
    restores_another = !restores_another && !omission.known();
    if (restores_another) {
      other->restore(*state);
      if (!other->part_that_differs(*straight).empty()) return differs(*other, kInAnother);
    }
    for (u64 i = 0; i < test.distance; ++i) {
      for (sim::GameWorld* const each : {world.get(), straight.get(), restores_another ? other.get() : nullptr}) {
        if (each) each->step(inputs[i], commands(i));
      }
      if (world->hash() != hashes[i] || world->hash() != straight->hash()) return differs(*world, {});
      if (restores_another && other->hash() != hashes[i]) return differs(*other, kInAnother);
    }
  }
  return {world->steps(), {}};
}

}  // namespace

int synctest(const SyncTest& test) {
  const platform::PathResult data = platform::find_data_folder(test.world.data_dir);
  if (!data.error.empty()) {
    log(LogLevel::Error, data.error);
    return 2;
  }
  SpellLibrary library;
  std::string wrong = library.load(data.path.string());
  if (wrong.empty()) wrong = library.stages().load(data.path.string());
  if (!wrong.empty()) {
    log(LogLevel::Error, wrong);
    return 2;
  }
  const sim::WorldConfig config = world_config(test.world, library);
  if (!test.forget.empty()) {
    const std::unique_ptr<sim::GameWorld> world = sim::make_world(config);
    if (!omission_of(*world, test.forget).known()) {
      log(LogLevel::Error, fmt::format("--forget {}: this scene has no such part, and no such pool and field; write "
                                       "POOL.FIELD, as in particles.vx, or one of {}",
                                       test.forget.substr(0, 60), fmt::join(world->parts(), ", ")));
      return 2;
    }
  }
  const sim::PoolChoice& given = config.pools[static_cast<std::size_t>(frame::PoolId::Particles)];
  int exit_code = 0;
  for (const pool::StrategyRow& strategy : pool::kStrategies) {
    if (!test.every_strategy && strategy.id != given.strategy) continue;
    for (const pool::PolicyRow& policy : pool::kPolicies) {
      if (test.every_policy ? policy.id == pool::PolicyId::Assert : policy.id != given.policy) continue;
      sim::WorldConfig one = config;
      for (const frame::PoolName& pool : frame::pools_of(config.scene)) {
        sim::PoolChoice& choice = one.pools[static_cast<std::size_t>(pool.id)];
        choice.strategy = strategy.id;
        if (pool.id != frame::PoolId::Enemies) choice.policy = policy.id;
      }
      const Found found = test_one(one, test);
      if (platform::stop_requested()) return 130;
      if (found.what.empty()) {
        fmt::print("{}, {}: {} steps equal at a distance of {}\n", strategy.name, policy.name, found.step,
                   test.distance);
      } else {
        fmt::print("{}, {}: after a restoration step {} differs: {}\n", strategy.name, policy.name, found.step,
                   found.what);
        exit_code = 1;
      }
    }
  }
  fmt::print("{}\n", exit_code == 0 ? "a restored world goes on as if it had never been saved" : "NOT equal");
  return exit_code;
}

}  // namespace spellpool::app
