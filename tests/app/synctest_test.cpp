// `spellpool synctest`: saved and restored worlds of both scenes, as a user runs it.
#include <fmt/format.h>

#include "program.hpp"

namespace spellpool::app {
namespace {

using SyncTestProgram = ProgramTest;

TEST_F(SyncTestProgram, EveryStrategyOfTheArenaGoesOnAsIfNeverSaved) {
  const Outcome outcome = run("synctest --strategy all --steps 1000");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("dense, reject: 1000 steps equal at a distance of 8"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("heap, reject: 1000 steps equal"), std::string::npos) << outcome.out;
}

TEST_F(SyncTestProgram, EveryStrategyOfTheShooterGoesOnAsIfNeverSaved) {
  const Outcome outcome = run("synctest --scene shooter --difficulty lunatic --strategy all --steps 1000");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
}

TEST_F(SyncTestProgram, EveryAnswerToAFullPoolToo) {
  for (const std::string scene : {"spells", "shooter --capacity bullets=150"}) {
    const Outcome outcome = run("synctest --scene " + scene + " --strategy all --overflow all --capacity particles=300 --steps 1000");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  }
}

TEST_F(SyncTestProgram, AMemberThatIsForgottenIsNamedWithPoolAndSlot) {
  for (const std::string what : {"particles.vx", "particles.clock", "wisps.phase"}) {
    const Outcome outcome = run("synctest --steps 400 --forget " + what);
    EXPECT_EQ(outcome.exit_code, 1) << what;
    const std::string pool = what.substr(0, what.find('.')), field = what.substr(what.find('.') + 1);
    EXPECT_NE(outcome.out.find("differs: " + pool + ", slot "), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find(", " + field + "\n"), std::string::npos) << outcome.out;
  }
  EXPECT_EQ(run("synctest --scene shooter --steps 900 --forget bullets.age").exit_code, 1);
}

TEST_F(SyncTestProgram, AWholePartThatIsForgottenIsNamed) {
  struct Case {
    std::string_view scene, part, named;
  };
  constexpr std::array kCases = {
      Case{"spells", "load", "load"},          Case{"spells", "particles", "particles: "}, Case{"spells", "targets", "wisps, slot "},
      Case{"spells", "seekers", "seekers"},    Case{"spells", "rules", "rules: step"},          Case{"shooter", "bullets", "bullets"},
      Case{"shooter", "shots", "shots"},       Case{"shooter", "enemies", "enemies: "},    Case{"shooter", "pickups", "pickups"},
      Case{"shooter", "texts", "texts"},       Case{"shooter", "garden", "chunks, slot "},      Case{"shooter", "particles", "particles: "},
      Case{"shooter", "rules", "rules: step"},
  };
  for (const Case& c : kCases) {
    const Outcome outcome = run(fmt::format("synctest --scene {} --steps 1200 --forget {}", c.scene, c.part));
    EXPECT_EQ(outcome.exit_code, 1) << c.scene << ": " << c.part;
    EXPECT_NE(outcome.out.find(fmt::format("differs: {}", c.named)), std::string::npos) << c.part << ": " << outcome.out;
  }
}

TEST_F(SyncTestProgram, RefusesWhatItCannotTest) {
  for (const std::string bad : {"--forget mage.x", "--forget nothing", "--forget no.such", "--forget particles.nothing", "--distance 0", "--steps x", "--strategy cloud"}) {
    const Outcome outcome = run("synctest " + bad);
    EXPECT_EQ(outcome.exit_code, 2) << bad;
    EXPECT_EQ(outcome.error_lines(), 1u) << outcome.err;
  }
}

}  // namespace
}  // namespace spellpool::app
