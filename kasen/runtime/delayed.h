/// @file
/// Class Delayed: visits some steps after what is visited is known, so that memory has time to bring it.
#pragma once

#include <array>
#include <cstddef>

namespace kasen::runtime {

/// A queue that calls `visit` for what was added `Distance` additions ago.
template <class Item, std::size_t Distance, class Visit>
class Delayed {
 public:
  explicit Delayed(const Visit& visit) : _visit(visit) {}

  void add(const Item& item) {
    if (_end - _first == Distance) visit_first();
    _items[_end++ % Distance] = item;
  }
  void finish() {
    while (_first < _end) visit_first();
  }

 private:
  void visit_first() {
    const Item item = _items[_first++ % Distance];
    _visit(item);
  }

  const Visit& _visit;
  std::array<Item, Distance> _items;
  std::size_t _first = 0, _end = 0;
};

template <class Item, std::size_t Distance, class Visit>
Delayed<Item, Distance, Visit> delayed(const Visit& visit) {
  return Delayed<Item, Distance, Visit>(visit);
}

}  // namespace kasen::runtime
