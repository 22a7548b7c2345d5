// SPDX-License-Identifier: Apache-2.0

/// A mapping from the paths that the extension wrote to the delivered paths.
struct RenamedPaths {
  /// A former name in a directory that may itself have been renamed.
  private struct Former: Hashable {
    let directory: String
    let name: String
  }

  private let inventory: ContentInventory

  /// Creates the mapping of an inventory.
  init(_ inventory: ContentInventory) { self.inventory = inventory }

  /// Returns the photo library additions with their delivered paths.
  ///
  /// Files that were moved to the library are not in the content and keep their paths.
  func following(_ ingested: [SessionRecord.Ingested]) -> [SessionRecord.Ingested] {
    let renames = renames
    guard !ingested.isEmpty, !renames.isEmpty else { return ingested }
    let delivered = Set(inventory.files.lazy.map(\.path))
    return ingested.map { item in
      let path = Self.path(of: item.path, renames)
      return delivered.contains(path) ? SessionRecord.Ingested(asset: item.asset, path: path) : item
    }
  }

  /// The new names by former names.
  private var renames: [Former: Substring] {
    var renames: [Former: Substring] = [:]
    for item in inventory.sanitized where item.change == .renamed {
      let (directory, name) = Self.split(item.path)
      renames[Former(directory: String(directory), name: item.from ?? "")] = name
    }
    return renames
  }

  private static func path(of former: String, _ renames: [Former: Substring]) -> String {
    var path = ""
    for name in former.split(separator: "/") where name != "." {
      let key = Former(directory: path, name: FileName.formerText(Array(name.utf8)))
      path += (path.isEmpty ? "" : "/") + (renames[key] ?? name)
    }
    return path
  }

  private static func split(_ path: String) -> (directory: Substring, name: Substring) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path[...]) }
    return (path[..<slash], path[path.utf8.index(after: slash)...])
  }
}
