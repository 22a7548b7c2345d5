// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import SandboxPolicy

/// The computation of the result of an access to a path, with the reason as text.
struct PathWords {
  /// The requested path.
  let path: String
  /// The requested access.
  let use: FileUse
  /// The root of the session.
  let root: RootModel
  let policy: ResolvedPolicy

  /// The maximum length in bytes of a path in a suggested policy change.
  private static let longestMend = 1024

  /// The result of an access.
  struct Finding {
    /// The path after resolving symbolic links, or `nil` if it does not exist.
    var place: String?
    /// The name of the error, or `nil` if the access succeeds.
    var errno: String?
    /// The layers that refuse the access, or the layers that allow it.
    var layers: [Layer] = [.root, .landlock]
    var reason: String
    var mend: Mend?
  }

  /// The path in printable form.
  var shown: String { UntrustedText.word(path, limit: 240) }

  /// Returns the line of the policy that shows a path.
  func line(_ place: String) -> PolicyOrigin? {
    policy.readOnly.last { RootModel.holds($0.path, place) }?.origin
      ?? policy.devices.first { $0.value == place }?.origin
  }

  private static let places =
    "write to /session what the app should get, and to /container what nobody needs afterwards"

  /// Returns the result for a path that exists.
  func found(_ place: String, _ item: RootModel.Item?, _ file: HostFile?) -> Finding {
    if use == .execute {
      switch file {
      case .file:
        return Finding(place: place, errno: "EACCES", layers: [], reason: "the host's file is no program")
      case .directory:
        return Finding(place: place, errno: "EACCES", layers: [], reason: "it is a directory")
      default: break
      }
      if policy.execute == .once { return executeOnce(place) }
    }
    let byMount = item?.denied.contains(use) ?? (use != .read)
    let byLandlock = !root.allowed(at: place).contains(use)
    guard byMount || byLandlock else { return allowed(place, item) }
    let layers = (byMount ? [Layer.root] : []) + (byLandlock ? [.landlock] : [])
    let errno = use == .write && byMount ? "EROFS" : "EACCES"
    return Finding(
      place: place,
      errno: errno,
      layers: layers,
      reason: refusedReason(place, item),
      mend: refusedMend
    )
  }

  private func allowed(_ place: String, _ item: RootModel.Item?) -> Finding {
    let reason: String
    if let line = line(place) {
      reason = "\(Explanation.describe(line)) shows it"
    } else if RootModel.holds("/extension", place) {
      reason = "/extension is the extension's own bundle"
    } else if case .processes? = item?.kind {
      reason = "it shows the session's own processes, and nothing of the machine"
    } else if case .space? = item?.kind {
      reason = "\(item?.path ?? place) is the session's own"
    } else {
      reason = "it is the sandbox's own, the same for every extension"
    }
    return Finding(place: place, errno: nil, reason: reason)
  }

  private func refusedReason(_ place: String, _ item: RootModel.Item?) -> String {
    switch (use, item?.kind) {
    case (.execute, .space): "nothing that an extension can write can be run"
    case (.execute, _): "only programs of the policy's paths and of the extension's bundle can be run"
    case (.write, .host):
      "whatever is shown of the host is read-only"
        + (line(place).map { " (\(Explanation.describe($0)))" } ?? "")
    case (.write, _): "the sandbox's own files are read-only"
    case (.read, _): "Landlock allows an extension nothing there"
    }
  }

  private var refusedMend: Mend {
    switch use {
    case .write: Mend(instead: Self.places, policy: nil)
    case .execute:
      Mend(instead: "put the program into the extension's bundle, which is /extension", policy: nil)
    case .read: Mend(instead: "do without it", policy: nil)
    }
  }

  private func executeOnce(_ place: String) -> Finding {
    Finding(
      place: place,
      errno: "EPERM",
      layers: [.seccomp],
      reason: "the policy lets the extension start no second program (\"execute\" in "
        + "\(Explanation.describe(policy.executeOrigin)))",
      mend: Mend(instead: nil, policy: policy.mend([.init("execute", "any")]))
    )
  }

  /// Returns the result for a path that does not exist.
  func absent(_ place: String, _ holder: RootModel.Item?, onHost file: HostFile) -> Finding {
    if let holder, case .host = holder.kind {
      // The policy shows the parent directory, so the sandbox does not hide the file; the host lacks it.
      return Finding(
        place: nil,
        errno: use == .write ? "EROFS" : "ENOENT",
        layers: use == .write ? [.root] : [],
        reason:
          "\(UntrustedText.word(holder.path, limit: 240)) is shown, but the host has no such file in it",
        mend: use == .write ? refusedMend : Mend(instead: "install it on the host", policy: nil)
      )
    }
    guard use != .write else {
      return Finding(
        place: nil,
        errno: "ENOENT",
        layers: [.root],
        reason: "an extension writes nowhere but in its own directories",
        mend: refusedMend
      )
    }
    let reason = "it is not in the sandbox: the policy \(policy.name) shows \(shownPaths)"
    let also = file == .absent ? ", and the host has no such file either" : ""
    return Finding(
      place: nil,
      errno: "ENOENT",
      layers: [.root],
      reason: reason + also,
      mend: absentMend(file)
    )
  }

  /// Returns the policy change that shows the path, or an alternative if no policy can show it.
  private func absentMend(_ file: HostFile) -> Mend {
    guard path.utf8.count <= Self.longestMend else {
      return Mend(
        instead: "no policy should name a path as long as that: show a directory above it",
        policy: nil
      )
    }
    if let refusal = GrantablePaths.refusal(of: path) {
      return Mend(
        instead: "no policy can show it, because it \(refusal.reason): \(refusal.mend)",
        policy: nil
      )
    }
    if file == .special {
      return Mend(instead: "no policy shows sockets, pipes and devices of the host", policy: nil)
    }
    let grant: JSONValue = file == .absent ? ["path": .string(path), "optional": true] : .string(path)
    return Mend(
      instead: nil,
      policy: policy.mend([.init("readOnly", .array([grant]))])
    )
  }

  /// The first paths of the policy as text.
  private var shownPaths: String {
    let paths = policy.readOnly.map(\.path)
    guard !paths.isEmpty else { return "no path of the host" }
    let some = paths.prefix(6).joined(separator: ", ")
    return "only " + UntrustedText.word(some, limit: 300)
      + (paths.count > 6 ? " and \(paths.count - 6) more" : "")
  }

  /// Returns the result for a symbolic link that the kernel does not follow.
  func linkRefused(_ place: String) -> Finding {
    Finding(
      place: nil,
      errno: "ELOOP",
      layers: [.root],
      reason: "symbolic links in /session are not followed",
      mend: Mend(
        instead: "name the file that \(UntrustedText.word(place, limit: 240)) points to",
        policy: nil
      )
    )
  }

  /// The result for too many symbolic links.
  var tooManyLinks: Finding {
    Finding(place: nil, errno: "ELOOP", layers: [], reason: "its symbolic links lead in a circle")
  }
}
