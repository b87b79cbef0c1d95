/// @file
/// The verifiers of black-scholes and kmeans find what is wrong: a right result holds, and every change of it is
/// noticed.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "apps/black_scholes/verify.h"
#include "apps/kmeans/verify.h"
#include "tests/io/temporary_directory.h"

namespace apps {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class PointVerifiers : public testing::Test {
 protected:
  void SetUp() override {
    _session.emplace(kasen::Options());
    _folder.emplace(kasen::detail::control());
  }
  std::string file(const std::string& text) const { return _folder->write("data.csv", text); }
  /// This worker's block of what all have.
  template <class T>
  static std::vector<T> block(const std::vector<T>& all) {
    const kasen::BlockRange mine = kasen::block_of(all.size());
    return {all.begin() + mine.first, all.begin() + mine.first + static_cast<std::ptrdiff_t>(mine.count)};
  }

 private:
  std::optional<kasen::Session> _session;
  std::optional<kasen::io::TemporaryDirectory> _folder;
};

TEST_F(PointVerifiers, Valuations) {
  QuoteSource source;
  source.path = file("spot,strike,rate,volatility,years\n100,100,0.05,0.2,1\n100,50,0,0,1\n");
  const std::array<double, 10> first = {10.450583572185565, 5.573526022256971,  0.6368306511756191, -0.3631693488243809,
                                        0.0187620173458469, 37.52403469169379,  -6.414027546438197, -1.657880423934626,
                                        53.232481545376345, -41.890460904695065};
  const std::array<double, 10> second = {50, 0, 1, 0, 0, 0, 0, 0, 50, 0};  // no chance is left
  const auto holds = [&](std::size_t changed, double by, bool greeks) {
    std::array<std::vector<double>, 10> values;
    for (std::size_t k = 0; k < (greeks ? values.size() : 2); ++k) {
      values[k] = block(std::vector<double>{k == changed ? first[k] * by : first[k], second[k]});
    }
    return valuation_error(source, values).holds();
  };
  EXPECT_TRUE(holds(99, 1, true));
  EXPECT_TRUE(holds(99, 1, false));
  for (std::size_t k = 0; k < first.size(); ++k) {
    EXPECT_FALSE(holds(k, 1 + 1e-9, true)) << kValueNames[k];
    EXPECT_FALSE(holds(k, -1, true)) << kValueNames[k];
    EXPECT_FALSE(holds(k, kNan, true)) << kValueNames[k];
  }
}

TEST_F(PointVerifiers, Clusterings) {
  const std::string path = file("0\n1\n2\n10\n11\n12\n");
  using Numbers = std::vector<double>;
  const auto holds = [&](const Numbers& centres, const Numbers& previous, const std::vector<std::int64_t>& labels,
                         double inertia) {
    return clustering_error(path, {}, centres, previous, block(labels), inertia).holds();
  };
  EXPECT_TRUE(holds({1, 11}, {0.5, 10}, {0, 0, 0, 1, 1, 1}, 4));
  EXPECT_TRUE(holds({1, 11}, {}, {0, 0, 0, 1, 1, 1}, 4));
  EXPECT_TRUE(holds({1, 11, 50}, {0.5, 10, 50}, {0, 0, 0, 1, 1, 1}, 4));  // without points a centre stays
  EXPECT_TRUE(holds({1, 9}, {}, {0, 0, 0, 1, 1, 1}, 16));                 // no means; no iteration made them
  EXPECT_FALSE(holds({1, 11}, {0.5, 10}, {0, 0, 1, 1, 1, 1}, 84));
  EXPECT_FALSE(holds({1, 11}, {0.5, 10}, {0, 0, 0, 1, 1, 2}, 4));
  EXPECT_FALSE(holds({1, 11}, {0.5, 10}, {0, 0, 0, 1, 1, -1}, 4));
  EXPECT_FALSE(holds({1, 11}, {0.5, 10}, {0, 0, 0, 1, 1, 1}, 4.001));
  EXPECT_FALSE(holds({1, 11}, {0.5, 10}, {0, 0, 0, 1, 1, 1}, kNan));
  EXPECT_FALSE(holds({1, 9}, {0.5, 10}, {0, 0, 0, 1, 1, 1}, 16));
  EXPECT_FALSE(holds({1, 11, 49}, {0.5, 10, 50}, {0, 0, 0, 1, 1, 1}, 4));
  EXPECT_FALSE(holds({1, kNan}, {0.5, 10}, {0, 0, 0, 1, 1, 1}, 4));
}

}  // namespace
}  // namespace apps
