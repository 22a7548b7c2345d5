// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import PhotoLibrary

/// The copies of assets in the directory that a session sees as its library.
///
/// Copies can be withdrawn even from open descriptors, by truncating them. They share their blocks with the
/// originals if the file system supports it.
struct ShownAssets {
  /// The maximum number of copies. The oldest are withdrawn to make space.
  static let maximumCount = 256

  /// A copy of an asset.
  private struct Copy {
    let asset: String
    let name: String
    let bytes: Int64
  }

  private let directory: String
  private let maximumBytes: Int64
  private var copies: [Copy] = []

  /// Creates an empty set of copies.
  init(directory: String, maximumBytes: Int64) {
    self.directory = directory
    self.maximumBytes = maximumBytes
  }

  /// The IDs of the shown assets.
  var assets: [String] { copies.map(\.asset) }

  /// Returns the name of the copy of an asset, or `nil` if it is not shown.
  func name(of asset: String) -> String? { copies.first { $0.asset == asset }?.name }

  /// Withdraws the oldest copies until there is space for a copy of this size.
  mutating func makeRoom(for size: Int64) throws(SystemCallError) {
    // The copies must not fill the file system of the state directory.
    guard size <= maximumBytes else { throw SystemCallError("copy_file_range", errno: .noSpace) }
    while copies.count >= Self.maximumCount || copies.reduce(size, { $0 + $1.bytes }) > maximumBytes,
      let oldest = copies.first
    {
      withdraw(oldest.asset)
    }
  }

  /// Shows a copy of an asset and returns its name.
  mutating func show(_ copy: consuming AssetCopy, of asset: Asset) throws(SystemCallError) -> String {
    let name = asset.id + Self.ending(asset.path)
    let bytes = copy.bytes
    try copy.move(to: "\(directory)/\(name)")
    copies.append(Copy(asset: asset.id, name: name, bytes: bytes))
    return name
  }

  /// Withdraws the copy of an asset. Its name is removed, and open descriptors of it read no data.
  mutating func withdraw(_ asset: String) {
    for copy in copies where copy.asset == asset {
      let path = "\(directory)/\(copy.name)"
      // Truncated first, because an unlinked file cannot be opened to be truncated.
      if let file = try? FileSystem.open(path, [.write, .noFollow]) { try? file.truncate(to: 0) }
      try? FileSystem.unlink(path)
    }
    copies.removeAll { $0.asset == asset }
  }

  /// Returns the file name extension with its dot, or an empty string if there is none of letters and digits.
  private static func ending(_ path: String) -> String {
    let name = FileSystem.lastComponent(path)
    guard let dot = name.lastIndex(of: "."), case let ending = name[dot...], ending.utf8.count <= 12,
      ending.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) })
    else { return "" }
    return String(ending)
  }
}
