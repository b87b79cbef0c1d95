/// @file
/// What a program is written with: Vector, Shared, Matrix, Space. All are cheap handles; the data is distributed.
#pragma once

#include <concepts>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasen/base/ids.h"
#include "kasen/base/padding.h"
#include "kasen/base/source_location.h"
#include "kasen/detail/handles.h"
#include "kasen/recording/element_type.h"
#include "kasen/recording/handle.h"

namespace kasen {

namespace io {
class VertexIds;
}

/// An index space: a length, and one assignment of its elements to workers. Equal lengths share one space.
class Space {
 public:
  Space(SpaceId id, std::uint64_t length) : _id(id), _length(length) {}
  /// The space that all vectors of this length share; of the current session. @throws ProgramError for a length below 0
  /// or above what an index can count.
  template <std::integral I>
  Space(I length, SourceLocation where = SourceLocation::current())  // NOLINT: a length is a space
      : Space(of_length(std::in_range<std::int64_t>(length) ? static_cast<std::int64_t>(length) : -1,
                        std::to_string(length), where)) {}

  SpaceId id() const { return _id; }
  std::uint64_t length() const { return _length; }
  /// The session that it belongs to, see recording::require_session.
  std::uint32_t session() const { return _session; }

 private:
  /// @param as_given the length, for the message if it is none
  static Space of_length(std::int64_t length, const std::string& as_given, SourceLocation where);

  SpaceId _id;
  std::uint64_t _length;
  std::uint32_t _session = recording::session_number();
};

/// A space apart from all others of its length. Local, in the same order on all workers.
/// @code
/// Space users = separate_space(1000, "users");
/// @endcode
Space separate_space(std::uint64_t length, const std::string& name, SourceLocation where = SourceLocation::current());

namespace detail {
/// The index space of a variable's value. Local. @throws ProgramError without a value
Space space_of(const recording::Handle& v, SourceLocation where);
}  // namespace detail

/// The element type of a matrix that stores no values, only where its non-zeros are.
struct Pattern {};

namespace detail {
/// What is taken for a Vector, and is none.
template <class U, class T>
inline constexpr bool kIsNoVector = std::is_arithmetic_v<U>;
template <class U, class T>
inline constexpr bool kIsNoVector<Vector<U>, T> = !std::is_same_v<U, T>;
template <class U, class T>
inline constexpr bool kIsNoVector<std::vector<U>, T> = true;
}  // namespace detail

/// One value, known to every worker. Copies are new variables with the same value; assignment stores.
/// @code
/// Shared<double> alpha = 0.85, sum = reduce(plus, v);
/// sum *= alpha;
/// double number = sum.get();
/// @endcode
template <class T>
class Shared : public recording::Handle {
  static_assert(
      std::is_trivially_copyable_v<T>,
      "[Shared] elements are of trivially copyable types, that is numbers, and structs and arrays of them: not of "
      "std::string or std::vector");

 public:
  using Element = T;
  /// Without a value until one is assigned.
  explicit Shared(SourceLocation where = SourceLocation::current()) : Handle(where) {}
  template <class U>
  requires std::convertible_to<U, T> Shared(
      U value, SourceLocation where = SourceLocation::current())  // NOLINT: a value is a Shared
      : Handle(as_bytes(static_cast<T>(value)), recording::type_of<T>(), where) {}
  Shared(const Shared& other, SourceLocation where = SourceLocation::current()) : Handle(other, where) {}
  Shared& operator=(const Shared& other) {
    store(other);
    return *this;
  }
  /// From a primitive's result.
  Shared(recording::Result<T> result) : Handle(result.slot) {}  // NOLINT

  /// The value. Collective: runs what is pending. Not in a recorded block.
  /// @throws ProgramError in a block, without a value, or after the reduction of nothing without identity.
  T get(SourceLocation where = SourceLocation::current()) const {
    T value;
    read_shared(&value, sizeof(T), where);
    return value;
  }
  template <class U>
  requires(!std::is_same_v<U, T>) Shared(const Shared<U>& other)  // NOLINT: refused
      : Handle(other, SourceLocation::current()) {
    static_assert(detail::kNever<U>,
                  "[Shared] a Shared of one type is none of another: kasen::cast<double>(s) converts it, and "
                  "apply(KASEN_FN((auto x), ...), s)");
  }
  template <std::same_as<bool> B>
  explicit operator B() const {
    static_assert(detail::kNever<B>,
                  "[Shared] its value is not known while a program is recorded: use if_ and while_, or s.get(), which "
                  "runs what is pending");
    return false;
  }

 private:
  static std::vector<std::byte> as_bytes(T value) {
    clear_padding(value);
    std::vector<std::byte> bytes(sizeof(T));
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
  }
};

/// A vector over an index space, distributed by its assignment. Copies are new variables with the same value (no data
/// is copied); assignment stores.
/// @code
/// Vector<double> x = constant(space, 1.0), before = x;
/// x = zip_with(plus, x, v);
/// std::vector<double> all = x.get();
/// @endcode
template <class T>
class Vector : public recording::Handle {
  static_assert(
      std::is_trivially_copyable_v<T>,
      "[Vector] elements are of trivially copyable types, that is numbers, and structs and arrays of them: not of "
      "std::string or std::vector");

