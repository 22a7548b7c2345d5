// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The program of an installed extension: the executed file, and the symbolic links that lead to it.
struct InstalledProgram {
  /// The file in the installed copy, or `nil` if the links lead to a program of the host.
  let file: String?
  /// The links, in the order in which they are followed.
  let links: [ProgramLink]

  /// Follows the program path of a manifest in an extension's directory.
  init(_ path: String, in directory: String) throws(CatalogError) {
    let walk = try step { () throws(SystemCallError) in
      try BundleWalk(path, in: try FileSystem.open(directory, [.directory]))
    }
    links = walk.links
    switch walk.end {
    case .inside(let found, _): file = "\(directory)/\(found)"
    case .outside: file = nil
    case .missing, .above:
      throw .systemCall(SystemCallError("open", path: "\(directory)/\(path)", errno: .noSuchFile))
    case .tooManyLinks:
      throw .systemCall(SystemCallError("open", path: "\(directory)/\(path)", errno: .tooManyLinks))
    }
  }
}
