// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import SandboxEnforcement
internal import SandboxLaunch

/// The rules of the ruleset that denies the state root to a restricted session, whatever paths the policy shows.
///
/// A rule of Landlock allows access beneath a path and cannot deny any. The ruleset therefore allows everything beneath
/// the largest directories that contain a shown path and not the state root. A path in the state root stays denied even
/// if a shown path leads there through a symbolic link, or a mistake in the policy's ruleset allows it.
enum StateRootRules {
  /// Returns rules that allow all access beneath the largest directories with the shown paths.
  ///
  /// - Parameters:
  ///   - shown: The rules for the shown paths of the policy and the user.
  ///   - stateRoot: The absolute path of the state root.
  ///   - abi: The Landlock ABI version.
  /// - Returns: The rules, without duplicates.
  static func rules(
    covering shown: [LandlockRuleset.Rule],
    stateRoot: String,
    abi: Int
  ) -> [LandlockRuleset.Rule] {
    let root = resolved(stateRoot)
    var covering: [LandlockRuleset.Rule] = []
    for rule in shown {
      guard let path = largest(resolved(rule.path), outside: root),
        !covering.contains(where: { $0.path == path })
      else { continue }
      covering.append(.init(path: path, access: rights(at: path, abi: abi).rawValue))
    }
    return covering
  }

  /// Returns the largest directory that contains a path and not the state root, the path itself if no parent is such a
  /// directory, or `nil` if the path contains the state root or is in it.
  static func largest(_ path: String, outside stateRoot: String) -> String? {
    guard !contains(path, stateRoot), !contains(stateRoot, path) else { return nil }
    var found = path
    while true {
      let parent = FileSystem.directoryName(found)
      if contains(parent, stateRoot) { return found }
      found = parent
    }
  }

  /// Returns whether a path is another one or one of its parents. Both paths are absolute and normalized.
  private static func contains(_ path: String, _ other: String) -> Bool {
    path == "/" || path == other || other.hasPrefix("\(path)/")
  }

  /// Returns a path without symbolic links, or the path itself if the file does not exist.
  private static func resolved(_ path: String) -> String { (try? FileSystem.realPath(path)) ?? path }

  /// Returns all rights that the kernel accepts for a file.
  private static func rights(at path: String, abi: Int) -> LandlockRights {
    let kind = (try? FileSystem.status(path))?.kind
    let all = LandlockRights.all(abi: abi)
    return kind == .directory || kind == nil ? all : all.intersection(.ofFiles)
  }
}
