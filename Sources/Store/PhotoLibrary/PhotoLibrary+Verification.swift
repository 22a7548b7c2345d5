// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension PhotoLibrary {
  /// What is wrong with the file of an asset.
  package enum Discrepancy: String, Hashable, Sendable {
    /// There is none, or it is no regular file, or it is reached over a link.
    case missing
    /// Its length or the time of its last change is another than when it was added.
    case changed
  }

  /// Compares the index with the files, and names the assets whose file is not as it was. Nothing is changed: a person
  /// may have edited a picture.
  package func verify() throws(PhotoLibraryError) -> (
    checked: Int, wrong: [(asset: Asset, how: Discrepancy)]
  ) {
    var checked = 0
    var wrong: [(asset: Asset, how: Discrepancy)] = []
    var after: String?
    repeat {
      let page = try list(for: .person, after: after, atMost: 500)
      for asset in page.assets {
        checked += 1
        if let how = try discrepancy(of: asset) { wrong.append((asset, how)) }
      }
      after = page.next
    } while after != nil
    return (checked, wrong)
  }

  private func discrepancy(of asset: Asset) throws(PhotoLibraryError) -> Discrepancy? {
    // One that is deleted meanwhile is no discrepancy.
    guard let placed = try index.placed(asset.id) else { return nil }
    guard let status = try tree.status(of: asset.path), status.kind == .regular else {
      return try index.asset(asset.id, for: .person) == nil ? nil : .missing
    }
    return status.size == asset.bytes && status.modified == placed.modified ? nil : .changed
  }
}
