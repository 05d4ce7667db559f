#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "core/assert.hpp"
#include "pool/generation.hpp"

namespace spellpool::pool {

/// Who is oldest, exactly: a doubly linked list of slots in order of birth. The data of PolicyId::StealOldest, one object
/// for all strategies: it knows slot numbers only, and those stay the same when objects move to another storage.
/// Layout   links_[slots + 1] of {previous, next}: 8 bytes a slot; the last entry is the list's head.
/// Cost     push_back, unlink, oldest O(1). Built only when the policy is chosen: O(live log live), since a pool does not
///          otherwise remember who came first (the caller gives each object's serial).
class AgeList {
 public:
  struct Member {
    u64 serial;
    u32 slot;
  };

  AgeList(u32 slots, std::vector<Member> members) : links_(slots + 1) {
    clear_links();
    std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.serial < b.serial; });
    for (const Member& member : members) push_back(member.slot);
  }

  /// For a storage with more or fewer slots; members keep their order. No member's slot may be ≥ slots.
  void resize(u32 slots) {
    if (slots == head()) return;
    AgeList anew(slots, {});  // whatever throws, this one is as it was
    for (u32 slot = links_[head()].next; slot != head(); slot = links_[slot].next) anew.push_back(slot);
    links_.swap(anew.links_);
  }

  void push_back(u32 slot) {
    SPELLPOOL_ASSERT(slot < head());
    Link& end = links_[head()];
    links_[slot] = {end.previous, head()};
    links_[end.previous].next = slot;
    end.previous = slot;
  }
  void unlink(u32 slot) {
    const Link link = links_[slot];
    links_[link.previous].next = link.next;
    links_[link.next].previous = link.previous;
  }
  /// The slot of the oldest object, or kNoSlot.
  u32 oldest() const {
    const u32 slot = links_[head()].next;
    return slot == head() ? kNoSlot : slot;
  }
  u64 bytes() const { return links_.capacity() * sizeof(Link); }

 private:
  struct Link {
    u32 previous = 0, next = 0;
  };
  u32 head() const { return static_cast<u32>(links_.size()) - 1; }
  void clear_links() { links_[head()] = {head(), head()}; }

  std::vector<Link> links_;
};

}  // namespace spellpool::pool
