/// @file
/// One datatype stands for all Shareds of a boundary; how each is folded hangs on it as an attribute, because an
/// MPI_Op has no context of its own. The values have a flag each: "has seen an element". Where the order in which MPI
/// combines may differ between workers or calls, as Open MPI's does by the size, by whether it waits and by the number
/// of workers, all workers get all values, and combine them by rank.
#include "comm/shared_reduction.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "comm/failure.h"
#include "comm/large_counts.h"
#include "comm/mpi_call.h"
#include "comm/packing.h"

namespace kasen::comm {
namespace {

/// The packed form of a boundary's Shareds: values first, then one flag byte each.
struct Packed {
  explicit Packed(std::vector<SharedReduction> all) : shareds(std::move(all)) {
    for (const SharedReduction& shared : shareds) {
      offsets.push_back(flags);
      flags += shared.bytes;
      largest = std::max<std::size_t>(largest, shared.bytes);
    }
    bytes = flags + shareds.size();
    left.resize(largest + kLine);
    right.resize(largest + kLine);
    buffer.resize(bytes);
  }

  void pack() {
    for (std::size_t s = 0; s < shareds.size(); ++s) {
      buffer[flags + s] = std::byte{shareds[s].has};
      if (shareds[s].has) std::memcpy(buffer.data() + offsets[s], shareds[s].value, shareds[s].bytes);
    }
  }

  void unpack() {
    for (std::size_t s = 0; s < shareds.size(); ++s) {
      shareds[s].has = buffer[flags + s] != std::byte{0};
      if (shareds[s].has) std::memcpy(shareds[s].value, buffer.data() + offsets[s], shareds[s].bytes);
    }
  }

  /// into = op(from, into), `from` being of the lower ranks.
  void combine(const std::byte* from, std::byte* into) {
    for (std::size_t s = 0; s < shareds.size(); ++s) {
      if (from[flags + s] == std::byte{0}) continue;
      const std::size_t size = shareds[s].bytes;
      if (into[flags + s] != std::byte{0}) {
        // MPI's buffers have MPI's alignment, and the lower ranks' operand must come first: both go through copies.
        std::byte* const first = aligned(left);
        std::byte* const second = aligned(right);
        std::memcpy(first, from + offsets[s], size);
        std::memcpy(second, into + offsets[s], size);
        const Combine& op = shareds[s].combine;
        op.fold(op.context.get(), first, nullptr, second, 1);
        std::memcpy(into + offsets[s], first, size);
      } else {
        std::memcpy(into + offsets[s], from + offsets[s], size);
        into[flags + s] = std::byte{1};
      }
    }
  }

  /// The packed values of all workers, by rank, each into the next, and the last into the buffer.
  void fold(std::span<std::byte> all) {
    for (std::size_t at = bytes; at < all.size(); at += bytes) combine(all.data() + at - bytes, all.data() + at);
    std::memcpy(buffer.data(), all.data() + all.size() - bytes, bytes);
  }

  static constexpr std::size_t kLine = 64;
  static std::byte* aligned(std::vector<std::byte>& memory) {
    const std::size_t over = reinterpret_cast<std::uintptr_t>(memory.data()) % kLine;
    return memory.data() + (over == 0 ? 0 : kLine - over);
  }

  std::vector<SharedReduction> shareds;
  std::vector<std::size_t> offsets;
  std::size_t flags = 0, bytes = 0, largest = 0;
  std::vector<std::byte> left, right, buffer;
  std::exception_ptr error;  ///< of a user's function; MPI's frames must not be unwound
};

/// What MPI has to know once per process; given back when MPI finalises.
struct Registered {
  MPI_Op op = MPI_OP_NULL;
  int key = MPI_KEYVAL_INVALID;  ///< of the attribute that points from a datatype to its Packed
  bool same_bits_everywhere = false;

  static const Registered& get() {
    static Registered registered;
    return registered;
  }

