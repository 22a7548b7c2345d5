// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Follows a path within a directory as the kernel does in a session, where that directory is `/extension` and everything else is
/// another tree: link by link, and without leaving the directory.
struct BundleWalk {
  /// The end of a walk.
  enum End {
    /// At a file of the directory: its path without links, and what the kernel knows of it.
    case inside(String, FileStatus)
    /// Nothing is at this path of the directory.
    case missing(String)
    /// A link leads to an absolute path.
    case outside(String)
    /// A link leads above the directory.
    case above
    /// Links lead in a circle, or there are more than the kernel follows.
    case tooManyLinks
  }

  /// As many links as the kernel follows for one path (path_resolution(7)).
  private static let mostLinks = 40

  /// The end of the walk.
  let end: End
  /// The links that were followed.
  let links: [ProgramLink]

  /// Follows a path that begins in the directory.
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
      guard links.count < mostLinks else { return .tooManyLinks }
      let target = try file.linkTarget(of: [])
      links.append(ProgramLink(path: next, target: target))
      if target.hasPrefix("/") {
        return .outside(([target] + waiting.reversed().map(String.init)).joined(separator: "/"))
      }
      waiting += target.split(separator: "/").reversed()
    }
    // After `..` it is a directory that was passed before.
    let path = place.joined(separator: "/")
    guard let file = try open(path.isEmpty ? "." : path, in: directory) else { return .missing(path) }
    return .inside(path, try file.status())
  }

  /// Opens a file to look at it, or returns `nil` if there is none. A link is opened itself.
  private static func open(
    _ path: String,
    in directory: borrowing Descriptor
  ) throws(SystemCallError) -> Descriptor? {
    do { return try FileSystem.openBeneath(directory, path, [.path, .noFollow]) } catch
      where error.errno == .noSuchFile || error.errno == .notADirectory
    { return nil }
  }
}
