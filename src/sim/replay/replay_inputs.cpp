#include "sim/replay/replay_inputs.hpp"

#include <algorithm>

namespace spellpool::sim {
namespace {

void append_varint(std::string& bytes, u64 value) {
  for (; value >= 128; value >>= 7) bytes += static_cast<char>(value | 128);
  bytes += static_cast<char>(value);
}
void append_difference(std::string& bytes, i32 difference) {
  append_varint(bytes, static_cast<u32>(difference) << 1 ^ static_cast<u32>(difference >> 31));
}

/// Takes bytes off the front of what it was given; false for ever once they do not suffice.
struct Bytes {
  std::string_view left;
  bool good = true;

  u8 byte() {
    if (left.empty()) good = false;
    if (!good) return 0;
    const u8 value = static_cast<u8>(left.front());
    left.remove_prefix(1);
    return value;
  }
  u64 varint() {
    u64 value = 0;
    for (u32 shift = 0; shift < 63; shift += 7) {
      const u8 next = byte();
      value |= u64{next & 127u} << shift;
      if (next < 128) return value;
    }
    good = false;
    return 0;
  }
  i16 moved(i16 from) {
    const u64 zigzag = varint();
    if (zigzag > 0x1ffff) good = false;
    const i64 to = from + (static_cast<i64>(zigzag >> 1) ^ -static_cast<i64>(zigzag & 1));
    if (to < -32768 || to > 32767) good = false;
    return good ? static_cast<i16>(to) : i16{0};
  }
};

}  // namespace

void InputRuns::add(const frame::InputFrame& input, std::string& bytes) {
  if (steps_ == 0 || input != now_) {
    end(bytes);
    now_ = input;
  }
  ++steps_;
}

void InputRuns::end(std::string& bytes) {
  if (steps_ == 0) return;
  u8 kind = static_cast<u8>(steps_ < 8 ? steps_ << 5 : 0);
  if (now_.aim_x16 != before_.aim_x16) kind |= kAimX;
  if (now_.aim_y16 != before_.aim_y16) kind |= kAimY;
  if (now_.move_x != before_.move_x || now_.move_y != before_.move_y) kind |= kMove;
  if (now_.buttons != before_.buttons) kind |= kButtons;
  if (now_.select_spell != before_.select_spell) kind |= kSpell;
  bytes += static_cast<char>(kind);
  if (kind & kAimX) append_difference(bytes, now_.aim_x16 - before_.aim_x16);
  if (kind & kAimY) append_difference(bytes, now_.aim_y16 - before_.aim_y16);
  if (kind & kMove) write_move({now_.move_x, now_.move_y}, bytes);
  if (kind & kButtons) bytes += static_cast<char>(now_.buttons);
  if (kind & kSpell) bytes += static_cast<char>(now_.select_spell);
  if (steps_ >= 8) append_varint(bytes, steps_ - 8);
  before_ = now_;
  steps_ = 0;
}

void InputRuns::write_move(Move move, std::string& bytes) {
  const auto known = std::find(moves_.begin(), moves_.begin() + move_count_, move);
  const u32 place = static_cast<u32>(known - moves_.begin());
  bytes += static_cast<char>(place);
  if (place < move_count_) return;
  bytes += static_cast<char>(move.x);
  bytes += static_cast<char>(move.y);
  join(move);
}

bool read_input_runs(std::string_view text, u64 steps, std::vector<frame::InputFrame>& inputs) {
  Bytes bytes{text};
  InputRuns known;
  frame::InputFrame now;
  inputs.reserve(inputs.size() + steps);
  u64 left = steps;
  while (!bytes.left.empty()) {
    const u8 kind = bytes.byte();
    if (kind & InputRuns::kAimX) now.aim_x16 = bytes.moved(now.aim_x16);
    if (kind & InputRuns::kAimY) now.aim_y16 = bytes.moved(now.aim_y16);
    if (kind & InputRuns::kMove) {
      const u32 place = bytes.byte();
      if (place > known.move_count_) return false;
      InputRuns::Move move = place < known.move_count_ ? known.moves_[place] : InputRuns::Move{};
      if (place == known.move_count_) {
        move.x = static_cast<i8>(bytes.byte());
        move.y = static_cast<i8>(bytes.byte());
        known.join(move);
      }
      now.move_x = move.x;
      now.move_y = move.y;
    }
    if (kind & InputRuns::kButtons) now.buttons = bytes.byte();
    if (kind & InputRuns::kSpell) now.select_spell = bytes.byte();
    u64 run = kind >> 5;
    if (run == 0) run = bytes.varint() + 8;  // of 63 bits: the sum does not wrap
    if (!bytes.good || run > left) return false;
    inputs.insert(inputs.end(), run, now);
    left -= run;
  }
  return left == 0;
}

}  // namespace spellpool::sim
