// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

/// What is fetched, and in which order; Apple's name.
public final class PHFetchOptions {
  /// How many assets at most, of those that come first in the order; 0: all.
  public var fetchLimit = 0

  /// The order, by what counts first; nil: newest first.
  ///
  /// Apple's are `NSSortDescriptor`s with the names of properties, which Foundation for Linux cannot look up. Instead of
  /// `NSSortDescriptor(key: "creationDate", ascending: false)` write
  /// `SortDescriptor(\PHAsset.creationDate, order: .reverse)`, which Foundation has.
  public var sortDescriptors: [any SortComparator<PHAsset>]?

  /// Makes options that leave nothing out.
  public init() {}
}
