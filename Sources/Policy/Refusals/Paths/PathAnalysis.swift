// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import SandboxPolicy

/// The computation of the result of an access to a path, with the reason as text.
struct PathAnalysis {
  /// The requested path.
  let path: String
  /// The requested access.
  let use: FileAccess
  /// The root of the session.
  let root: RootModel
  let policy: ResolvedPolicy

  /// The maximum length in bytes of a path in a suggested policy change.
  private static let maximumFixPathBytes = 1024

  /// The result of an access.
  struct Finding {
    /// The path after resolving symbolic links, or `nil` if it does not exist.
    var resolvedPath: String?
    /// The name of the error, or `nil` if the access succeeds.
    var errno: String?
    /// The layers that refuse the access, or the layers that allow it.
    var layers: [Layer] = [.root, .landlock]
    var reason: String
    var fix: Fix?
  }

  /// The path in printable form.
  var printablePath: String { UntrustedText.unquoted(path, limit: 240) }

  /// Returns the line of the policy that shows a path.
  func line(_ resolvedPath: String) -> PolicyOrigin? {
    policy.readOnly.last { RootModel.covers($0.path, resolvedPath) }?.origin
      ?? policy.devices.first { $0.value == resolvedPath }?.origin
  }

  private static let bundle = "put the program into the extension's bundle (/extension)"

  private static let writableDirectories =
    "write files for the app to /session, and temporary files to /container"

  /// Returns the result for a path that exists.
  func found(_ resolvedPath: String, _ item: RootModel.Item?, _ file: HostFile?) -> Finding {
    if use == .execute {
      switch file {
      case .file:
        return Finding(
          resolvedPath: resolvedPath,
          errno: "EACCES",
          layers: [],
          reason: "the file on the host is not executable"
        )
      case .directory:
        return Finding(resolvedPath: resolvedPath, errno: "EACCES", layers: [], reason: "it is a directory")
      default: break
      }
    }
    let byMount = item?.denied.contains(use) ?? (use != .read)
    let byLandlock = !root.allowed(at: resolvedPath).contains(use)
    if use == .execute, policy.execute == .once {
      // The filter refuses the call before the kernel evaluates mounts and Landlock.
      return executeOnce(resolvedPath, alternative: byMount || byLandlock ? Self.bundle : nil)
    }
    guard byMount || byLandlock else { return allowed(resolvedPath, item) }
    let layers = (byMount ? [Layer.root] : []) + (byLandlock ? [.landlock] : [])
    let errno = use == .write && byMount ? "EROFS" : "EACCES"
    return Finding(
      resolvedPath: resolvedPath,
      errno: errno,
      layers: layers,
      reason: refusalReason(resolvedPath, item),
      fix: refusalFix
    )
  }

  private func allowed(_ resolvedPath: String, _ item: RootModel.Item?) -> Finding {
    let reason: String
    if let line = line(resolvedPath) {
      reason = "\(RefusalExplanation.originText(line)) shows it"
    } else if RootModel.covers("/extension", resolvedPath) {
      reason = "/extension is the extension's bundle"
    } else if case .proc? = item?.kind {
      reason = "/proc shows only the session's processes"
    } else if case .writableDirectory? = item?.kind {
      reason = "\(item?.path ?? resolvedPath) is a directory of the session"
    } else {
      reason = "the sandbox provides it to every extension"
    }
    return Finding(resolvedPath: resolvedPath, errno: nil, reason: reason)
  }

  private func refusalReason(_ resolvedPath: String, _ item: RootModel.Item?) -> String {
    switch (use, item?.kind) {
    case (.execute, .writableDirectory): "files in \(item?.path ?? resolvedPath) cannot be executed"
    case (.execute, _): "only programs in the paths of the policy and in the extension's bundle can be run"
    case (.write, .host):
      "paths of the host are read-only"
        + (line(resolvedPath).map { " (\(RefusalExplanation.originText($0)))" } ?? "")
    case (.write, _): "the sandbox's files are read-only"
    case (.read, _): "Landlock allows no access to it"
    }
  }

  private var refusalFix: Fix? {
    switch use {
    case .write: Fix(alternative: Self.writableDirectories, policy: nil)
    case .execute: Fix(alternative: Self.bundle, policy: nil)
    case .read: nil
    }
  }

