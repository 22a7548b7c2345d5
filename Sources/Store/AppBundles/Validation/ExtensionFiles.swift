// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// Validates the files that an extension's manifest names.
struct ExtensionFiles: ~Copyable {
  /// The extension's directory.
  let directory: Descriptor

  /// Takes ownership of the extension's directory.
  init(_ directory: consuming Descriptor) { self.directory = directory }

  /// Returns the policy that a manifest names, or `nil` after adding a diagnostic.
  borrowing func policy(
    _ draft: ExtensionDraft,
    shipped names: [String],
    _ reader: inout ManifestReader
  ) -> PolicyReference? {
    guard let name = draft.policy else {
      return draft.node["policy"] == nil ? .shipped(ExtensionManifest.defaultPolicy) : nil
    }
    if names.contains(name) { return .shipped(name) }
    do {
      _ = try regularFile(name)
      return .file(name)
    } catch {
      let unknown = ManifestFault.policyUnknown(
        found: name,
        nearest: nearest(to: name, among: names),
        known: names
      )
      if case .fileMissing = error.fault {
        reader.add(unknown, "policy", at: draft.position("policy"))
      } else {
        reader.add(error.fault, "policy", at: draft.position("policy"))
      }
      return nil
    }
  }

  /// Validates a regular file that another manifest names by its path relative to `directory`.
  static func validateFile(
    _ path: String,
    in directory: borrowing Descriptor,
    _ key: String,
    at position: TextPosition,
    _ reader: inout ManifestReader
  ) {
    do {
      let files = ExtensionFiles(try directory.duplicate())
      _ = try files.regularFile(path)
    } catch let refusal as Refusal {
      reader.add(refusal.fault, key, at: position)
    } catch let error as SystemCallError {
      reader.add(.unreadable(call: error.call, errno: error.errno), key, at: position)
    } catch {
      reader.add(.fileMissing(found: path), key, at: position)
    }
  }

  /// An error that carries a manifest problem.
  struct Refusal: Error {
    let fault: ManifestFault
  }

  /// Returns the status of a regular file in the directory that is reached through no symbolic link.
  private borrowing func regularFile(_ path: String) throws(Refusal) -> FileStatus {
    try Self.check(path)
    let status: FileStatus
    do {
      status = try FileSystem.openBeneath(directory, path, [.path, .noFollow]).status()
    } catch {
      throw Refusal(fault: Self.fault(error, path))
    }
    switch status.kind {
    case .regular: return status
    case .symbolicLink: throw Refusal(fault: .pathThroughLink(found: path))
    default: throw Refusal(fault: .notRegular(found: path, kind: status.kind))
    }
  }

  /// Throws if a path cannot be inside the directory.
  static func check(_ path: String) throws(Refusal) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    if path.hasPrefix("/") || parts.contains("..") || !parts.contains(where: { !$0.isEmpty && $0 != "." }) {
      throw Refusal(fault: .pathEscapes(found: path))
    }
  }

  /// Returns the manifest problem for a failed system call.
  static func fault(_ error: SystemCallError, _ path: String) -> ManifestFault {
    switch error.errno {
    case .noSuchFile, .notADirectory: .fileMissing(found: path)
    case .tooManyLinks: .pathThroughLink(found: path)
    case .crossDevice: .pathEscapes(found: path)
    default: .unreadable(call: error.call, errno: error.errno)
    }
  }
}
