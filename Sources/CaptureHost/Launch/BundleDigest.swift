// SPDX-License-Identifier: Apache-2.0

package import Digests
package import LinuxPrimitives

/// One digest for all files of a bundle.
///
/// It is what this prints in the bundle's directory, so that nobody has to take Darkroom's word for it:
/// `find . -type f | LC_ALL=C sort | xargs -d '\n' sha256sum | sha256sum`.
package enum BundleDigest {
  /// Why there is none.
  package enum Fault: Error, CustomStringConvertible {
    /// Something could not be read.
    case system(SystemCallError)
    /// The digest could not be taken.
    case digest(DigestError)

    /// A sentence.
    package var description: String {
      switch self {
      case .system(let error): "\(error)"
      case .digest(let error): "\(error)"
      }
    }
  }

  /// The digest of the files below a directory. Links are not followed; an installed bundle has none.
  package static func of(_ directory: String) throws(Fault) -> SHA256Digest {
    var paths: [String] = []
    do throws(SystemCallError) { try collect(directory, ".", into: &paths) } catch { throw .system(error) }
    var lines: [UInt8] = []
    for path in paths.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      let file: Descriptor
      do throws(SystemCallError) {
        file = try FileSystem.open("\(directory)/\(path)", [.noFollow, .nonBlocking])
      } catch { throw .system(error) }
      do throws(DigestError) {
        lines += Array("\(hexadecimalText(try SHA256Digest.of(file).bytes))  \(path)\n".utf8)
      } catch { throw .digest(error) }
    }
    do throws(DigestError) { return try SHA256Digest.of(lines) } catch { throw .digest(error) }
  }

  private static func collect(
    _ root: String,
    _ path: String,
    into paths: inout [String]
  ) throws(SystemCallError) {
    for name in try FileSystem.names(in: "\(root)/\(path)") {
      let inner = "\(path)/\(name)"
      switch try FileSystem.status("\(root)/\(inner)")?.kind {
      case .directory: try collect(root, inner, into: &paths)
      case .regular: paths.append(inner)
      default: break
      }
    }
  }
}
