// Undo by snapshot: save() before each change, restore() to take it back. Handles that were good when a
// snapshot was saved are good again after its restore(), and name the same objects. Handles that came later
// are refused, but do not keep them: an object that is acquired after the restore() may get the same handle.
// The same calls make rollback netcode and replays.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "pool/pool.hpp"

using spellpool::pool::FreeListPool;

struct Tree {
  int x, y;
  std::string name;  // any type that can be copied
};
using Garden = FreeListPool<Tree>;

class Editor {
 public:
  explicit Editor(unsigned capacity) : garden_(capacity) {}

  template <class Change>
  void change(Change&& change) {
    past_.push_back(garden_.save());
    change(garden_);
  }
  bool undo() {
    if (past_.empty()) return false;
    garden_.restore(past_.back());
    past_.pop_back();
    return true;
  }
  const Garden& garden() const { return garden_; }

 private:
  Garden garden_;
  std::vector<Garden::Snapshot> past_;
};

static void print(const char* what, const Garden& garden) {
  std::printf("%-14s", what);
  for (const Tree& tree : garden) std::printf(" %s(%d,%d)", tree.name.c_str(), tree.x, tree.y);
  std::printf("\n");
}

int main() {
  Editor editor(10);
  Garden::HandleType oak, birch;
  editor.change([&](Garden& garden) { oak = garden.acquire(1, 1, "oak"); });
  editor.change([&](Garden& garden) { garden.acquire(2, 5, "a cherry tree whose name is long"); });
  print("planted:", editor.garden());

  editor.change([&](Garden& garden) { garden.get(oak)->x = 9; });
  print("moved:", editor.garden());
  editor.change([&](Garden& garden) {
    garden.release(oak);
    birch = garden.acquire(3, 3, "birch");  // in the oak's slot
  });
  print("replaced:", editor.garden());

  editor.undo();
  print("undo:", editor.garden());
  std::printf("the oak is %s, the birch %s\n", editor.garden().contains(oak) ? "here" : "gone",
              editor.garden().contains(birch) ? "here" : "gone");
  editor.undo();
  print("undo:", editor.garden());
  while (editor.undo()) {}
  print("all undone:", editor.garden());
}
