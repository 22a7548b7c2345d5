// SPDX-License-Identifier: Apache-2.0

package import Digests
package import LinuxPrimitives

/// The digest of all files and symbolic links of a bundle.
///
/// This command prints the same digest in the bundle's directory:
/// `{ find . -type f | LC_ALL=C sort | xargs -d '\n' sha256sum; find . -type l -printf '%p -> %l\n' | LC_ALL=C sort; } |
/// sha256sum`.
package enum BundleDigest {
  /// A reason why the digest could not be computed.
  package enum Fault: Error, CustomStringConvertible {
    /// A system call failed.
    case system(SystemCallError)
    /// The digest could not be computed.
    case digest(DigestError)

    /// A sentence that describes the error.
    package var description: String {
      switch self {
      case .system(let error): "\(error)"
      case .digest(let error): "\(error)"
      }
    }
  }

  /// Returns the digest of the files and links below a directory. A link is represented by its target text
  /// and is not followed.
  package static func of(_ directory: String) throws(Fault) -> SHA256Digest {
    let entries = try entries(of: directory)
    var lines: [UInt8] = []
    for path in entries.files {
      lines += Array("\(hexadecimalText(try file("\(directory)/\(path)").bytes))  \(path)\n".utf8)
    }
    for link in entries.links { lines += Array("\(link)\n".utf8) }
    do throws(DigestError) { return try SHA256Digest.of(lines) } catch { throw .digest(error) }
  }

  /// Returns the paths of the regular files below a directory, sorted by bytes. Each path starts with `./`.
  package static func files(of directory: String) throws(Fault) -> [String] {
    try entries(of: directory).files
  }

  /// Returns the digest of one file of a bundle.
  ///
  /// - Throws: An error if the path is a symbolic link.
  package static func file(_ path: String) throws(Fault) -> SHA256Digest {
    let file: Descriptor
    do throws(SystemCallError) { file = try FileSystem.open(path, [.noFollow, .nonBlocking]) } catch {
      throw .system(error)
    }
    do throws(DigestError) { return try SHA256Digest.of(file) } catch { throw .digest(error) }
  }

  private static func entries(of directory: String) throws(Fault) -> Entries {
    var entries = Entries()
    do throws(SystemCallError) { try collect(directory, ".", into: &entries) } catch { throw .system(error) }
    entries.files.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    entries.links.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return entries
  }

  /// The entries of a bundle that are part of the digest.
  private struct Entries {
    /// The paths of regular files.
    package var files: [String] = []
    /// The symbolic links, each as `PATH -> TARGET`.
    var links: [String] = []
  }

  private static func collect(
    _ root: String,
    _ path: String,
    into entries: inout Entries
  ) throws(SystemCallError) {
    for name in try FileSystem.names(in: "\(root)/\(path)") {
      let inner = "\(path)/\(name)"
      switch try FileSystem.status("\(root)/\(inner)")?.kind {
      case .directory: try collect(root, inner, into: &entries)
      case .regular: entries.files.append(inner)
      case .symbolicLink:
        entries.links.append("\(inner) -> \(try FileSystem.linkTarget("\(root)/\(inner)"))")
      default: break
      }
    }
  }
}
