// SPDX-License-Identifier: Apache-2.0

/// A fingerprint of the set of assets that a reader may see, by which a change is detected without listing
/// assets.
///
/// Assets never change, and their serial numbers are never reused. Therefore the count and two sums over the
/// serial numbers change whenever an asset is added or removed.
package struct AssetSetFingerprint: Hashable, Sendable {
  /// The number of assets.
  let count: Int64
  /// The sum of the serial numbers.
  let numbers: Int64
  /// The sum of the squared serial numbers, each modulo a prime to avoid overflow.
  let squares: Int64
}
