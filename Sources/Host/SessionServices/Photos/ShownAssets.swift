// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import PhotoLibrary

/// The copies of assets that a session is shown, in the directory that it sees as its library.
///
/// Copies, so that what was shown can be taken back: an open descriptor of a copy that is made empty reads nothing. Where
/// the file system can, they share their blocks with the originals.
struct ShownAssets {
  /// How many there are at once; the oldest make room.
  static let most = 256

  /// A copy.
  private struct Copy {
    let asset: String
    let name: String
    let bytes: Int64
  }

  private let directory: String
  private let mostBytes: Int64
  private var copies: [Copy] = []

  /// Nothing is shown yet.
  init(directory: String, mostBytes: Int64) {
    self.directory = directory
    self.mostBytes = mostBytes
  }

  /// The assets that are shown.
  var assets: [String] { copies.map(\.asset) }

  /// The name of the copy of an asset, if it is shown.
  func name(of asset: String) -> String? { copies.first { $0.asset == asset }?.name }

  /// Takes back the oldest copies until there is room for one of so many bytes.
  mutating func makeRoom(for size: Int64) throws(SystemCallError) {
    // It must not fill the disk of the state root.
    guard size <= mostBytes else { throw SystemCallError("copy_file_range", errno: .noSpace) }
    while copies.count >= Self.most || copies.reduce(size, { $0 + $1.bytes }) > mostBytes,
      let oldest = copies.first
    {
      withdraw(oldest.asset)
    }
  }

  /// Shows a copy of an asset, and gives its name.
  mutating func show(_ copy: consuming AssetCopy, of asset: Asset) throws(SystemCallError) -> String {
    let name = asset.id + Self.ending(asset.path)
    let bytes = copy.bytes
    try copy.move(to: "\(directory)/\(name)")
    copies.append(Copy(asset: asset.id, name: name, bytes: bytes))
    return name
  }

  /// Takes back what is shown of an asset: its name is gone, and whoever holds it open reads nothing any more.
  mutating func withdraw(_ asset: String) {
    for copy in copies where copy.asset == asset {
      let path = "\(directory)/\(copy.name)"
      // Emptied first: what has no name any more can't be reached to be emptied.
      if let file = try? FileSystem.open(path, [.write, .noFollow]) { try? file.truncate(to: 0) }
      try? FileSystem.unlink(path)
    }
    copies.removeAll { $0.asset == asset }
  }

  /// The ending of a file's name with its dot; empty if there is none that programs go by.
  private static func ending(_ path: String) -> String {
    let name = FileSystem.lastComponent(path)
    guard let dot = name.lastIndex(of: "."), case let ending = name[dot...], ending.utf8.count <= 12,
      ending.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) })
    else { return "" }
    return String(ending)
  }
}
