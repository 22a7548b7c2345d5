// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

/// The limit and the order of a fetch; Apple's class.
public final class PHFetchOptions {
  /// The maximum number of assets, or 0 for no limit. The order determines which assets come first.
  public var fetchLimit = 0

  /// The order, most significant comparator first, or `nil` for newest first.
  ///
  /// Apple's type is `NSSortDescriptor` with property names, which Foundation for Linux cannot look up.
  /// Instead of `NSSortDescriptor(key: "creationDate", ascending: false)`, write
  /// `SortDescriptor(\PHAsset.creationDate, order: .reverse)`, which is part of Foundation.
  public var sortDescriptors: [any SortComparator<PHAsset>]?

  /// Creates the default options.
  public init() {}
}
