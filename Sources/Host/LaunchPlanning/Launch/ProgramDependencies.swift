// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import LinuxPrimitives
internal import Refusals
internal import SandboxPolicy

/// Checks the files that a program needs in a session before its first instruction: the interpreter of a
/// script, or the loader and libraries of an ELF program. Their names are read from the program's file;
/// nothing is executed.
struct ProgramDependencies {
  /// The policy of the session.
  let policy: ResolvedPolicy
  /// The files of the session.
  let files: SessionFiles
  /// The directories of the session's `PATH`.
  let directories: [String]
  /// Proposes the paths to show.
  let advice: ReadOnlyPathAdvisor

  /// The kernel's maximum number of nested script interpreters.
  private static let maximumInterpreters = 4

  /// Checks the program at a path of the session, and returns the libraries that it would not find.
  ///
  /// - Throws: An error with the fix if the program cannot start because of a missing file.
  func check(_ place: String) throws(PlanError) -> MissingLibraries? {
    var place = place
    for _ in 0...Self.maximumInterpreters {
      let path = files.hostPath(of: place)
      // A file can be executable but not readable; its dependencies are then unknown.
      guard let file = try? FileSystem.open(path, [.read, .noFollow, .nonBlocking]),
        (try? file.status().kind) == .regular,
        let start = try? file.bytes(at: 0, count: ProgramHeader.length)
      else { return nil }
      switch ProgramHeader(start) {
      case .other: return nil
      case .elf: return try check(file, at: place, path)
      case .script(let line): place = try interpreter(in: line, of: path)
      }
      if files.isShownByPolicy(place) { return nil }
    }
    return nil
  }

  /// Returns the path of the interpreter of a script in the session.
  private func interpreter(in line: String, of script: String) throws(PlanError) -> String {
    guard let path = ProgramHeader.interpreter(in: line) else {
      throw .program(.noInterpreter(script: script, line: line))
    }
    // The kernel passes the interpreter the path of a descriptor that is closed by then (execveat(2),
    // ENOENT).
    if policy.execute == .once {
      throw .program(.scriptOnce(script: script, interpreter: path, policy: policy.name))
    }
    let place = try self.place(of: path, for: script, .interpreter)
    if let name = ProgramHeader.nameForEnvironment(in: line), !isInPath(name) {
      throw .program(.notInPath(script: script, name: name, directories: directories))
    }
    return place
  }

  private func isInPath(_ name: String) -> Bool {
    directories.contains { directory in
      if case .program = files.visibility(of: "\(directory)/\(name)") { true } else { false }
    }
  }

  /// Returns the path in the session of a file without which a program cannot start.
  private func place(
    of path: String,
    for program: String,
    _ part: ProgramPart
  ) throws(PlanError) -> String {
    switch files.visibility(of: path) {
    case .program(let place): return place
    case .notExecutable: throw .notExecutable(path)
    case .hidden where HostFile.inspect(at: path) != .absent:
      throw .program(.hidden(part, of: program, path: path, show: advice.path(for: path)))
    case .danglingLink(let link):
      let target = link.absoluteTarget
      throw .program(.hidden(part, of: program, path: target, show: advice.path(for: target)))
    case .hidden, .absent: throw .program(.missing(part, of: program, path: path))
    }
  }

  private func check(
    _ file: borrowing Descriptor,
    at place: String,
    _ path: String
  ) throws(PlanError) -> MissingLibraries? {
    guard let program = DynamicProgram(file) else { return nil }
    if let loader = program.loader { _ = try self.place(of: loader, for: path, .loader) }
    let cache = LibraryCacheFile(files: files)
    let found = LibrarySearch(SessionLibraries(files: files, cache: cache)).run(program, at: place)
    guard !found.missing.isEmpty else { return nil }
    let onHost = LibrarySearch(HostLibraries(files: files, cache: cache)).run(program, at: path).places
    return MissingLibraries(
      file: path,
      libraries: found.missing.map { MissingLibraries.Library(name: $0, place: onHost[$0]) }
    )
  }
}

extension DynamicProgram {
  /// Creates a dynamic program from an open file, or returns `nil` if the file is not one.
  init?(_ file: borrowing Descriptor) {
    self.init { offset, count in (try? file.bytes(at: Int64(offset), count: count)) ?? [] }
  }

  /// Creates a dynamic program from the file at a path without symbolic links.
  fileprivate init?(path: String) {
    guard let file = try? FileSystem.open(path, [.read, .noFollow, .nonBlocking]),
      (try? file.status().kind) == .regular
    else { return nil }
    self.init(file)
  }
}

/// The loader's cache, which is read on first use.
private final class LibraryCacheFile {
  private static let path = "/etc/ld.so.cache"

  private let isShown: Bool
  private lazy var cache: LoaderCache? = {
    guard isShown, let bytes = (try? FileSystem.contents(Self.path, limit: LoaderCache.limit)) ?? nil else {
      return nil
    }
    return LoaderCache(bytes)
  }()

  init(files: SessionFiles) { isShown = files.isShownByPolicy(Self.path) }

  func paths(of name: String) -> [String] { cache?.paths(of: name) ?? [] }
}

/// The libraries that a session can find.
private struct SessionLibraries: LoaderFiles {
  let files: SessionFiles
  let cache: LibraryCacheFile

  func place(of path: String) -> String? { files.file(at: path) }

  func program(at place: String) -> DynamicProgram? {
    files.isShownByPolicy(place) ? nil : DynamicProgram(path: files.hostPath(of: place))
  }

  func cachedPaths(of name: String) -> [String] { cache.paths(of: name) }
}

/// The libraries that the host can find.
private struct HostLibraries: LoaderFiles {
  let files: SessionFiles
  let cache: LibraryCacheFile

  func place(of path: String) -> String? {
    guard let place = try? FileSystem.realPath(path) else { return nil }
    return [.file, .program].contains(HostFile.inspect(at: place)) ? place : nil
  }

  func program(at place: String) -> DynamicProgram? {
    files.isShownByPolicy(place) ? nil : DynamicProgram(path: place)
  }

  func cachedPaths(of name: String) -> [String] { cache.paths(of: name) }
}
