// SPDX-License-Identifier: Apache-2.0

import Digests

/// Digests that tests can afford.
enum ScryptWorkFixture {
  /// Two kilobytes and no time.
  static let small = ScryptWork(costExponent: 4, blockSize: 8, parallelization: 1)
}
