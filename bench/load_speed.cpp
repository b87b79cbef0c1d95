/// @file
/// Measurement of loading text: Kasen reads an edge list, LIBSVM samples and a table, beside reading the bytes alone
/// and beside a straightforward parser on one thread, of the same file in one run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/io/bytes/input_file.h"
#include "kasen/io/formats/read.h"
#include "kasen/kasen.h"
#include "kasen/session/engine.h"

namespace {

using Line = std::function<void(std::mt19937_64&, std::string&)>;

void append_edge(std::mt19937_64& random, std::string& text) {
  fmt::format_to(std::back_inserter(text), "{}\t{}\n", random() % 1'000'000, random() % 1'000'000);
}
void append_sample(std::mt19937_64& random, std::string& text) {
  text += random() % 2 == 0 ? "+1" : "-1";
  std::uint64_t index = 0;
  for (int k = 0; k < 20; ++k) {
    index += 1 + random() % 1000;
    fmt::format_to(std::back_inserter(text), " {}:{:.6g}", index, static_cast<double>(random() >> 11) * 0x1p-53);
  }
  text += '\n';
}
void append_row(std::mt19937_64& random, std::string& text) {
  for (int k = 0; k < 8; ++k) {
    fmt::format_to(std::back_inserter(text), "{}{:.9g}", k == 0 ? "" : ",",
                   static_cast<double>(random() >> 11) * 0x1p-43);
  }
  text += '\n';
}

/// Writes lines up to so many bytes.
void generate(const std::string& path, std::uint64_t bytes, const Line& append) {
  std::ofstream file(path, std::ios::binary);
  std::mt19937_64 random(1);
  std::string text;
  for (std::uint64_t written = 0; written < bytes; written += text.size()) {
    text.clear();
    while (text.size() < std::size_t{1} << 16) append(random, text);
    file << text;
  }
  if (!file.flush()) throw kasen::InputError(path + ": cannot be written");
}

std::uint64_t read_bytes(const std::string& path) {
  kasen::io::InputFile file(path);
  std::vector<char> buffer(std::size_t{1} << 20);
  std::uint64_t done = 0, sum = 0;
  while (const std::uint64_t n = file.read(done, buffer.data(), buffer.size())) {
    done += n;
    sum += static_cast<unsigned char>(buffer[0]);
  }
  return sum;
}

/// As people write it: a line at a time, strtoll and strtod, a hash table for the ids.
std::uint64_t parse_edges(const std::string& path) {
  std::ifstream file(path);
  std::unordered_map<long long, std::uint32_t> number;
  std::vector<std::uint32_t> source, target;
  const auto number_of = [&](long long id) {
    return number.try_emplace(id, static_cast<std::uint32_t>(number.size())).first->second;
  };
  for (std::string line; std::getline(file, line);) {
    char* at = line.data();
    source.push_back(number_of(std::strtoll(at, &at, 10)));
    target.push_back(number_of(std::strtoll(at, &at, 10)));
  }
  return source.size();
}
std::uint64_t parse_samples(const std::string& path) {
  std::ifstream file(path);
  std::vector<double> labels, values;
  std::vector<std::uint64_t> rows, columns;
  for (std::string line; std::getline(file, line);) {
    char* at = line.data();
    labels.push_back(std::strtod(at, &at));
    while (*at == ' ') {
      rows.push_back(labels.size() - 1);
      columns.push_back(std::strtoull(at, &at, 10) - 1);
      values.push_back(std::strtod(at + 1, &at));
    }
  }
  return values.size();
}
std::uint64_t parse_table(const std::string& path) {
  std::ifstream file(path);
  std::vector<double> values;
  for (std::string line; std::getline(file, line);) {
    for (char* at = line.data(); *at != '\0'; at += *at == ',' ? 1 : 0) values.push_back(std::strtod(at, &at));
  }
  return values.size();
}

/// Collective. The least of several timings, of the slowest worker.
double seconds(const kasen::comm::Communicator& workers, int repetitions, const std::function<std::uint64_t()>& run) {
  double least = kasen::infinity;
  for (int k = 0; k < repetitions; ++k) {
    workers.barrier();
    const auto begin = std::chrono::steady_clock::now();
    if (run() == 0) throw kasen::Error("nothing was read");
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    least = std::min(least, workers.max(taken.count()));
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Loading text beside reading its bytes and beside a parser on one thread, in MB a second");
  std::uint64_t megabytes = 200;
  int repetitions = 5;
  std::string folder = std::filesystem::temp_directory_path().string();
  app.add_option("--megabytes", megabytes, "size of each file")->capture_default_str();
  app.add_option("--repetitions", repetitions, "times each is measured; the best counts")->capture_default_str();
  app.add_option("--folder", folder, "where the files are made, which every worker sees; removed at the end");
  kasen::Session session(argc, argv, app);
  const kasen::comm::Communicator& workers = session.engine().control();

  struct Case {
    const char* name;
    Line line;
    std::function<std::uint64_t(const std::string&)> parse, kasen;
  };
  const Case cases[] = {{"edge-list", append_edge, parse_edges,
                         [&](const std::string& path) { return kasen::io::read_graph(workers, path).rows; }},
                        {"libsvm", append_sample, parse_samples,
                         [&](const std::string& path) { return kasen::io::read_samples(workers, path).rows; }},
                        {"csv", append_row, parse_table,
                         [&](const std::string& path) { return kasen::io::read_dense(workers, path).rows; }}};
  session.print(
      "bench,format,workers,megabytes,read_mb_per_s,one_thread_mb_per_s,kasen_mb_per_s,kasen_to_one_thread\n");
  for (const Case& c : cases) {
    const std::string path = folder + "/kasen_load_speed." + c.name;
    if (session.rank() == 0) generate(path, megabytes * 1'000'000, c.line);
    workers.barrier();
    const double size = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
    const double raw = seconds(workers, repetitions, [&] { return read_bytes(path); });
    const double parser = seconds(workers, repetitions, [&] { return c.parse(path); });
    const double loaded = seconds(workers, repetitions, [&] { return c.kasen(path); });
    workers.barrier();
    if (session.rank() == 0) std::filesystem::remove(path);
    session.print(fmt::format("load_speed,{},{},{:.0f},{:.0f},{:.0f},{:.0f},{:.2f}\n", c.name, session.workers(), size,
                              size / raw, size / parser, size / loaded, parser / loaded));
  }
  return 0;
}
