// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import Digests
internal import LinuxPrimitives
package import SandboxEnforcement
internal import SandboxPolicy

extension AuditAttestation.Extension {
  /// Creates the digests of all inputs of an installed extension's sessions.
  ///
  /// The files of the bundle are read again. Digests that were recorded at installation are not trusted.
  package init(_ installed: InstalledExtension, _ found: FoundPolicy) throws(AuditedPartsError) {
    let executable: SHA256Digest, manifest: SHA256Digest
    do {
      executable = try installed.digest(of: try Self.program(of: installed))
      manifest = try installed.digest(of: installed.manifestPath)
    } catch { throw .file(error) }
    let bundle: SHA256Digest
    do { bundle = try BundleDigest.of(installed.appBundlePath) } catch { throw .bundle(error) }
    let filter: SHA256Digest
    do {
      let compiled: SeccompFilter
      do { compiled = try SeccompCompiler.compile(found.policy) } catch {
        throw AuditedPartsError.filter(error)
      }
      filter = try SHA256Digest.of(compiled.instructions)
    } catch let error as DigestError { throw .digest(error) } catch let error as AuditedPartsError {
      throw error
    } catch { preconditionFailure("nothing else is thrown: \(error)") }
    self.init(
      id: installed.manifest.id,
      digests: [
        .bundle: "\(bundle)", .executable: "\(executable)", .manifest: "\(manifest)", .policy: found.digest,
        .filter: "\(filter)",
      ]
    )
  }
}

extension AuditAttestation.Extension {
  /// Returns the path of the program without symbolic links. A link can lead to a program of the host, as in
  /// a Python virtual environment.
  private static func program(of installed: InstalledExtension) throws(CatalogError) -> String {
    do { return try FileSystem.realPath(installed.executablePath) } catch { throw .systemCall(error) }
  }
}

/// A reason why a digest could not be computed.
package enum AuditedPartsError: Error, Sendable, CustomStringConvertible {
  /// A file of the extension cannot be read.
  case file(CatalogError)
  /// The bundle cannot be read.
  case bundle(BundleDigest.Fault)
  /// The policy cannot be compiled.
  case filter(SeccompError)
  /// The cryptographic library failed.
  case digest(DigestError)

  /// A sentence that describes the error.
  package var description: String {
    switch self {
    case .file(let error): "\(error)"
    case .bundle(let error): "\(error)"
    case .filter(let error): "\(error)"
    case .digest(let error): "\(error)"
    }
  }
}