 private:
  Registered() {
    // Not commutative in MPI's sense: then the order of operands follows the ranks.
    check(MPI_Op_create(&combine, 0, &op), "MPI_Op_create");
    check(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key, nullptr),
          "MPI_Type_create_keyval");
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    check(MPI_Get_library_version(version, &length), "MPI_Get_library_version");
    same_bits_everywhere = std::string_view(version).starts_with("MPICH Version");
    // MPI deletes the attributes of MPI_COMM_SELF first of all when it finalises.
    int at_end = MPI_KEYVAL_INVALID;
    check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &release, &at_end, nullptr), "MPI_Comm_create_keyval");
    check(MPI_Comm_set_attr(MPI_COMM_SELF, at_end, this), "MPI_Comm_set_attr");
    check(MPI_Comm_free_keyval(&at_end), "MPI_Comm_free_keyval");
  }

  static void combine(void* from, void* into, int* num, MPI_Datatype* type) {
    void* attribute = nullptr;
    int found = 0;
    // MPI's frames must not be unwound, and without the attribute there is no place for an error.
    if (MPI_Type_get_attr(*type, get().key, &attribute, &found) != MPI_SUCCESS || !found)
      fail("MPI_Type_get_attr failed in a reduction", 1);
    auto& packed = *static_cast<Packed*>(attribute);
    if (packed.error) return;
    try {
      for (int k = 0; k < *num; ++k) {
        const std::size_t at = static_cast<std::size_t>(k) * packed.bytes;
        packed.combine(static_cast<const std::byte*>(from) + at, static_cast<std::byte*>(into) + at);
      }
    } catch (...) {
      packed.error = std::current_exception();
    }
  }

  static int release(MPI_Comm, int, void* attribute, void*) {
    auto& registered = *static_cast<Registered*>(attribute);
    MPI_Type_free_keyval(&registered.key);
    return MPI_Op_free(&registered.op);
  }
};

/// A contiguous datatype: one indivisible element for MPI, however large.
class PackedType {
 public:
  PackedType(Packed& packed, std::uint64_t limit) {
    const int code = packed.bytes > limit
                         ? MPI_Type_contiguous_c(static_cast<MPI_Count>(packed.bytes), MPI_BYTE, &_native)
                         : MPI_Type_contiguous(static_cast<int>(packed.bytes), MPI_BYTE, &_native);
    check(code, "MPI_Type_contiguous");
    check(MPI_Type_set_attr(_native, Registered::get().key, &packed), "MPI_Type_set_attr");
    check(MPI_Type_commit(&_native), "MPI_Type_commit");
  }
  ~PackedType() { MPI_Type_free(&_native); }
  PackedType(const PackedType&) = delete;
  PackedType& operator=(const PackedType&) = delete;
  MPI_Datatype native() const { return _native; }

 private:
  MPI_Datatype _native = MPI_DATATYPE_NULL;
};

}  // namespace

class SharedReductions::Prepared {
 public:
  Prepared(const Communicator& communicator, std::vector<SharedReduction> shareds, std::uint64_t limit)
      : packed(std::move(shareds)), _communicator(&communicator) {
    if (communicator.size() == 1 || packed.shareds.empty()) return;
    if (Registered::get().same_bits_everywhere) {
      _type.emplace(packed, limit);
    } else {
      _all.resize(packed.bytes * static_cast<std::size_t>(communicator.size()));
    }
  }

  void run() {
    const Registered& registered = Registered::get();
    packed.error = nullptr;
    packed.pack();
    std::byte* const buffer = packed.buffer.data();
    const MPI_Comm native = _communicator->native();
    if (!_type) {
      const auto bytes = static_cast<MPI_Count>(packed.bytes);
      collective(
          _communicator->oversubscribed(), "MPI_Allgather",
          [&] { return MPI_Allgather_c(buffer, bytes, MPI_BYTE, _all.data(), bytes, MPI_BYTE, native); },
          [&](MPI_Request* request) {
            return MPI_Iallgather_c(buffer, bytes, MPI_BYTE, _all.data(), bytes, MPI_BYTE, native, request);
          });
      packed.fold(_all);
      packed.unpack();
      return;
    }
    collective(
        _communicator->oversubscribed(), "MPI_Allreduce",
        [&] { return MPI_Allreduce(MPI_IN_PLACE, buffer, 1, _type->native(), registered.op, native); },
        [&](MPI_Request* request) {
          return MPI_Iallreduce(MPI_IN_PLACE, buffer, 1, _type->native(), registered.op, native, request);
        });
    if (packed.error) std::rethrow_exception(packed.error);
    packed.unpack();
  }

  Packed packed;

 private:
  const Communicator* _communicator;
  std::optional<PackedType> _type;
  std::vector<std::byte> _all;  ///< of all workers, where these fold them
};

SharedReductions::SharedReductions(const Communicator& communicator, std::vector<SharedReduction> shareds,
                                   std::uint64_t limit)
    : _prepared(std::make_unique<Prepared>(communicator, std::move(shareds), limit)) {}
SharedReductions::~SharedReductions() = default;
SharedReductions::SharedReductions(SharedReductions&&) noexcept = default;
SharedReductions& SharedReductions::operator=(SharedReductions&&) noexcept = default;

std::span<SharedReduction> SharedReductions::shareds() { return _prepared->packed.shareds; }
void SharedReductions::run() { _prepared->run(); }

}  // namespace kasen::comm
