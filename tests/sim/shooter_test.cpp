// The shooter's parts on small stages made in code: who fires when, who is hit, what a press does.
#include "sim/shooter/shooter.hpp"

#include "../pool/allocation_probe.hpp"
#include "small_spells.hpp"

namespace spellpool::sim {
namespace {

using frame::EnemyKind;
using frame::PickupKind;
using frame::PoolId;
using frame::ShooterState;
using frame::ShotDef;
using frame::ShotForm;

frame::PatternDef pattern(std::string name, std::vector<ShotDef> shots) {
  frame::PatternDef def;
  def.name = std::move(name);
  for (auto& list : def.shots) list = shots;
  return def;
}

frame::WaveDef wave(float at_s, EnemyKind kind, i32 pattern, std::vector<frame::PathPoint> path) {
  frame::WaveDef def;
  def.at_s = at_s;
  def.kind = kind;
  def.path = std::move(path);
  def.pattern = pattern;
  def.fire_s = 0.0f;
  def.health = 100.0f;
  return def;
}

WorldConfig shooter(std::vector<frame::PatternDef> book, std::vector<frame::WaveDef> waves, std::vector<frame::BossDef> bosses = {}) {
  frame::StageDef stage;
  stage.name = "small";
  stage.title = "test";
  stage.waves = std::move(waves);
  stage.bosses = std::move(bosses);
  return stage_config(std::move(stage), std::move(book));
}

frame::InputFrame press(u8 buttons) {
  frame::InputFrame input;
  input.buttons = buttons;
  return input;
}
void run(ShooterWorld& world, u32 steps, const frame::InputFrame& input = {}) {
  for (u32 i = 0; i < steps; ++i) world.step(input, {});
}
void start(ShooterWorld& world) { world.step(press(frame::kButtonStart), {}); }
u32 live(const ShooterWorld& world, PoolId id) { return world.pool(id).stats().live; }
u64 spawned(const ShooterWorld& world, PoolId id) { return world.pool(id).stats().spawned; }

/// Somebody who stands still high in the field for a minute.
const std::vector<frame::PathPoint> kStands = {{0, -300, 0}, {0, -300, 30}, {0, -300, 30}};

ShotDef ring(u32 count, float every_s) {
  ShotDef shot;
  shot.count = count;
  shot.every_s = every_s;
  shot.speed = 100.0f;
  return shot;
}

TEST(Volleys, ComeWhenTheirLineSays) {
  ShotDef shot = ring(4, 0.5f);
  shot.start_s = 1.0f;
  shot.volleys = 2;
  shot.rest_s = 1.0f;
  const FlightTable table({pattern("p", {shot})}, frame::Difficulty::Normal);
  const Volley& volley = table.volleys(0)[0];
  std::vector<u32> fired;
  for (u32 age = 0; age < 400; ++age) {
    if (const i64 which = FlightTable::volley_at(volley, age); which >= 0) {
      EXPECT_EQ(which, static_cast<i64>(fired.size()));
      fired.push_back(age);
    }
  }
  EXPECT_EQ(fired, (std::vector<u32>{60, 90, 180, 210, 300, 330}));
  EXPECT_TRUE(table.volleys(-1).empty());
  EXPECT_TRUE(table.volleys(7).empty());
}

TEST(ShooterGame, WaitsOnItsTitleForTheStartButtonAndLetsADifficultyBeChosen) {
  ShooterWorld world(shooter({pattern("p", {ring(8, 1.0f)})}, {wave(0.0f, EnemyKind::Lantern, 0, kStands)}));
  run(world, 300);
  EXPECT_EQ(world.state(), ShooterState::Title);
  EXPECT_EQ(spawned(world, PoolId::Enemies), 0u);
  frame::InputFrame aside;
  aside.move_x = 127;
  run(world, 10, aside);  // held: one step to the side
  EXPECT_EQ(world.difficulty(), frame::Difficulty::Hard);
  run(world, 1);
  run(world, 1, aside);
  run(world, 1);
  run(world, 1, aside);
  EXPECT_EQ(world.difficulty(), frame::Difficulty::Lunatic) << "there is none beyond";
  start(world);
  EXPECT_EQ(world.state(), ShooterState::Playing);
  run(world, 3);
  EXPECT_EQ(live(world, PoolId::Enemies), 1u);
  world.step(press(frame::kButtonChallenge), {});
  run(world, 1);
  EXPECT_EQ(world.state(), ShooterState::Title);
  EXPECT_EQ(live(world, PoolId::Enemies), 0u);
  EXPECT_EQ(live(world, PoolId::Bullets), 0u);
}

TEST(Bullets, AWallLeavesItsGapAndAFanItsMiddle) {
  ShotDef wall = ring(10, 100.0f);
  wall.form = ShotForm::Wall;
  wall.gap = 3;
  wall.gap_from = 2;
  wall.spacing = 30;
  ShotDef fan = ring(3, 100.0f);
  fan.form = ShotForm::Fan;
  fan.arc_turns = 0.25f;
  ShooterWorld world(shooter({pattern("p", {wall}), pattern("f", {fan})},
                             {wave(0.0f, EnemyKind::Lantern, 0, kStands), wave(0.5f, EnemyKind::Lantern, 1, kStands)}));
  start(world);
  run(world, 25);
  std::vector<float> xs;
  world.bullets().objects().for_each([&](const Bullet& b) { xs.push_back(b.x); });
  std::sort(xs.begin(), xs.end());
  ASSERT_EQ(xs.size(), 7u);
  EXPECT_NEAR(xs[1] - xs[0], 30.0f, 0.5f);
  float widest = 0;
  for (std::size_t i = 1; i < xs.size(); ++i) widest = std::max(widest, xs[i] - xs[i - 1]);
  EXPECT_NEAR(widest, 120.0f, 1.0f) << "three places stay empty";
  run(world, 25);
  float least = 10, most = -10;
  world.bullets().objects().for_each([&](const Bullet& b) {
    if (b.row != 1) return;
    least = std::min(least, b.heading);
    most = std::max(most, b.heading);
  });
  EXPECT_NEAR(least, 0.125f, 1e-3f);
  EXPECT_NEAR(most, 0.375f, 1e-3f);
}

TEST(Bullets, SplitHomeAndLeaveTheField) {
  ShotDef mother = ring(1, 100.0f);
  mother.split_s = 0.5f;
  mother.split_into = 1;
  ShotDef homing = ring(1, 100.0f);
  homing.angle_turns = 0.0f;
  homing.homing_turns_s = 2.0f;
  homing.homing_s = 10.0f;
  homing.speed = 150;
  ShooterWorld world(shooter({pattern("mother", {mother}), pattern("children", {ring(6, 1.0f)}), pattern("home", {homing})},
                             {wave(0.0f, EnemyKind::Lantern, 0, kStands), wave(8.0f, EnemyKind::Lantern, 2, kStands)}));
  start(world);
  run(world, 20);
  EXPECT_EQ(live(world, PoolId::Bullets), 1u);
  run(world, 30);
  EXPECT_EQ(live(world, PoolId::Bullets), 6u) << "one became six";
  run(world, 60 * 7);
  EXPECT_EQ(live(world, PoolId::Bullets), 0u) << "all left the field";
  run(world, 70);
  ASSERT_EQ(live(world, PoolId::Bullets), 1u);
  world.bullets().objects().for_each([&](const Bullet& b) {
    const float to_ship = atan2_turns(world.ship().y() - b.y, world.ship().x() - b.x);
    EXPECT_NEAR(b.heading, to_ship, 0.02f);
  });
}

/// Steps in which a sound was asked for.
std::vector<u64> heard(ShooterWorld& world, frame::SoundId sound, u32 steps) {
  std::vector<u64> at;
  for (u32 i = 0; i < steps; ++i) {
    world.step({}, {});
    for (const frame::AudioEvent& event : world.audio_events()) {
      if (event.sound == sound) at.push_back(world.steps());
    }
  }
  return at;
}

TEST(Lasers, AreHeardOnceAVolleyAsTheyWarnAndAsTheyBurn) {
  ShotDef laser = ring(5, 2.0f);
  laser.form = ShotForm::Laser;
  laser.arc_turns = 0.3f;
  laser.angle_turns = 0.75f;  // away from the ship: a hit would stop time
  laser.warn_s = 0.5f;
  laser.on_s = 0.75f;
  for (const pool::StrategyRow& row : pool::kStrategies) {
    WorldConfig config = shooter({pattern("p", {laser})}, {wave(0.0f, EnemyKind::Lantern, 0, kStands)});
    config.pools[static_cast<std::size_t>(PoolId::Bullets)].strategy = row.id;
    ShooterWorld warns(config), burns(config);
    start(warns);
    start(burns);
    const std::vector<u64> warned = heard(warns, frame::SoundId::LaserWarn, 300), burned = heard(burns, frame::SoundId::LaserBurn, 300);
    ASSERT_EQ(warned.size(), 3u) << row.name << ": not once for each of five beams, nor again while they stand";
    ASSERT_EQ(burned.size(), 3u) << row.name;
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(burned[i] - warned[i], 30u) << row.name << " " << i;
    EXPECT_EQ(warned[1] - warned[0], 120u) << row.name;
    EXPECT_EQ(warns.hash(), burns.hash());
  }
}

frame::SimCommand new_texts(const WorldConfig& texts) {
  frame::SimCommand command;
  command.kind = frame::SimCommandKind::SetStage;
  command.patterns = texts.patterns;
  command.stage = texts.stage;
  return command;
}
frame::SimCommand enemies(frame::SimCommandKind kind, u32 value) {
  frame::SimCommand command;
  command.kind = kind;
  command.pool = PoolId::Enemies;
  command.choice = static_cast<u8>(value);
  command.capacity = value;
  return command;
}

TEST(NewTexts, AreForWhoFiresAndWhatFliesKeepsItsOwn) {
  ShotDef mother = ring(1, 100.0f), other = ring(1, 100.0f);
  mother.speed = 10.0f;
  mother.split_s = 1.0f;
  mother.split_into = 2;
  other.angle_turns = 0.75f;
  const std::vector<frame::WaveDef> waves = {wave(0.0f, EnemyKind::Lantern, 1, kStands), wave(0.0f, EnemyKind::Lantern, 0, kStands),
                                             wave(2.0f, EnemyKind::Lantern, 1, kStands)};
  ShooterWorld world(shooter({pattern("b_other", {other}), pattern("c_mother", {mother}), pattern("d_children", {ring(6, 1.0f)})}, waves));
  start(world);
  run(world, 30);
  ASSERT_EQ(live(world, PoolId::Bullets), 2u);
  // Another order, one is gone, a mother of thirty at once. Of the stage the waves are those of the next start.
  const WorldConfig next = shooter({pattern("a_new", {ring(2, 9.0f)}), pattern("a_too", {ring(2, 9.0f)}), pattern("c_mother", {ring(30, 100.0f)})}, {wave(90.0f, EnemyKind::Drum, 0, kStands)});
  world.step({}, std::vector{new_texts(next)});
  run(world, 29);
  EXPECT_EQ(live(world, PoolId::Bullets), 2u);
  run(world, 10);
  EXPECT_EQ(live(world, PoolId::Bullets), 7u) << "the mother split as she was fired to";
  run(world, 60);
  EXPECT_EQ(spawned(world, PoolId::Enemies), 3u) << "the waves go on";
  EXPECT_EQ(spawned(world, PoolId::Bullets), 8u + 30u) << "who came since fires by the new text, found by its name";
  world.step(press(frame::kButtonChallenge), {});
  run(world, 1);
  start(world);
  run(world, 300);
  EXPECT_EQ(spawned(world, PoolId::Enemies), 3u) << "the new stage's wave comes at 90 s";
}

TEST(NewTexts, OnTheTitleAreThereAtOnce) {
  const frame::PatternDef p = pattern("p", {ring(8, 1.0f)});
  ShooterWorld world(shooter({p}, {wave(0.0f, EnemyKind::Lantern, 0, kStands)}));
  run(world, 5);
  WorldConfig next = shooter({p}, {wave(0.0f, EnemyKind::Drum, 0, kStands), wave(0.0f, EnemyKind::Drum, 0, kStands)});
  frame::StageDef named = *next.stage;
  named.title = "another";
  next.stage = std::make_shared<const frame::StageDef>(named);
  world.step({}, std::vector{new_texts(next)});
  EXPECT_EQ(world.shooter_view()->stage_title, "another");
  start(world);
  run(world, 3);
  EXPECT_EQ(live(world, PoolId::Enemies), 2u);
}

TEST(NewTexts, StepsAfterThemAllocateNothing) {
  const WorldConfig one = shooter({pattern("p", {ring(8, 0.2f)})}, {wave(0.0f, EnemyKind::Lantern, 0, kStands)});
  ShooterWorld world(one);
  start(world);
  run(world, 200);
  world.step({}, std::vector{new_texts(one)});
  run(world, 1);
  EXPECT_EQ(test::new_calls_in([&] { run(world, 200); }), 0u);
}

TEST(PoolOfEnemies, HoldsAllWhomTheStageSendsWhateverIsAsked) {
  frame::WaveDef many = wave(0.0f, EnemyKind::Firefly, -1, kStands);
  many.count = 100;
  many.every_s = 0.0f;
  const std::vector<frame::PatternDef> book = {pattern("p", {ring(1, 1.0f)})};
  ShooterWorld world(shooter(book, {many}));
  using Kind = frame::SimCommandKind;
  for (const frame::SimCommand& command : {enemies(Kind::SetCapacity, 99), enemies(Kind::Trim, 3), enemies(Kind::SetPolicy, static_cast<u32>(pool::PolicyId::Grow))}) {
    EXPECT_NE(world.refusal(command), "");
    world.step({}, std::vector{command});
    EXPECT_EQ(world.pool(PoolId::Enemies).stats().capacity, 200u);
    EXPECT_EQ(world.pool(PoolId::Enemies).policy(), pool::PolicyId::Assert);
  }
  EXPECT_EQ(world.refusal(enemies(Kind::SetCapacity, 99)), "the stage small shows up to 100 enemies at once");
  world.step({}, std::vector{enemies(Kind::SetCapacity, 120)});
  EXPECT_EQ(world.pool(PoolId::Enemies).stats().capacity, 120u);
  // A stage that does not fit is not taken, in no part.
  const WorldConfig large = shooter({pattern("q", {ring(1, 1.0f)})}, {many, wave(0.0f, EnemyKind::Lantern, -1, kStands), many});
  EXPECT_EQ(world.refusal(new_texts(large)), "the stage small shows up to 201 enemies at once; their pool holds 120");
  world.step({}, std::vector{new_texts(large)});
  start(world);
  EXPECT_EQ(live(world, PoolId::Enemies), 0u);
  run(world, 1);
  EXPECT_EQ(live(world, PoolId::Enemies), 100u) << "all of a wave whose every_s is 0 come in one step";
}

TEST(Pictures, HoldEveryBulletAndShotOfPoolsThatGrow) {
  WorldConfig config = shooter({pattern("p", {ring(200, 0.1f)})}, {wave(0.0f, EnemyKind::Lantern, 0, kStands)});
  for (const PoolId id : {PoolId::Bullets, PoolId::Shots}) {
    PoolChoice& choice = config.pools[static_cast<std::size_t>(id)];
    choice.policy = pool::PolicyId::Grow;
    choice.capacity = 4;
  }
  ShooterWorld world(config);
  start(world);
  for (u32 step = 0; step < 150; ++step) {
    world.step(press(frame::kButtonCast), {});
    const frame::RenderSnapshot& picture = world.build_snapshot();
    ASSERT_EQ(picture.bullet_layer.size(), live(world, PoolId::Bullets) + live(world, PoolId::Shots)) << step;
  }
  EXPECT_GT(live(world, PoolId::Bullets), 1'000u);
  EXPECT_GT(live(world, PoolId::Shots), 4u);
}

TEST(Pictures, BulletsAndBeamsEndAtTheSidesOfTheField) {
  ShotDef laser = ring(5, 2.0f);
  laser.form = ShotForm::Laser;
  laser.warn_s = 0.1f;
  laser.on_s = 1.0f;
  ShooterWorld world(shooter({pattern("p", {ring(60, 0.1f), laser})}, {wave(0.0f, EnemyKind::Lantern, 0, kStands)}));
  start(world);
  constexpr float kEdge = frame::kFieldHalfWidth;
  u32 beyond = 0, beams = 0, clear = 0;
  for (u32 step = 0; step < 400; ++step) {
    world.step({}, {});
    const frame::RenderSnapshot& picture = world.build_snapshot();
    for (const frame::ParticleInstance& p : picture.bullet_layer) {
      const float away = std::fabs(static_cast<float>(p.x) / frame::kPositionScale) - kEdge;
      clear += away <= 0.0f && p.a == 255;
      if (away <= 0.0f) continue;
      ++beyond;
      EXPECT_LE(static_cast<float>(p.a), 256.0f * (1.0f - away / Bullets::kMargin)) << "step " << step;
    }
    for (const frame::SpriteInstance& sprite : picture.sprites) {
      if (sprite.kind != static_cast<u32>(frame::SpriteKind::Beam)) continue;
      ++beams;
      EXPECT_LE(std::fabs(sprite.p0), kEdge + 0.01f) << "step " << step;
    }
  }
  EXPECT_GT(beyond, 100u);
  EXPECT_GT(clear, 100u) << "in the field they are not dimmed";
  EXPECT_GT(beams, 100u);
}

/// A bullet straight down onto the ship, at a speed at which it passes it between two steps.
TEST(Collision, IsSweptAndTheShipComesBack) {
  ShotDef fast = ring(1, 100.0f);
  fast.speed = 1900;
  fast.hit_size = 2;
  fast.offset_y = 7;  // steps of 31.7 units: none ends on the ship
  ShooterWorld world(shooter({pattern("p", {fast})}, {wave(0.0f, EnemyKind::Lantern, 0, kStands)}));
  start(world);
  run(world, 60);
  EXPECT_EQ(world.ship().lives(), Ship::kLives - 1);
  EXPECT_FALSE(world.ship().there());
  run(world, 60);
  EXPECT_TRUE(world.ship().there());
  EXPECT_TRUE(world.ship().safe());
}

TEST(Collision, ABombInTimeSavesTheShipAndMakesStars) {
  std::vector<ShotDef> shots = {ring(1, 100.0f), ring(60, 100.0f)};
  shots[0].speed = 600;
  ShooterWorld world(shooter({pattern("p", shots)}, {wave(0.0f, EnemyKind::Lantern, 0, kStands)}));
  start(world);
  u32 steps = 0;
  while (!world.ship().struck() && ++steps < 200) run(world, 1);
  ASSERT_LT(steps, 200u);
  run(world, 3);  // hit-stop
  const u32 bombs = world.ship().bombs();
  run(world, 1, press(frame::kButtonBomb));
  EXPECT_EQ(world.ship().bombs(), bombs - 1);
  run(world, 60);
  EXPECT_EQ(world.ship().lives(), Ship::kLives);
  EXPECT_EQ(live(world, PoolId::Bullets), 0u);
  EXPECT_GE(spawned(world, PoolId::Pickups), 9u) << "every sixth bullet is a star";
}

TEST(Collision, ABulletIsGrazedThreeTimesAtMost) {
  ShotDef beside = ring(1, 100.0f);
  beside.offset_x = 8;
  beside.speed = 200;
  ShooterWorld world(shooter({pattern("p", {beside})}, {wave(0.0f, EnemyKind::Lantern, 0, kStands)}));
  start(world);
  run(world, 260);
  EXPECT_EQ(world.graze(), 3u);
  EXPECT_EQ(world.ship().lives(), Ship::kLives);
}

TEST(Collision, AShieldTakesOneHit) {
  ShotDef shot = ring(1, 2.0f);
  shot.speed = 600;
  frame::WaveDef gift = wave(0.0f, EnemyKind::Firefly, -1, {{0, 200, 0}, {0, 200, 60}});
  gift.health = 0.1f;
  gift.drops = PickupKind::Shield;
  ShooterWorld world(shooter({pattern("p", {shot})}, {gift, wave(4.0f, EnemyKind::Lantern, 0, {{0, -300, 0}, {0, -300, 60}})}));
  start(world);
  run(world, 180, press(frame::kButtonFire));
  ASSERT_TRUE(world.ship().shield());
  run(world, 170);
  EXPECT_FALSE(world.ship().shield());
  EXPECT_EQ(world.ship().lives(), Ship::kLives);
  run(world, 200);
  EXPECT_LT(world.ship().lives(), Ship::kLives);
}

TEST(ShooterGame, ContinuesOrEndsAfterTheLastShip) {
  ShotDef aimed = ring(1, 0.5f);
  aimed.aimed = true;
  aimed.angle_turns = 0;
  aimed.speed = 700;
  ShooterWorld world(shooter({pattern("p", {aimed})}, {wave(0.0f, EnemyKind::Lantern, 0, {{0, -300, 0}, {0, -300, 60}, {0, -300, 60}})}));
  start(world);
  u32 steps = 0;
  while (world.state() == ShooterState::Playing && ++steps < 3'000) run(world, 1);
  ASSERT_EQ(world.state(), ShooterState::Continue);
  EXPECT_GT(world.shooter_view()->continue_s, 9.0f);
  world.step(press(frame::kButtonStart), {});
  EXPECT_EQ(world.state(), ShooterState::Playing);
  EXPECT_EQ(world.shooter_view()->continues, 1u);
  EXPECT_EQ(world.ship().lives(), Ship::kLives);
  EXPECT_EQ(world.score(), 0u);
  steps = 0;
  while (world.state() == ShooterState::Playing && ++steps < 3'000) run(world, 1);
  run(world, ShooterWorld::kContinue_steps + 1);
  EXPECT_EQ(world.state(), ShooterState::Lost);
  run(world, 90);
  world.step(press(frame::kButtonStart), {});
  EXPECT_EQ(world.state(), ShooterState::Title);
}

TEST(Bosses, HaveWingsThatHoldTheirHeartAndPhasesThatEnd) {
  frame::BossDef boss;
  boss.at_s = 0.5f;
  boss.kind = EnemyKind::Moth;
  boss.title = "Moth";
  for (int i = 0; i < 3; ++i) {
    frame::BossPhase phase;
    phase.health = 60;
    phase.time_s = 20;
    phase.patterns = {0};
    phase.path = {{0, -200, 0}, {60, -200, 1}, {-60, -200, 1}};
    boss.phases.push_back(phase);
  }
  frame::WaveDef first = wave(0.0f, EnemyKind::Firefly, -1, {{-280, -300, 0}, {-280, -300, 1}});
  ShooterWorld world(shooter({pattern("p", {ring(12, 1.0f)})}, {first}, {boss}));
  start(world);
  run(world, 80);
  EXPECT_EQ(live(world, PoolId::Enemies), 3u);
  EXPECT_EQ(world.shooter_view()->boss_title, "Moth");
  u32 wings = 0;
  world.enemies().objects().for_each([&](const Enemy& enemy) {
    if (enemy.part == EnemyPart::Heart) return;
    ++wings;
    EXPECT_TRUE(enemy.heart == world.enemies().boss().heart);
    EXPECT_NE(world.enemies().objects().peek(enemy.heart), nullptr);
  });
  EXPECT_EQ(wings, 2u);
  std::vector<u32> left;
  for (u32 step = 0; step < 6'000 && world.state() != ShooterState::Won; ++step) {
    frame::InputFrame input = press(frame::kButtonFire | frame::kButtonFollow);
    input.aim_y16 = static_cast<i16>(250 * 16);
    world.step(input, {});
    const u32 phases = world.shooter_view()->phases_left;
    if (world.enemies().boss().there && (left.empty() || left.back() != phases)) left.push_back(phases);
  }
  EXPECT_EQ(left, (std::vector<u32>{2, 1, 0}));
  EXPECT_EQ(world.state(), ShooterState::Won);
  EXPECT_EQ(live(world, PoolId::Enemies), 0u);
}

TEST(ShooterPicture, SparksGiveWayToTheShipAndOnlyOnce) {
  ShooterWorld world(shooter({pattern("p", {ring(4, 1.0f)})}, {wave(0.0f, EnemyKind::Lantern, 0, kStands)}));
  start(world);
  run(world, 30);
  constexpr float kReach = 72.0f;
  // A style of the test's own: sparks that stand where they are put, one each three units from the ship to the field's edge.
  constexpr u32 kRow = ParticleSystem::kStyleRows - 1;
  frame::EmitterDef still;
  still.name = "still";
  still.life_s = {2.0f, 2.0f};
  frame::SpellDef spell;
  spell.emitters = {still};
  world.particles().set_style(kRow, bake_styles(spell, 0).front());
  const u64 before = world.particles().stats().live;
  std::vector<EmitRequest> requests;
  for (int i = -60; i <= 60; ++i) {
    EmitRequest request;
    request.style = kRow;
    request.count = 1;
    request.from_x = request.to_x = world.ship().x() + 3.0f * static_cast<float>(i);
    request.from_y = request.to_y = world.ship().y();
    requests.push_back(request);
  }
  world.particles().spawn(requests);
  ASSERT_EQ(world.particles().stats().live, before + requests.size());

  frame::RenderSnapshot bare;
  world.particles().build_snapshot(bare);
  const std::vector<frame::ParticleInstance> plain(bare.additive_layer.begin(), bare.additive_layer.end());
  const auto layer = [&] {
    const std::span<const frame::ParticleInstance> shown = world.build_snapshot().additive_layer;
    return std::vector<frame::ParticleInstance>(shown.begin(), shown.end());
  };
  const std::vector<frame::ParticleInstance> dimmed = layer();
  ASSERT_EQ(dimmed.size(), plain.size());
  u32 near = 0, far = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const frame::ParticleInstance &a = plain[i], &b = dimmed[i];
    const float dx = static_cast<float>(a.x) / frame::kPositionScale - world.ship().x(), dy = static_cast<float>(a.y) / frame::kPositionScale - world.ship().y();
    const float share = (dx * dx + dy * dy) / (kReach * kReach);
    EXPECT_TRUE(a.x == b.x && a.y == b.y && a.size == b.size && a.a == b.a && a.glow_shape == b.glow_shape);
    const float left = share < 1.0f ? 0.3f + 0.7f * share : 1.0f;
    EXPECT_NEAR(b.r, left * a.r, 1.1f) << "at " << dx << ", " << dy;
    EXPECT_NEAR(b.g, left * a.g, 1.1f) << "at " << dx << ", " << dy;
    EXPECT_NEAR(b.b, left * a.b, 1.1f) << "at " << dx << ", " << dy;
    near += share < 0.25f && b.r < a.r / 2 + 1 && a.r > 20;
    far += share >= 1.0f && a.r == b.r && a.r > 20;
  }
  EXPECT_GE(near, 15u);
  EXPECT_GE(far, 60u);

  // A picture that is drawn while the step runs, and shown twice: dimmed once.
  world.step({}, {}, nullptr, frame::Amount::Full);
  const auto sum = [](const std::vector<frame::ParticleInstance>& all) {
    u64 light = 0;
    for (const frame::ParticleInstance& p : all) light += p.r + p.g + p.b;
    return light;
  };
  const u64 first = sum(layer());
  EXPECT_EQ(sum(layer()), first);
  EXPECT_EQ(world.particles().pictures_walked(), 2u) << "only the two before that step";
  world.particles().build_snapshot(bare, frame::Amount::Reduced);  // and whole again by a walk
  world.particles().build_snapshot(bare);
  EXPECT_GT(sum({bare.additive_layer.begin(), bare.additive_layer.end()}), first);
}

TEST(CircleGrid, FindsAllThatTouchACell) {
  Rng rng(3);
  struct Circle {
    float x, y, radius;
  };
  std::vector<Circle> circles;
  for (int i = 0; i < 200; ++i) {
    Circle c{};
    c.x = rng.range(-380, 380);
    c.y = rng.range(-450, 450);
    c.radius = rng.range(4, 60);
    circles.push_back(c);
  }
  FrameMemory memory(16, 64 * 1024);
  const CircleGrid grid(memory.step, 200, [&](u32 i, float& x, float& y, float& radius) {
    x = circles[i].x;
    y = circles[i].y;
    radius = circles[i].radius;
  });
  for (int k = 0; k < 2'000; ++k) {
    const float x = rng.range(-300, 300), y = rng.range(-360, 360);
    const std::span<const u32> near = grid.at(x, y);
    ASSERT_TRUE(std::is_sorted(near.begin(), near.end()));
    for (u32 i = 0; i < 200; ++i) {
      const float dx = circles[i].x - x, dy = circles[i].y - y;
      if (dx * dx + dy * dy <= circles[i].radius * circles[i].radius) {
        ASSERT_TRUE(std::binary_search(near.begin(), near.end(), i)) << "circle " << i << " at " << x << ", " << y;
      }
    }
  }
}

}  // namespace
}  // namespace spellpool::sim
