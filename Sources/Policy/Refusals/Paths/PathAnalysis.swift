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

  private static let writableDirectories =
    "write to /session what the app should get, and to /container what nobody needs afterwards"

  /// Returns the result for a path that exists.
  func found(_ resolvedPath: String, _ item: RootModel.Item?, _ file: HostFile?) -> Finding {
    if use == .execute {
      switch file {
      case .file:
        return Finding(
          resolvedPath: resolvedPath,
          errno: "EACCES",
          layers: [],
          reason: "the host's file is no program"
        )
      case .directory:
        return Finding(resolvedPath: resolvedPath, errno: "EACCES", layers: [], reason: "it is a directory")
      default: break
      }
      if policy.execute == .once { return executeOnce(resolvedPath) }
    }
    let byMount = item?.denied.contains(use) ?? (use != .read)
    let byLandlock = !root.allowed(at: resolvedPath).contains(use)
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
      reason = "/extension is the extension's own bundle"
    } else if case .proc? = item?.kind {
      reason = "it shows the session's own processes, and nothing of the machine"
    } else if case .writableDirectory? = item?.kind {
      reason = "\(item?.path ?? resolvedPath) is the session's own"
    } else {
      reason = "it is the sandbox's own, the same for every extension"
    }
    return Finding(resolvedPath: resolvedPath, errno: nil, reason: reason)
  }

  private func refusalReason(_ resolvedPath: String, _ item: RootModel.Item?) -> String {
    switch (use, item?.kind) {
    case (.execute, .writableDirectory): "nothing that an extension can write can be run"
    case (.execute, _): "only programs of the policy's paths and of the extension's bundle can be run"
    case (.write, .host):
      "whatever is shown of the host is read-only"
        + (line(resolvedPath).map { " (\(RefusalExplanation.originText($0)))" } ?? "")
    case (.write, _): "the sandbox's own files are read-only"
    case (.read, _): "Landlock allows an extension nothing there"
    }
  }

  private var refusalFix: Fix {
    switch use {
    case .write: Fix(alternative: Self.writableDirectories, policy: nil)
    case .execute:
      Fix(alternative: "put the program into the extension's bundle, which is /extension", policy: nil)
    case .read: Fix(alternative: "do without it", policy: nil)
    }
  }

  private func executeOnce(_ resolvedPath: String) -> Finding {
    Finding(
      resolvedPath: resolvedPath,
      errno: "EPERM",
      layers: [.seccomp],
      reason: "the policy lets the extension start no second program (\"execute\" in "
        + "\(RefusalExplanation.originText(policy.executeOrigin)))",
      fix: Fix(alternative: nil, policy: policy.fix([.init("execute", "any")]))
    )
  }

  /// Returns the result for a path that does not exist.
  func absent(_ resolvedPath: String, _ enclosingItem: RootModel.Item?, onHost file: HostFile) -> Finding {
    if let enclosingItem, case .host = enclosingItem.kind {
      // The policy shows the parent directory, so the sandbox does not hide the file; the host lacks it.
      return Finding(
        resolvedPath: nil,
        errno: use == .write ? "EROFS" : "ENOENT",
        layers: use == .write ? [.root] : [],
        reason:
          "\(UntrustedText.unquoted(enclosingItem.path, limit: 240)) is shown, but the host has no such file in it",
        fix: use == .write ? refusalFix : Fix(alternative: "install it on the host", policy: nil)
      )
    }
    guard use != .write else {
      return Finding(
        resolvedPath: nil,
        errno: "ENOENT",
        layers: [.root],
        reason: "an extension writes nowhere but in its own directories",
        fix: refusalFix
      )
    }
    let reason = "it is not in the sandbox: the policy \(policy.name) shows \(shownPaths)"
    let hostRemark = file == .absent ? ", and the host has no such file either" : ""
    return Finding(
      resolvedPath: nil,
      errno: "ENOENT",
      layers: [.root],
      reason: reason + hostRemark,
      fix: absenceFix(file)
    )
  }

  /// Returns the policy change that shows the path, or an alternative if no policy can show it.
  private func absenceFix(_ file: HostFile) -> Fix {
    guard path.utf8.count <= Self.maximumFixPathBytes else {
      return Fix(
        alternative: "no policy should name a path as long as that: show a directory above it",
        policy: nil
      )
    }
    if let refusal = GrantablePaths.refusal(of: path) {
      return Fix(
        alternative: "no policy can show it, because it \(refusal.reason): \(refusal.fix)",
        policy: nil
      )
    }
    if file == .special {
      return Fix(alternative: "no policy shows sockets, pipes and devices of the host", policy: nil)
    }
    let grant: JSONValue = file == .absent ? ["path": .string(path), "optional": true] : .string(path)
    return Fix(
      alternative: nil,
      policy: policy.fix([.init("readOnly", .array([grant]))])
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
      reason: "symbolic links in /session are not followed",
      fix: Fix(
        alternative: "name the file that \(UntrustedText.unquoted(resolvedPath, limit: 240)) points to",
        policy: nil
      )
    )
  }

  /// The result for too many symbolic links.
  var tooManyLinks: Finding {
    Finding(resolvedPath: nil, errno: "ELOOP", layers: [], reason: "its symbolic links lead in a circle")
  }
}
