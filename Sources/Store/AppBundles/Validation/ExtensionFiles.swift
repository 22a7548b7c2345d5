// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The files that an extension's manifest names, judged in the extension's directory.
struct ExtensionFiles: ~Copyable {
  /// The extension's directory.
  let directory: Descriptor

  /// Takes the directory.
  init(_ directory: consuming Descriptor) { self.directory = directory }

  /// Finds the policy that a manifest names.
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

  /// Judges a regular file that some other manifest names by its path from that manifest's directory.
  static func judgeFile(
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

  /// A fault, thrown.
  struct Refusal: Error {
    let fault: ManifestFault
  }

  /// What the kernel knows of a regular file that lies in the directory and is reached through no link.
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

  /// Refuses a path that cannot lie in the directory.
  static func check(_ path: String) throws(Refusal) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    if path.hasPrefix("/") || parts.contains("..") || !parts.contains(where: { !$0.isEmpty && $0 != "." }) {
      throw Refusal(fault: .pathEscapes(found: path))
    }
  }

  /// The fault that a failed call stands for.
  static func fault(_ error: SystemCallError, _ path: String) -> ManifestFault {
    switch error.errno {
    case .noSuchFile, .notADirectory: .fileMissing(found: path)
    case .tooManyLinks: .pathThroughLink(found: path)
    case .crossDevice: .pathEscapes(found: path)
    default: .unreadable(call: error.call, errno: error.errno)
    }
  }
}
