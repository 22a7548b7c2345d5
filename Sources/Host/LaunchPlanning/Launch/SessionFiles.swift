// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Refusals
internal import SandboxPolicy

/// The files of the host that a session is shown, known before there is a plan.
///
/// A path is followed as the kernel follows it in the session's root: a symbolic link leads where it points in there.
struct SessionFiles {
  /// The result of looking for a program at a path.
  enum Visibility: Hashable {
    /// A program; `place` is its path without symbolic links.
    case program(place: String)
    /// A directory, or a file that is not executable.
    case notExecutable
    /// No file; the host has none there either.
    case absent
    /// No file, because a symbolic link leads to a file that the session is not shown.
    case linkOut(PathWalk.Link)
    /// The path is not shown to the session.
    case hidden
  }

  /// The paths of the policy.
  private let granted: [String]
  /// The paths of the policy, and those that the user shows.
  private let shown: [String]
  private var root: RootModel
  /// A file that the session sees at another path than the host.
  private var alone: (path: String, file: String)?

  /// Creates the view of a session under a policy; `readOnly` are the paths that the user shows.
  init(_ policy: ResolvedPolicy, readOnly: [String] = []) {
    granted = policy.readOnly.map(\.path)
    shown = granted + readOnly
    let merged = shown.contains("/usr") ? SandboxRoot.mergedNames.map { "/\($0)" } : []
    root = RootModel(items: (merged + shown).map { .init($0, .host(path: $0)) }, rules: nil)
  }

  /// Returns what the session finds at an absolute path.
  func visibility(of path: String) -> Visibility {
    let walk = walk(path)
    switch walk.end {
    case .found(let place, _, .program?): return .program(place: place)
    case .found: return .notExecutable
    case .tooManyLinks: return .absent
    case .linkRefused: return .hidden
    case .absent(_, let holder):
      guard let link = walk.lastLink else { return holder == nil ? .hidden : .absent }
      return (try? FileSystem.realPath(path)) == nil ? .absent : .linkOut(link)
    }
  }

  /// Follows an absolute path.
  private func walk(_ path: String) -> PathWalk.Result { PathWalk.walk(path, root, look) }

  /// Returns the paths by which the session is shown the directory of a file that it is not shown by this path.
  func otherPaths(of path: String) -> [String] {
    let name = FileSystem.lastComponent(path)
    guard let directory = try? FileSystem.realPath(FileSystem.directoryName(path)) else { return [] }
    let file = directory == "/" ? "/\(name)" : "\(directory)/\(name)"
    let aliases = shown.compactMap { path -> String? in
      guard let real = try? FileSystem.realPath(path), real != path, RootModel.holds(real, file) else {
        return nil
      }
      return path + String(decoding: file.utf8.dropFirst(real == "/" ? 0 : real.utf8.count), as: UTF8.self)
    }
    return [file] + aliases
  }

  /// Whether the policy itself shows a path that has no symbolic links.
  func isGranted(_ place: String) -> Bool { granted.contains { RootModel.holds($0, place) } }

  /// Returns the path without symbolic links of the file at a path, or `nil` if the session finds no file there.
  func file(at path: String) -> String? {
    switch walk(path).end {
    case .found(let place, _, .file?), .found(let place, _, .program?): place
    default: nil
    }
  }

  /// Returns the host's path of a file of the session.
  func hostPath(of place: String) -> String { place == alone?.path ? alone?.file ?? place : place }

  /// Adds a file that the session sees at another path than the host.
  mutating func add(_ file: String, at path: String) {
    alone = (path, file)
    root.items.append(.init(path, .host(path: file)))
  }

  /// Returns the session's file at a path of the host.
  private func look(at path: String) -> HostFile {
    let found = HostFile.look(at: path)
    guard case .link = found else { return isMerged(path) ? .absent : found }
    // A link that is shown by its own path: the root has a link only if the target is shown by another path.
    guard shown.contains(path) else { return found }
    guard let target = try? FileSystem.realPath(path) else { return .absent }
    let hasTarget = shown.contains { $0 != path && RootModel.holds($0, target) }
    return hasTarget ? .link(to: target) : HostFile.look(at: target)
  }

  /// Whether a path is one of those that the root has only where the host has a link there.
  private func isMerged(_ path: String) -> Bool {
    !shown.contains(path) && SandboxRoot.mergedNames.contains { path == "/\($0)" }
  }
}
