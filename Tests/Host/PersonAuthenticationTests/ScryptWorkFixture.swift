// SPDX-License-Identifier: Apache-2.0

import Digests

/// Key derivation parameters for tests.
enum ScryptWorkFixture {
  /// The parameters need 2 KiB of memory and almost no time.
  static let small = ScryptParameters(costExponent: 4, blockSize: 8, parallelization: 1)
}
