// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import SandboxPolicy

/// What an extension gets at a path, and if it is refused, by what, and what to do.
///
/// The kernel tells nobody but root of what Landlock and mounts refuse. So this is no report of something that
/// happened: it is worked out from the root that the policy makes.
package struct PathExplanation: Sendable, Hashable {
  /// What comes of the use.
  package enum Verdict: String, Sendable, Hashable {
    /// It succeeds, if the permissions of the file itself let it.
    case allowed
    /// It fails.
    case refused
  }

  /// The path as it was asked for, printable.
  package var path: String
  /// What was wanted.
  package var use: FileUse
  /// Where the path leads in the sandbox, without links; nil if it leads nowhere.
  package var place: String?
  /// What comes of it.
  package var verdict: Verdict
  /// The errno that the extension gets; nil if it gets none.
  package var errno: String?
  /// The layers that refuse it, or that it passes.
  package var layers: [Layer]
  /// The line of the policy that shows the path; nil if none does.
  package var line: PolicyOrigin?
  /// Why, in words.
  package var reason: String
  /// What to do; nil if nothing is to be done.
  package var mend: Mend?

  /// Works out what an extension under a policy gets. `host` looks at the host's files, and follows no link.
  package init(
    _ path: String,
    _ use: FileUse,
    root: RootModel,
    policy: ResolvedPolicy,
    host: (String) -> HostFile
  ) {
    let words = PathWords(path: path, use: use, root: root, policy: policy)
    let finding: PathWords.Finding
    switch PathWalk.walk(path, root, host).end {
    case .found(let place, let item, let file): finding = words.found(place, item, file)
    case .absent(let place, let holder): finding = words.absent(place, holder, onHost: host(path))
    case .linkRefused(let place): finding = words.linkRefused(place)
    case .tooManyLinks: finding = words.tooManyLinks
    }
    self.path = words.shown
    self.use = use
    place = finding.place
    verdict = finding.errno == nil ? .allowed : .refused
    errno = finding.errno
    layers = finding.layers
    line = finding.place.flatMap(words.line)
    reason = finding.reason
    mend = finding.mend
  }

  /// One sentence without a full stop.
  package var sentence: String {
    let names = layers.map(\.rawValue).joined(separator: " and ")
    switch verdict {
    case .allowed: return "\(path) can be \(use.participle): \(reason)"
    case .refused:
      let end = mend.map { "; \($0.text)" } ?? ""
      let by = layers.isEmpty ? "" : " by \(names)"
      return "\(path) can't be \(use.participle) (\(errno ?? "EPERM")\(by)): \(reason)\(end)"
    }
  }

  /// The explanation as data.
  package var json: JSONValue {
    .object([
      "path": .string(path), "use": .string(use.rawValue), "verdict": .string(verdict.rawValue),
      "place": place.map { .string(UntrustedText.word($0, limit: 1024)) },
      "errno": errno.map(JSONValue.string), "layers": .array(layers.map { .string($0.rawValue) }),
      "line": line.map { .string($0.description) }, "reason": .string(reason), "mend": mend?.json,
      "sentence": .string(sentence),
    ])
  }
}

extension FileUse {
  /// The rest of "can be".
  var participle: String {
    switch self {
    case .read: "read"
    case .write: "written"
    case .execute: "run"
    }
  }
}
