// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension PhotoLibrary {
  /// A difference between the index and the file of an asset.
  package enum Discrepancy: String, Hashable, Sendable {
    /// The file is missing, is not a regular file, or is reached through a symbolic link.
    case missing
    /// The size or modification time differs from that at the addition.
    case changed
  }

  /// Compares the index with the files, and returns the assets with differences. Nothing is changed, because
  /// the user may have edited a picture.
  package func verify() throws(PhotoLibraryError) -> (
    checked: Int, wrong: [(asset: Asset, how: Discrepancy)]
  ) {
    var checked = 0
    var wrong: [(asset: Asset, how: Discrepancy)] = []
    var after: String?
    repeat {
      let page = try list(for: .user, after: after, atMost: 500)
      for asset in page.assets {
        checked += 1
        if let how = try discrepancy(of: asset) { wrong.append((asset, how)) }
      }
      after = page.next
    } while after != nil
    return (checked, wrong)
  }

  private func discrepancy(of asset: Asset) throws(PhotoLibraryError) -> Discrepancy? {
    // An asset that is deleted in the meantime is not a difference.
    guard let placed = try index.placed(asset.id) else { return nil }
    guard let status = try tree.status(of: asset.path), status.kind == .regular else {
      return try index.asset(asset.id, for: .user) == nil ? nil : .missing
    }
    return status.size == asset.bytes && status.modified == placed.modified ? nil : .changed
  }
}
