/// @file
/// Texts in parts and compressed: what every worker reads is what stands there, wherever parts and shares are cut.
#include "kasen/io/lines/text.h"

#include <bzlib.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/base/random.h"
#include "kasen/io/lines/text_lines.h"
#include "tests/io/temporary_directory.h"

namespace kasen::io {
namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}
std::string bzip2(const std::string& text) {
  std::string out(text.size() * 2 + 1000, '\0');
  auto bytes = static_cast<unsigned>(out.size());
  EXPECT_EQ(BZ2_bzBuffToBuffCompress(out.data(), &bytes, const_cast<char*>(text.data()),
                                     static_cast<unsigned>(text.size()), 1, 0, 0),
            BZ_OK);
  out.resize(bytes);
  return out;
}
std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

using Compress = std::string (*)(const std::string&);
constexpr Compress kCompressors[] = {gzip, bzip2, zstd};
const std::string kNames[] = {"gzip", "bzip2", "zstd"};

/// That this process has asked the system for; 0 where that is not known.
std::uint64_t bytes_read() {
  std::ifstream file("/proc/self/io");
  std::string name;
  std::uint64_t bytes = 0;
  return file >> name >> bytes && name == "rchar:" ? bytes : 0;
}

class TextTest : public testing::Test {
 protected:
  /// Collective. All lines by worker.
  std::string lines_of(const std::string& path, std::uint64_t skip = 0) {
    const Text text(_communicator, path, skip);
    std::string mine;
    read_lines(_communicator, text, text.start(), [&](const TextLine& line) { mine += std::string(line.text) + "\n"; });
    const auto all = _communicator.all_gather(std::span<const char>(mine.data(), mine.size()));
    return {all.values.begin(), all.values.end()};
  }
  std::string error_of(const std::string& path) {
    try {
      lines_of(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  std::string numbered(int lines) {
    std::string text;
    for (int k = 0; k < lines; ++k) text += std::to_string(k * 7919) + " " + std::to_string(k) + "\n";
    return text;
  }

  comm::Communicator _communicator;
  TemporaryDirectory _directory{_communicator};
};

TEST_F(TextTest, CompressedInStreams) {
  const std::string one = numbered(30000), other = numbered(500);
  for (const Compress compress : kCompressors) {
    EXPECT_EQ(lines_of(_directory.write("one", compress(one))), one);
    EXPECT_EQ(lines_of(_directory.write("two", compress(one) + compress("") + compress(other))), one + other);
    EXPECT_EQ(lines_of(_directory.write("nothing", compress(""))), "");
  }
  EXPECT_EQ(lines_of(_directory.write("padded", gzip(other) + std::string(1000, '\0'))), other);
  const std::string zeros(std::size_t{1} << 20, '\n');  // much comes out of little
  for (const Compress compress : kCompressors) {
    EXPECT_EQ(lines_of(_directory.write("zeros", compress(zeros))), zeros);
  }
}

/// Numbers that hardly compress, so that there are many pieces; lines of up to three of them.
TEST_F(TextTest, CompressedFilesAreReadOnce) {
  std::string text;
  for (std::uint64_t k = 0; text.size() < std::size_t{3} << 20; ++k)
    text += std::to_string(random_bits(std::uint64_t{7}, k)) + (random_bits(std::uint64_t{8}, k) % 2 == 0 ? "\n" : " ");
  text += "the end, without one of a line";
  for (const Compress compress : kCompressors) {
    const std::string packed = compress(text);
    const std::string path = _directory.write("once", packed);
    const std::uint64_t before = bytes_read();
    EXPECT_EQ(lines_of(path), text + "\n");
    const auto workers = static_cast<std::uint64_t>(_communicator.size());
    // Everybody may look at the beginning, and reads what the system has about memory.
    if (before > 0) {
      EXPECT_LT(_communicator.sum(bytes_read() - before), packed.size() + workers * (std::uint64_t{1} << 19));
    }
  }
}

/// A wrong line comes before damage behind it, for any number of workers.
TEST_F(TextTest, WrongLinesOfDamagedFiles) {
  const std::string text = numbered(20000);
  for (int k = 0; k < 3; ++k) {
    const std::string packed = kCompressors[k](text),
                      path = _directory.write("end", packed.substr(0, packed.size() - 9));
    for (const int line : {0, 100, 5000, -1}) {
      const Text file(_communicator, path);
      std::string message;
      try {
        read_lines(_communicator, file, file.start(), [&](const TextLine& l) {
          if (l.text == std::to_string(line * 7919) + " " + std::to_string(line)) throw LineError{0, "wrong"};
        });
      } catch (const Error& error) {
        message = error.what();
      }
      EXPECT_EQ(message, line >= 0 ? path + ":" + std::to_string(line + 1) + ":1: wrong"
                                   : path + ": is compressed with " + kNames[k] + " and cut off: its end is missing");
    }
  }
}

/// A beginning of a compressed file is refused whatever its length, and so is one with a bit turned.
TEST_F(TextTest, CutOffAndDamaged) {
  for (int k = 0; k < 3; ++k) {
    std::string packed = kCompressors[k](numbered(40));
    for (std::size_t length : {std::size_t{7}, packed.size() / 2, packed.size() - 1}) {
      const std::string path = _directory.write("cut", packed.substr(0, length));
      EXPECT_EQ(error_of(path), path + ": is compressed with " + kNames[k] + " and cut off: its end is missing");
    }
    const std::string followed = _directory.write("followed", packed + "and more of it");
    EXPECT_EQ(error_of(followed),
              followed + ": is compressed with " + kNames[k] + " and damaged, or something else follows its end");
    const std::string stray = _directory.write("stray", packed + "x");
    EXPECT_NE(error_of(stray).find("something else follows"), std::string::npos);
    if (k == 2) continue;  // frames need not have checksums
    packed[packed.size() / 2] = static_cast<char>(packed[packed.size() / 2] ^ 4);
    const std::string path = _directory.write("damaged", packed);
    EXPECT_EQ(error_of(path), path + ": is compressed with " + kNames[k] + " and damaged");
  }
  const std::string xz = _directory.write("xz",
                                          "\xfd"
                                          "7zXZ\x01");
  EXPECT_EQ(error_of(xz), xz + ": is compressed with xz, expected gzip, bzip2 or zstd; unpack it first");
}

/// Of a line that is cut off nothing is read.
TEST_F(TextTest, CutOffInALine) {
  const std::string text = numbered(40), packed = gzip(text);
  for (std::size_t length = 20; length + 8 < packed.size(); length += 9) {
    const std::string path = _directory.write("cut", packed.substr(0, length));
    std::string message;
    try {
      const Text file(_communicator, path);
      read_lines(_communicator, file, file.start(), [&](const TextLine& line) {
        if (("\n" + text).find("\n" + std::string(line.text) + "\n") == std::string::npos) throw LineError{0, "wrong"};
      });
    } catch (const Error& error) {
      message = error.what();
    }
    EXPECT_EQ(message, path + ": is compressed with gzip and cut off: its end is missing");
  }
}

TEST_F(TextTest, FramesThatAreSkipped) {
  const std::string frame("\x5a\x2a\x4d\x18\x05\0\0\0hello", 13);
  EXPECT_EQ(lines_of(_directory.write("first", frame + zstd("1\n2\n"))), "1\n2\n");
  EXPECT_EQ(lines_of(_directory.write("between", frame + zstd("1\n") + frame + zstd("2\n") + frame)), "1\n2\n");
  EXPECT_EQ(lines_of(_directory.write("alone", frame)), "");
  const std::string cut = _directory.write("cut", frame.substr(0, 10));
  EXPECT_EQ(error_of(cut), cut + ": is compressed with zstd and cut off: its end is missing");
  // A frame that asks for a window of 1 GiB to unpack it.
  const std::string window = _directory.write("window", std::string("\x28\xb5\x2f\xfd\0\xa0\x01\0\0x", 10));
  EXPECT_EQ(error_of(window), window +
                                  ": is compressed with zstd so that a window of more than 128 MiB is needed to "
                                  "unpack it; unpack it first");
}

TEST_F(TextTest, ByteOrderMarks) {
  EXPECT_EQ(lines_of(_directory.write("utf8",
                                      "\xef\xbb\xbf"
                                      "1\n2\n")),
            "1\n2\n");
  EXPECT_EQ(lines_of(_directory.write("packed", gzip("\xef\xbb\xbf"
                                                     "1\n2\n")),
                     1),
            "2\n");
  EXPECT_EQ(lines_of(_directory.write("mark", "\xef\xbb\xbf")), "");
  using namespace std::string_literals;
  for (const auto& [bytes, name] :
       {std::pair("\xff\xfe"
                  "1\0\n\0"s,
                  "UTF-16"),
        std::pair("\xfe\xff\0001\0\n"s, "UTF-16"), std::pair("\xff\xfe\0\0001\0\0\0"s, "UTF-32"),
        std::pair("\0\0\xfe\xff\0\0\0001"s, "UTF-32")}) {
    for (const std::string& path : {_directory.write("wide", bytes), _directory.write("wide.zst", zstd(bytes))}) {
      EXPECT_EQ(error_of(path),
                path + ": is a text in " + name + ", expected UTF-8; iconv -f " + name + " -t UTF-8 makes it one");
    }
  }
}

/// Of several bad parts the first in order, for any number of workers.
TEST_F(TextTest, FirstBadPart) {
  const std::string folder = _directory.path("bad");
  if (_communicator.rank() == 0) std::filesystem::create_directory(folder);
  for (int k = 0; k < 8; ++k) {
    const bool bad = k == 4 || k == 5 || k == 6;
    _directory.write("bad/" + std::to_string(k), bad ? zstd(numbered(20)).substr(0, 15) : numbered(5));
  }
  EXPECT_EQ(error_of(folder), folder + "/4: is compressed with zstd and cut off: its end is missing");
}

TEST_F(TextTest, Directories) {
  const std::string folder = _directory.path("parts");
  if (_communicator.rank() == 0) std::filesystem::create_directory(folder);
  _communicator.barrier();
  EXPECT_EQ(error_of(folder), folder + ": is a directory without files");
  _directory.write("parts/_SUCCESS", "");
  _directory.write("parts/.hidden", "x\n");
  _directory.write("parts/b", bzip2("3\n4"));
  _directory.write("parts/a", "1\n2");
  _directory.write("parts/c", "");
  _directory.write("parts/d",
                   "\xef\xbb\xbf"
                   "5\n6\n\n");
  _directory.write("parts/e", gzip("7"));
  EXPECT_EQ(lines_of(folder), "1\n2\n3\n4\n5\n6\n\n7\n");
  EXPECT_EQ(lines_of(folder, 1), "2\n4\n6\n\n");
  EXPECT_EQ(lines_of(folder, 2), "\n");
  EXPECT_EQ(lines_of(folder, 3), "");
  if (_communicator.rank() == 0) std::filesystem::create_directory(folder + "/f");
  _communicator.barrier();
  EXPECT_EQ(error_of(folder), folder + "/f: is a directory, a file was expected");
}

/// Parts of all sizes: shares begin and end everywhere in them, and errors name the part and its line.
TEST_F(TextTest, LineNumbersOfParts) {
  const std::string folder = _directory.path("many");
  if (_communicator.rank() == 0) std::filesystem::create_directory(folder);
  _communicator.barrier();
  for (int k = 0; k < 9; ++k) {
    const std::string text = "skipped\n" + numbered(k * k);
    _directory.write("many/" + std::to_string(k), k % 2 == 0 ? text : zstd(text));
  }
  const Text text(_communicator, folder, 1);
  for (int part = 1; part < 9; ++part) {
    for (const int line : {0, part * part / 2, part * part - 1}) {
      const std::string wanted = std::to_string(line * 7919) + " " + std::to_string(line);
      std::string message;
      try {
        read_lines(_communicator, text, text.start(), [&](const TextLine& l) {
          if (l.part >= static_cast<std::size_t>(part) && l.text == wanted) throw LineError{2, "wrong"};
        });
      } catch (const Error& error) {
        message = error.what();
      }
      EXPECT_EQ(message, folder + "/" + std::to_string(part) + ":" + std::to_string(line + 2) + ":3: wrong");
    }
  }
}

}  // namespace
}  // namespace kasen::io