  private func executeOnce(_ resolvedPath: String, alternative: String?) -> Finding {
    Finding(
      resolvedPath: resolvedPath,
      errno: "EPERM",
      layers: [.seccomp],
      reason: "the policy does not allow a second program (\"execute\" in "
        + "\(RefusalExplanation.originText(policy.executeOrigin)))",
      fix: Fix(alternative: alternative, policy: policy.fix([.init("execute", "any")]))
    )
  }

  /// Returns the result for a path that does not exist. `target` is the path after following symbolic links,
  /// and `file` is the host's file there.
  func absent(
    _ resolvedPath: String,
    _ enclosingItem: RootModel.Item?,
    target: String,
    onHost file: HostFile
  ) -> Finding {
    if let enclosingItem, case .host = enclosingItem.kind {
      // The policy shows the parent directory, so the sandbox does not hide the file; the host lacks it.
      return Finding(
        resolvedPath: nil,
        errno: use == .write ? "EROFS" : "ENOENT",
        layers: use == .write ? [.root] : [],
        reason:
          "\(UntrustedText.unquoted(enclosingItem.path, limit: 240)) is visible, but the file does not exist on the host",
        fix: use == .write ? refusalFix : Fix(alternative: installation(in: enclosingItem), policy: nil)
      )
    }
    guard use != .write else {
      return Finding(
        resolvedPath: nil,
        errno: "ENOENT",
        layers: [.root],
        reason: "an extension can write only to its own directories",
        fix: refusalFix
      )
    }
    let reason = "it is not visible in the session: the policy \(policy.name) shows \(shownPaths)"
    let hostRemark = file == .absent ? ", and it does not exist on the host either" : ""
    return Finding(
      resolvedPath: nil,
      errno: "ENOENT",
      layers: [.root],
      reason: reason + hostRemark,
      fix: absenceFix(target, file)
    )
  }

  /// Returns the way to add a missing file to a visible directory.
  private func installation(in item: RootModel.Item) -> String {
    RootModel.covers("/extension", item.path)
      ? "add the file to the extension's bundle" : "install the file on the host"
  }

  /// Returns the policy change that shows a path, or an alternative if no policy can show it.
  private func absenceFix(_ target: String, _ file: HostFile) -> Fix {
    guard target.utf8.count <= Self.maximumFixPathBytes else {
      return Fix(alternative: "the path is too long for a policy: show a parent directory", policy: nil)
    }
    if GrantablePaths.devices.contains(target) {
      return Fix(alternative: nil, policy: policy.fix([.init("devices", .array([.string(target)]))]))
    }
    if let refusal = GrantablePaths.refusal(of: target) {
      let advice = refusal.allowsCopy ? ": \(refusal.fix)" : ""
      return Fix(
        alternative: "no policy can show it, because it \(refusal.reason)\(advice)",
        policy: nil
      )
    }
    if file == .special {
      return Fix(alternative: "no policy can show sockets, pipes or devices of the host", policy: nil)
    }
    let grant: JSONValue = file == .absent ? ["path": .string(target), "optional": true] : .string(target)
    // A visible program can still not be started by an extension that may start no second program.
    let permission: [JSONValue.Member] =
      use == .execute && policy.execute == .once ? [.init("execute", "any")] : []
    return Fix(
      alternative: nil,
      policy: policy.fix(
        [.init("readOnly", .array([grant]))] + permission,
        caveat: use == .execute && file == .file ? "the file on the host is not executable" : nil
      )
    )
  }

  /// The first paths of the policy as text.
  private var shownPaths: String {
    let paths = policy.readOnly.map(\.path)
    guard !paths.isEmpty else { return "no path of the host" }
    let some = paths.prefix(6).joined(separator: ", ")
    return "only " + UntrustedText.unquoted(some, limit: 300)
      + (paths.count > 6 ? " and \(paths.count - 6) more" : "")
  }

  /// Returns the result for a symbolic link that the kernel does not follow.
  func linkRefused(_ resolvedPath: String) -> Finding {
    Finding(
      resolvedPath: nil,
      errno: "ELOOP",
      layers: [.root],
      reason:
        "symbolic links in \(root.enclosingItem(of: resolvedPath)?.path ?? "/session") are not followed",
      fix: Fix(
        alternative: "use the path that \(UntrustedText.unquoted(resolvedPath, limit: 240)) points to",
        policy: nil
      )
    )
  }

  /// The result for too many symbolic links.
  var tooManyLinks: Finding {
    Finding(
      resolvedPath: nil,
      errno: "ELOOP",
      layers: [],
      reason: "it contains too many symbolic links, or a loop"
    )
  }
}
