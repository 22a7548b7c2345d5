// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The files that an extension's manifest names, judged in the extension's directory.
struct ExtensionFiles: ~Copyable {
  /// The extension's directory.
  let directory: Descriptor

  /// Takes the directory.
  init(_ directory: consuming Descriptor) { self.directory = directory }

  /// Judges the path and the file of the program.
  borrowing func judgeProgram(_ draft: ExtensionDraft, machine: String, _ reader: inout ManifestReader) {
    let key = "executable"
    let position = draft.position(key)
    guard let path = draft.executable else { return }
    do {
      let status = try regularFile(path)
      if status.permissions & 0o111 == 0 { reader.add(.notExecutable(found: path), key, at: position) }
      try judge(try header(path), of: path, draft, machine: machine, &reader)
    } catch {
      reader.add(error.fault, key, at: position)
    }
  }

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
  private struct Refusal: Error {
    let fault: ManifestFault
  }

  /// What the kernel knows of a regular file that lies in the directory and is reached through no link.
  private borrowing func regularFile(_ path: String) throws(Refusal) -> FileStatus {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    if path.hasPrefix("/") || parts.contains("..") || !parts.contains(where: { !$0.isEmpty && $0 != "." }) {
      throw Refusal(fault: .pathEscapes(found: path))
    }
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

  /// The fault that a failed call stands for.
  private static func fault(_ error: SystemCallError, _ path: String) -> ManifestFault {
    switch error.errno {
    case .noSuchFile, .notADirectory: .fileMissing(found: path)
    case .tooManyLinks: .pathThroughLink(found: path)
    case .crossDevice: .pathEscapes(found: path)
    default: .unreadable(call: error.call, errno: error.errno)
    }
  }

  /// What the program's first bytes say.
  private borrowing func header(_ path: String) throws(Refusal) -> ProgramHeader {
    do {
      let file = try FileSystem.openBeneath(directory, path, [.read, .nonBlocking])
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ProgramHeader.length, alignment: 1)
      defer { buffer.deallocate() }
      guard case .bytes(let count) = try file.read(into: buffer) else { return .other }
      return ProgramHeader(Array(buffer[..<count]))
    } catch {
      throw Refusal(fault: Self.fault(error, path))
    }
  }

  /// Judges what the first bytes say against the manifest and this machine.
  private borrowing func judge(
    _ header: ProgramHeader,
    of path: String,
    _ draft: ExtensionDraft,
    machine: String,
    _ reader: inout ManifestReader
  ) throws(Refusal) {
    let declared = draft.architectures.map(\.rawValue)
    if !declared.isEmpty, !declared.contains(machine) {
      let fault = ManifestFault.foreignMachine(supported: declared, machine: machine)
      reader.add(fault, "architectures", at: draft.position("architectures"))
    }
    switch header {
    case .elf(let found) where !declared.isEmpty && !declared.contains(found):
      throw Refusal(fault: .wrongArchitecture(found: found, declared: declared))
    case .elf(let found) where declared.isEmpty && found != machine:
      throw Refusal(fault: .foreignMachine(supported: [found], machine: machine))
    case .elf:
      return
    case .script(let line):
      guard let interpreter = ProgramHeader.interpreter(in: line) else {
        throw Refusal(fault: .badInterpreter(line: "#!\(line)"))
      }
      // Following links, because /bin/sh is one.
      if (try? FileSystem.realPath(interpreter)) == nil {
        throw Refusal(fault: .interpreterMissing(path: interpreter))
      }
    case .other:
      throw Refusal(fault: .notAProgram(found: path))
    }
  }
}
