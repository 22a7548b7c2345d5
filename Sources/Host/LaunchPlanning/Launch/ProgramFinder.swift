// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Refusals
package import SandboxLaunch
package import SandboxPolicy

/// The result of a search for a program.
package struct FoundProgram: Sendable {
  package var program: LaunchTarget.Program
  /// Sentences about files that the program needs and that the session is not shown.
  package var notes: [String]
}

/// Finds the program that a user named, and chooses the path at which the session executes it.
package struct ProgramFinder {
  private let policy: ResolvedPolicy
  private let readOnly: [String]
  /// The directories of the session's `PATH`.
  private let directories: [String]
  private let files: SessionFiles
  private let advice: ReadOnlyPathAdvisor

  /// Creates a finder for a session.
  ///
  /// - Parameters:
  ///   - policy: The policy of the session.
  ///   - readOnly: The paths that the user shows to the session.
  ///   - environment: The variables that the user sets. Names without a slash are searched for in `PATH`.
  ///   - stateRoot: The state root, which no path that a message proposes may show.
  package init(
    _ policy: ResolvedPolicy,
    readOnly: [String] = [],
    environment: [LaunchPlan.EnvironmentVariable] = [],
    stateRoot: String? = nil
  ) {
    let path = environment.last { $0.name == "PATH" }?.value ?? SessionEnvironment.searchPath
    self.init(
      policy,
      readOnly: readOnly,
      directories: path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") },
      ReadOnlyPathAdvisor(stateRoot: stateRoot)
    )
  }

  private init(
    _ policy: ResolvedPolicy,
    readOnly: [String],
    directories: [String],
    _ advice: ReadOnlyPathAdvisor
  ) {
    self.policy = policy
    self.readOnly = readOnly
    self.directories = directories
    self.advice = advice
    files = SessionFiles(policy, readOnly: readOnly)
  }

  /// Returns the program for a path or a name. A relative path starts in the caller's working directory.
  ///
  /// - Throws: An error with the fix if the program is known to be unable to start in the session.
  package func find(_ word: String) throws(PlanError) -> FoundProgram {
    let located = try locate(word)
    guard let missingLibraries = try missingLibraries(of: located) else {
      return FoundProgram(program: located.program, notes: [])
    }
    return FoundProgram(
      program: located.program,
      notes: missingLibraries.notes(word, fix: fix(missingLibraries, word))
    )
  }
}

// MARK: - Location

extension ProgramFinder {
  /// A program and its location.
  private struct LocatedProgram {
    var program: LaunchTarget.Program
    /// The path of the program in the session, without symbolic links.
    package var place: String
    /// The path of the program on the host, without symbolic links.
    var file: String
  }

  private func locate(_ word: String) throws(PlanError) -> LocatedProgram {
    word.contains("/") ? try program(at: word) : try search(word)
  }

  /// Searches `PATH` for a name. As in a shell, the first program wins.
  private func search(_ name: String) throws(PlanError) -> LocatedProgram {
    for directory in name.isEmpty ? [] : directories {
      let path = "\(directory)/\(name)"
      switch files.visibility(of: path) {
      case .program(let place):
        return LocatedProgram(program: .shown(path, as: name), place: place, file: place)
      case .danglingLink(let link): throw advice.failure(path, link)
      case .hidden: if let file = Self.file(path), Self.isProgram(file) { return Self.singleFile(path, file) }
      case .notExecutable, .absent: continue
      }
    }
    throw .programNotFound(name, path: directories)
  }

  private func program(at word: String) throws(PlanError) -> LocatedProgram {
    let path = try absolute(word)
    let visibility = files.visibility(of: path)
    switch visibility {
    case .program(let place): return LocatedProgram(program: .shown(path), place: place, file: place)
    case .notExecutable: throw .notExecutable(word)
    case .absent: throw .programNotFound(word, path: directories)
    case .hidden, .danglingLink: break
    }
    for other in files.otherPaths(of: path) {
      guard case .program(let place) = files.visibility(of: other) else { continue }
      return LocatedProgram(program: .shown(other), place: place, file: place)
    }
    if case .danglingLink(let link) = visibility { throw advice.failure(path, link) }
    guard let file = Self.file(path) else { throw .programNotFound(word, path: directories) }
    guard Self.isProgram(file) else { throw .notExecutable(word) }
    // The target of a link in these directories depends on the process that follows it.
    return Self.singleFile(path.hasPrefix("/proc/") || path.hasPrefix("/dev/") ? file : path, file)
  }

  /// Returns the absolute path for a word that contains a slash. Symbolic links are kept, except before `..`.
  private func absolute(_ word: String) throws(PlanError) -> String {
    do {
      if word.hasSuffix("/") || word.hasSuffix("/.") {
        _ = try FileSystem.realPath(word)
        throw PlanError.notExecutable(word)
      }
      let path = word.hasPrefix("/") ? word : "\(try CurrentProcess.workingDirectory())/\(word)"
      let names = path.split(separator: "/").filter { $0 != "." }
      guard let last = names.lastIndex(of: "..") else { return "/" + names.joined(separator: "/") }
      let directory = try FileSystem.realPath("/" + names[...last].joined(separator: "/"))
      return ([directory == "/" ? "" : directory] + names[(last + 1)...].map(String.init)).joined(
        separator: "/"
      )
    } catch let error as PlanError {
      throw error
    } catch { throw .programNotFound(word, path: directories) }
  }

  private static func singleFile(_ path: String, _ file: String) -> LocatedProgram {
    let program = LaunchTarget.Program.file(path)
    return LocatedProgram(program: program, place: program.sandboxPath, file: file)
  }

  private static func file(_ path: String) -> String? { try? FileSystem.realPath(path) }

  private static func isProgram(_ file: String) -> Bool { HostFile.inspect(at: file) == .program }
}

// MARK: - Dependencies

extension ProgramFinder {
  /// Returns the libraries that a program would not find. Programs that the policy itself shows are not
  /// checked.
  private func missingLibraries(of located: LocatedProgram) throws(PlanError) -> MissingLibraries? {
    guard !files.isShownByPolicy(located.file) else { return nil }
    var files = files
    if case .file = located.program { files.add(located.file, at: located.place) }
    let needs = ProgramDependencies(policy: policy, files: files, directories: directories, advice: advice)
    return try needs.check(located.place)
  }

  /// Returns the paths to show so that a program finds its libraries, or an empty array if they are unknown.
  /// Each proposal is tested.
  private func fix(_ missingLibraries: MissingLibraries, _ word: String) -> [String] {
    var libraries: [String] = []
    for directory in missingLibraries.hostPaths.map(FileSystem.directoryName)
    where !libraries.contains(directory) {
      libraries.append(directory)
    }
    guard !libraries.isEmpty else { return [] }
    let own = FileSystem.directoryName(missingLibraries.file)
    let installation = [FileSystem.directoryName(own)]
    let proposals = [libraries, installation, libraries + [own], libraries + installation]
    return proposals.first { paths in
      guard paths.allSatisfy(advice.canShow) else { return false }
      let finder = ProgramFinder(policy, readOnly: readOnly + paths, directories: directories, advice)
      guard let located = try? finder.locate(word) else { return false }
      let left = (try? finder.missingLibraries(of: located)) ?? nil
      return left.map { Set($0.names).isDisjoint(with: missingLibraries.namesOnHost) } ?? true
    } ?? []
  }
}
