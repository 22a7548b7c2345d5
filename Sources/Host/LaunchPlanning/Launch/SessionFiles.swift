// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Refusals
internal import SandboxPolicy

/// The host files that a session is shown, as known before the launch is planned.
///
/// Paths are followed as the kernel follows them in the session's root: symbolic links are resolved inside
/// the root.
struct SessionFiles {
  /// The result of a search for a program at a path.
  enum Visibility: Hashable {
    /// A program. `place` is its path without symbolic links.
    case program(place: String)
    /// A directory, or a file that is not executable.
    case notExecutable
    /// No file exists, neither in the session nor on the host.
    case absent
    /// A symbolic link leads to a file that the session is not shown.
    case danglingLink(PathWalk.Link)
    /// The session is not shown the path.
    case hidden
  }

  /// The paths that the policy shows.
  private let policyPaths: [String]
  /// The paths that the policy or the user shows.
  private let shown: [String]
  private var root: RootModel
  /// A file that the session sees at another path than the host, or `nil` without such a file.
  private var remappedFile: (path: String, file: String)?

  /// Creates the view of a session under a policy. `readOnly` are the paths that the user shows.
  init(_ policy: ResolvedPolicy, readOnly: [String] = []) {
    policyPaths = policy.readOnly.map(\.path)
    shown = policyPaths + readOnly
    let merged = shown.contains("/usr") ? SandboxRoot.mergedUsrNames.map { "/\($0)" } : []
    root = RootModel(items: (merged + shown).map { .init($0, .host(path: $0)) }, rules: nil)
  }

  /// Returns the result of a search for a program at an absolute path.
  func visibility(of path: String) -> Visibility {
    let walk = walk(path)
    switch walk.end {
    case .found(let place, _, .program?): return .program(place: place)
    case .found: return .notExecutable
    case .tooManyLinks: return .absent
    case .linkRefused: return .hidden
    case .absent(_, let holder):
      guard let link = walk.lastLink else { return holder == nil ? .hidden : .absent }
      return (try? FileSystem.realPath(path)) == nil ? .absent : .danglingLink(link)
    }
  }

  /// Follows an absolute path in the session's root.
  private func walk(_ path: String) -> PathWalk.Result { PathWalk.walk(path, root, look) }

  /// Returns other paths at which the session is shown a file that it is not shown at this path.
  func otherPaths(of path: String) -> [String] {
    let name = FileSystem.lastComponent(path)
    guard let directory = try? FileSystem.realPath(FileSystem.directoryName(path)) else { return [] }
    let file = directory == "/" ? "/\(name)" : "\(directory)/\(name)"
    let aliases = shown.compactMap { path -> String? in
      guard let real = try? FileSystem.realPath(path), real != path, RootModel.covers(real, file) else {
        return nil
      }
      return path + String(decoding: file.utf8.dropFirst(real == "/" ? 0 : real.utf8.count), as: UTF8.self)
    }
    return [file] + aliases
  }

  /// Returns whether the policy itself shows a path without symbolic links.
  func isShownByPolicy(_ place: String) -> Bool { policyPaths.contains { RootModel.covers($0, place) } }

  /// Returns the path without symbolic links of a file, or `nil` if the session finds no file at the path.
  func file(at path: String) -> String? {
    switch walk(path).end {
    case .found(let place, _, .file?), .found(let place, _, .program?): place
    default: nil
    }
  }

  /// Returns the host path of a session's file.
  func hostPath(of place: String) -> String {
    place == remappedFile?.path ? remappedFile?.file ?? place : place
  }

  /// Adds a file that the session sees at another path than the host.
  mutating func add(_ file: String, at path: String) {
    remappedFile = (path, file)
    root.items.append(.init(path, .host(path: file)))
  }

  /// Returns the kind of the session's file at a host path.
  private func look(at path: String) -> HostFile {
    let found = HostFile.inspect(at: path)
    guard case .link = found else { return isMergedUsrLink(path) ? .absent : found }
    // A link that is itself a shown path: the root contains the link only if another shown path contains its
    // target.
    guard shown.contains(path) else { return found }
    guard let target = try? FileSystem.realPath(path) else { return .absent }
    let hasTarget = shown.contains { $0 != path && RootModel.covers($0, target) }
    return hasTarget ? .link(to: target) : HostFile.inspect(at: target)
  }

  /// Returns whether a path is a merged-/usr directory, which the root contains only if the host has a link
  /// there.
  private func isMergedUsrLink(_ path: String) -> Bool {
    !shown.contains(path) && SandboxRoot.mergedUsrNames.contains { path == "/\($0)" }
  }
}
