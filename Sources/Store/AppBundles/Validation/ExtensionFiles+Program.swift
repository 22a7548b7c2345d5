// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// Validates the program that an extension's manifest names, and the files with which a session starts it.
extension ExtensionFiles {
  /// The path of the extension's directory in a session.
  static let inside = "/extension/"

  /// Validates the program. `view` contains the files of the host that a session sees, or is `nil` if they
  /// are unknown.
  borrowing func validateProgram(
    _ draft: ExtensionDraft,
    machine: String,
    _ view: PolicyView?,
    _ reader: inout ManifestReader
  ) {
    guard let path = draft.executable else { return }
    let declared = draft.architectures.map(\.rawValue)
    if !declared.isEmpty, !declared.contains(machine) {
      let fault = ManifestFault.foreignMachine(supported: declared, machine: machine)
      reader.add(fault, "architectures", at: draft.position("architectures"))
    }
    do {
      try Self.check(path)
      let faults = try faults(of: path, machine: machine, declared: declared, view)
      for fault in faults { reader.add(fault, "executable", at: draft.position("executable")) }
    } catch {
      reader.add(error.fault, "executable", at: draft.position("executable"))
    }
  }

  private borrowing func faults(
    of path: String,
    machine: String,
    declared: [String],
    _ view: PolicyView?
  ) throws(Refusal) -> [ManifestFault] {
    switch try walk(path, path) {
    case .inside(let file, let status):
      guard status.kind == .regular else { throw Refusal(fault: .notRegular(found: path, kind: status.kind)) }
      let mode: [ManifestFault] = status.permissions & 0o111 == 0 ? [.notExecutable(found: path)] : []
      let header = try header(file, path)
      try Self.judge(header, of: path, machine: machine, declared: declared)
      return mode + (try faults(header, file, machine: machine, view))
    case .outside(let target):
      switch view?(target) {
      case .absent: return [.programMissing(path: target)]
      case .file: return [.notExecutable(found: target)]
      // Another diagnostic reports a link to a file that the policy does not show.
      case .program, .hidden, nil: return []
      }
    case .missing: throw Refusal(fault: .fileMissing(found: path))
    case .above: throw Refusal(fault: .pathEscapes(found: path))
    case .tooManyLinks: throw Refusal(fault: .pathThroughLink(found: path))
    }
  }

  /// Follows a path. Errors refer to `name`.
  private borrowing func walk(_ path: String, _ name: String) throws(Refusal) -> BundleWalk.End {
    do { return try BundleWalk(path, in: directory).end } catch {
      throw Refusal(fault: Self.fault(error, name))
    }
  }

  /// Returns the header of a file. Errors refer to `name`.
  private borrowing func header(_ file: String, _ name: String) throws(Refusal) -> ProgramHeader {
    do {
      let opened = try FileSystem.openBeneath(directory, file, [.read, .nonBlocking])
      return ProgramHeader(try opened.bytes(at: 0, count: ProgramHeader.length))
    } catch { throw Refusal(fault: Self.fault(error, name)) }
  }

  /// Validates the header against the manifest and this machine.
  private static func judge(
    _ header: ProgramHeader,
    of path: String,
    machine: String,
    declared: [String]
  ) throws(Refusal) {
    switch header {
    case .elf(let found) where !declared.isEmpty && !declared.contains(found):
      throw Refusal(fault: .wrongArchitecture(found: found, declared: declared))
    case .elf(let found) where declared.isEmpty && found != machine:
      throw Refusal(fault: .foreignMachine(supported: [found], machine: machine))
    case .script(let line) where ProgramHeader.interpreter(in: line) == nil:
      throw Refusal(fault: .badInterpreter(line: "#!\(line)"))
    case .other: throw Refusal(fault: .notAProgram(found: path))
    case .elf, .script: break
    }
  }
}

// MARK: - Files with which the program is started

extension ExtensionFiles {
  /// Returns the problems of the files that a program names.
  private borrowing func faults(
    _ header: ProgramHeader,
    _ file: String,
    machine: String,
    _ view: PolicyView?
  ) throws(Refusal) -> [ManifestFault] {
    guard let view else { return [] }
    switch header {
    case .script(let line):
      guard let interpreter = ProgramHeader.interpreter(in: line) else { return [] }
      return try fault(.interpreter, interpreter, view).map { [$0] } ?? []
    case .elf(machine):
      let libraries = BundleLibraries(try copy(), view)
      guard let program = libraries.program(at: Self.inside + file) else { return [] }
      let loader = try program.loader.flatMap { path throws(Refusal) in try fault(.loader, path, view) }
      let missing = LibrarySearch(libraries).run(program, at: Self.inside + file).missing
      return [loader, missing.isEmpty ? nil : .librariesMissing(missing)].compactMap { $0 }
    case .elf, .other: return []
    }
  }

  private borrowing func copy() throws(Refusal) -> Descriptor {
    do { return try directory.duplicate() } catch { throw Refusal(fault: Self.fault(error, ".")) }
  }

  /// Returns the problem of a file that the kernel needs to start the program, or `nil` if there is none.
  private borrowing func fault(
    _ part: ProgramPart,
    _ path: String,
    _ view: PolicyView
  ) throws(Refusal) -> ManifestFault? {
    var path = path
    if path.hasPrefix(Self.inside) {
      switch try walk(String(path.dropFirst(Self.inside.count)), path) {
      case .inside(_, let status) where status.kind == .regular && status.permissions & 0o111 != 0: return nil
      case .inside: return .notExecutable(found: path)
      case .outside(let target): path = target
      case .missing, .above, .tooManyLinks: return .fileMissing(found: path)
      }
    }
    switch view(path) {
    case .program, .file: return nil
    case .absent: return .partMissing(part, path: path)
    case .hidden where (try? FileSystem.realPath(path)) == nil: return .partMissing(part, path: path)
    case .hidden: return .partHidden(part, path: path)
    }
  }
}

/// The libraries that a session finds: those in the extension's directory, and those of the host that the
/// policy shows.
private final class BundleLibraries: LoaderFiles {
  private let directory: Descriptor
  private let view: PolicyView
  private lazy var cache: LoaderCache? = {
    let path = "/etc/ld.so.cache"
    guard view(path) == .file, let bytes = (try? FileSystem.contents(path, limit: LoaderCache.limit)) ?? nil
    else {
      return nil
    }
    return LoaderCache(bytes)
  }()

  init(_ directory: consuming Descriptor, _ view: @escaping PolicyView) {
    self.directory = directory
    self.view = view
  }

  func place(of path: String) -> String? {
    guard path.hasPrefix(ExtensionFiles.inside) else { return isFile(path) ? path : nil }
    let name = String(path.dropFirst(ExtensionFiles.inside.count))
    switch (try? BundleWalk(name, in: directory))?.end {
    case .inside(let file, let status) where status.kind == .regular: return ExtensionFiles.inside + file
    case .outside(let target) where isFile(target): return target
    default: return nil
    }
  }

  private func isFile(_ path: String) -> Bool { [.program, .file].contains(view(path)) }

  func program(at place: String) -> DynamicProgram? {
    guard place.hasPrefix(ExtensionFiles.inside) else { return nil }
    let name = String(place.dropFirst(ExtensionFiles.inside.count))
    guard let file = try? FileSystem.openBeneath(directory, name, [.read, .nonBlocking]) else { return nil }
    return DynamicProgram { offset, count in (try? file.bytes(at: Int64(offset), count: count)) ?? [] }
  }

  func cachedPaths(of name: String) -> [String] { cache?.paths(of: name) ?? [] }
}
