// SPDX-License-Identifier: Apache-2.0

/// What tells the assets that a reader may see from those that they could see before, without naming one.
///
/// An asset never changes and its number is never given again; so the number of assets and two sums over their numbers
/// are others whenever one has come or gone.
package struct VisibleAssets: Hashable, Sendable {
  /// How many there are.
  let count: Int64
  /// The sum of their numbers.
  let numbers: Int64
  /// The sum of the squares of their numbers, each modulo a prime, so that it does not overflow.
  let squares: Int64
}