 public:
  using Element = T;
  explicit Vector(SourceLocation where = SourceLocation::current()) : Handle(where) {}
  Vector(const Vector& other, SourceLocation where = SourceLocation::current()) : Handle(other, where) {}
  Vector& operator=(const Vector& other) {
    store(other);
    return *this;
  }
  Vector(recording::Result<T> result) : Handle(result.slot) {}  // NOLINT: from a primitive's result

  /// The whole vector in global order, on every worker. Collective: runs what is pending. Memory: its length.
  std::vector<T> get(SourceLocation where = SourceLocation::current()) const {
    if constexpr (std::is_same_v<T, bool>) {  // std::vector packs them
      const auto values = std::make_unique<bool[]>(length(where));
      read_vector(values.get(), sizeof(bool), where);
      return std::vector<bool>(values.get(), values.get() + length(where));
    } else {
      std::vector<T> values(length(where));
      read_vector(values.data(), sizeof(T), where);
      return values;
    }
  }
  std::uint64_t length(SourceLocation where = SourceLocation::current()) const { return space_length(where); }
  /// Of its elements, for others that are to be combined with them: constant(v.space(), 1.0). Local.
  Space space(SourceLocation where = SourceLocation::current()) const { return detail::space_of(*this, where); }

  // What std::vector has, and is refused.
  template <class U>
  requires detail::kIsNoVector<U, T> Vector(const U&)  // NOLINT: refused
      : Handle(SourceLocation::current()) {
    static_assert(
        !detail::kIsVector<U>,
        "[Vector] a Vector of one type is none of another: map(KASEN_FN((auto x), kasen::cast<double>(x)), v) "
        "converts it, and constant(space, 1.0) is one of double");
    static_assert(!std::is_arithmetic_v<U>, "[Vector] a number is no Vector: constant(space, 1.0) makes one");
    static_assert(detail::kIsVector<U> || std::is_arithmetic_v<U>,
                  "[Vector] a std::vector is no Vector: make_vector(space, values) makes one of each worker's block");
  }
  template <class I>
  T operator[](const I&) const {
    static_assert(detail::kNever<I>,
                  "[Vector] it is distributed, and has no []: map and zip_with are functions of its elements, and "
                  "v.get()[i] is one after running what is pending");
    return T();
  }
};

/// A sparse matrix, distributed; always in the partitioned state. T = Pattern stores no values. Or a batch of one,
/// which `batch` gives (kasen/batches.h): it goes into products, as a whole matrix does, and into nothing else.
template <class T>
class Matrix {
  static_assert(std::is_trivially_copyable_v<T>,
                "[Matrix] entries are of trivially copyable types, that is numbers, and structs and arrays of them; or "
                "Pattern, which has no values");

 public:
  using Element = T;
  Matrix(MatrixId id, Space rows, Space columns, std::shared_ptr<const io::VertexIds> ids = nullptr)
      : _id(id), _rows(rows), _columns(columns), _ids(std::move(ids)) {}
  /// A batch of a matrix in batches.
  Matrix(MatrixId id, Space rows, Space columns, std::shared_ptr<const Shared<std::int64_t>> batch)
      : _id(id), _rows(rows), _columns(columns), _batch(std::move(batch)) {}
  Matrix(const Matrix& other)
      : _id(other._id), _rows(other._rows), _columns(other._columns), _ids(other._ids), _batch(other._batch) {}
  /// Not in a recorded block of one that was made before it: a Matrix is no variable of the program, and would be the
  /// same in all iterations. @throws ProgramError with the block's line
  Matrix& operator=(const Matrix& other) {  // NOLINT(bugprone-unhandled-self-assignment): copies are of any
    recording::require_made_in_block(_depth, "a Matrix");
    _id = other._id;
    _rows = other._rows;
    _columns = other._columns;
    _ids = other._ids;
    _batch = other._batch;
    return *this;
  }

  MatrixId id() const { return _id; }
  Space rows() const { return _rows; }        ///< the space of its height
  Space columns() const { return _columns; }  ///< the space of its width
  /// The session that it belongs to, see recording::require_session.
  std::uint32_t session() const { return _rows.session(); }
  /// The names that the vertices of a graph have in the file it was read from, numbers from 0 if they have none there;
  /// null of all other matrices.
  const std::shared_ptr<const io::VertexIds>& ids() const { return _ids; }
  /// Of a batch the number; null of a whole matrix.
  const Shared<std::int64_t>* batch() const { return _batch.get(); }

 private:
  MatrixId _id;
  Space _rows, _columns;
  std::shared_ptr<const io::VertexIds> _ids;
  std::shared_ptr<const Shared<std::int64_t>> _batch;
  std::size_t _depth = recording::block_depth();
};

}  // namespace kasen
