// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import SandboxPolicy

/// The result of accessing a path in a session, with the reason and the fix if the access is refused.
///
/// The kernel reports refusals by Landlock and mounts only to root. An explanation is therefore not a record
/// of an event. It is computed from the root that the policy defines.
package struct PathExplanation: Sendable, Hashable {
  /// The result of an access.
  package enum Verdict: String, Sendable, Hashable {
    /// The access succeeds if the permissions of the file permit it.
    case allowed
    /// The access fails.
    case refused
  }

  /// The requested path, in printable form.
  package var path: String
  /// The requested access.
  package var use: FileAccess
  /// The path in the session after resolving symbolic links, or `nil` if the path does not exist.
  package var resolvedPath: String?
  /// The result.
  package var verdict: Verdict
  /// The name of the error, or `nil` if the access succeeds.
  package var errno: String?
  /// The layers that refuse the access, or the layers that allow it.
  package var layers: [Layer]
  /// The line of the policy that shows the path, or `nil` if there is none.
  package var line: PolicyOrigin?
  /// The reason as text.
  package var reason: String
  /// The fix, or `nil` if none is needed.
  package var fix: Fix?

  /// Creates the explanation of an access under a policy. `host` returns the host's file at a path without
  /// following symbolic links.
  package init(
    _ path: String,
    _ use: FileAccess,
    root: RootModel,
    policy: ResolvedPolicy,
    host: (String) -> HostFile
  ) {
    let words = PathAnalysis(path: path, use: use, root: root, policy: policy)
    let finding: PathAnalysis.Finding
    let walk = PathWalk.walk(path, root, host)
    switch walk.end {
    case .found(let resolvedPath, let item, let file): finding = words.found(resolvedPath, item, file)
    case .absent(let resolvedPath, let enclosingItem):
      // A policy that shows the link does not show its target.
      let target = walk.lastLink == nil ? path : walk.missingPath ?? path
      finding = words.absent(resolvedPath, enclosingItem, target: target, onHost: host(target))
    case .linkRefused(let resolvedPath): finding = words.linkRefused(resolvedPath)
    case .tooManyLinks: finding = words.tooManyLinks
    }
    self.path = words.printablePath
    self.use = use
    resolvedPath = finding.resolvedPath
    verdict = finding.errno == nil ? .allowed : .refused
    errno = finding.errno
    layers = finding.layers
    line = finding.resolvedPath.flatMap(words.line)
    reason = finding.reason
    fix = finding.fix
  }

  /// The explanation as a sentence without a final period.
  package var sentence: String {
    let names = layers.map(\.rawValue).joined(separator: " and ")
    switch verdict {
    case .allowed: return "\(path) can be \(use.pastParticiple): \(reason)"
    case .refused:
      let end = fix.map { "; \($0.text)" } ?? ""
      let by = layers.isEmpty ? "" : " by \(names)"
      return "\(path) cannot be \(use.pastParticiple) (\(errno ?? "EPERM")\(by)): \(reason)\(end)"
    }
  }

  /// The explanation as JSON.
  package var json: JSONValue {
    .object([
      "path": .string(path), "use": .string(use.rawValue), "verdict": .string(verdict.rawValue),
      "resolvedPath": resolvedPath.map { .string(UntrustedText.unquoted($0, limit: 1024)) },
      "errno": errno.map(JSONValue.string), "layers": .array(layers.map { .string($0.rawValue) }),
      "line": line.map { .string($0.description) }, "reason": .string(reason), "fix": fix?.json,
      "sentence": .string(sentence),
    ])
  }
}

extension FileAccess {
  /// The past participle of the access, for use after "can be".
  var pastParticiple: String {
    switch self {
    case .read: "read"
    case .write: "written"
    case .execute: "run"
    }
  }
}
