// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Resolves a path within a directory as the kernel does in a session, where that directory is `/extension`.
/// It follows one link at a time without leaving the directory.
struct BundleWalk {
  /// The result of a walk.
  enum End {
    /// The path leads to a file in the directory: its path without links, and its status.
    case inside(String, FileStatus)
    /// This path in the directory does not exist.
    case missing(String)
    /// A link leads to an absolute path.
    case outside(String)
    /// A link leads above the directory.
    case above
    /// The links form a loop, or there are more than the kernel follows.
    case tooManyLinks
  }

  /// The kernel's limit on symbolic links in a path (path_resolution(7)).
  private static let maximumLinks = 40

  /// The result of the walk.
  let end: End
  /// The links that were followed.
  let links: [ProgramLink]

  /// Follows a path that is relative to the directory.
  init(_ path: String, in directory: borrowing Descriptor) throws(SystemCallError) {
    var links: [ProgramLink] = []
    end = try Self.follow(path, in: directory, &links)
    self.links = links
  }

  private static func follow(
    _ path: String,
    in directory: borrowing Descriptor,
    _ links: inout [ProgramLink]
  ) throws(SystemCallError) -> End {
    var waiting = Array(path.split(separator: "/").reversed())
    var place: [Substring] = []
    while let name = waiting.popLast() {
      if name == "." { continue }
      if name == ".." {
        guard place.popLast() != nil else { return .above }
        continue
      }
      let next = (place + [name]).joined(separator: "/")
      guard let file = try open(next, in: directory) else { return .missing(next) }
      guard try file.status().kind == .symbolicLink else {
        place.append(name)
        continue
      }
      guard links.count < maximumLinks else { return .tooManyLinks }
      let target = try file.linkTarget(of: [])
      links.append(ProgramLink(path: next, target: target))
      if target.hasPrefix("/") {
        return .outside(([target] + waiting.reversed().map(String.init)).joined(separator: "/"))
      }
      waiting += target.split(separator: "/").reversed()
    }
    // The path is a directory if it ends in `..`.
    let path = place.joined(separator: "/")
    guard let file = try open(path.isEmpty ? "." : path, in: directory) else { return .missing(path) }
    return .inside(path, try file.status())
  }

  /// Opens a file with `O_PATH`, or returns `nil` if there is none. A symbolic link itself is opened.
  private static func open(
    _ path: String,
    in directory: borrowing Descriptor
  ) throws(SystemCallError) -> Descriptor? {
    do { return try FileSystem.openBeneath(directory, path, [.path, .noFollow]) } catch
      where error.errno == .noSuchFile || error.errno == .notADirectory
    { return nil }
  }
}
