// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import Digests
package import LinuxPrimitives
internal import Policies
package import SandboxPolicy

/// A policy, and the digest of its documents.
package struct FoundPolicy: Sendable {
  package var policy: ResolvedPolicy
  /// The digest of the policy's documents, from the policy itself to its oldest ancestor.
  package var digest: String
}

/// Finds policies: shipped policies by name, other policies by path. A document is read only when it is
/// needed.
package enum PolicyFinder {
  private typealias Text = (source: String, text: [UInt8])

  /// The largest policy document, in bytes.
  private static let maximumBytes = 1 << 20

  /// The names of the shipped policies.
  package static let shippedNames = ShippedPolicies.texts.map { String($0.source.dropLast(".json".count)) }

  /// The name of the default policy, for extensions that do not name a policy.
  package static var standardName: String { ShippedPolicies.defaultName }

  /// Returns the default policy for a comparison with a policy, or `nil` if the policy is the default policy.
  package static func standard(otherThan policy: ResolvedPolicy) throws(PolicyFindingError) -> ResolvedPolicy?
  {
    let standard = try find(standardName).policy
    let isSame = standard.name == policy.name && standard.extensibility == policy.extensibility
    return isSame ? nil : standard
  }

  /// Returns a policy by the name of a shipped policy, or by the path of a document (which contains a slash
  /// or ends with `.json`).
  package static func find(_ nameOrPath: String) throws(PolicyFindingError) -> FoundPolicy {
    if let text = shipped(nameOrPath) { return try resolve(text) }
    guard nameOrPath.contains("/") || nameOrPath.hasSuffix(".json") else {
      throw .unknown(nameOrPath, shipped: shippedNames)
    }
    return try document(try read(nameOrPath).text, at: nameOrPath)
  }

  /// Returns the policy of a document that was read from a path.
  package static func document(_ text: [UInt8], at path: String) throws(PolicyFindingError) -> FoundPolicy {
    guard text.count <= maximumBytes else { throw .tooLarge(path: path, limit: maximumBytes) }
    var found = try resolve(Text(path, text))
    // A document is found only by its path, so no other document can extend it.
    found.policy.extensibility = .document(path)
    return found
  }

  /// Returns the policy of a document that is not stored in a file. Messages name it `source`.
  package static func resolve(_ text: [UInt8], source: String) throws(PolicyFindingError) -> FoundPolicy {
    try resolve(Text(source, text))
  }

  private static func read(_ path: String) throws(PolicyFindingError) -> Text {
    let text: [UInt8]?
    do { text = try FileSystem.contents(path, limit: maximumBytes) } catch { throw .unreadable(error) }
    guard let text else { throw .tooLarge(path: path, limit: maximumBytes) }
    return (path, text)
  }

  private static func shipped(_ name: String) -> Text? {
    ShippedPolicies.texts.first { $0.source == "\(name).json" }
  }

  private static let known = PolicyCache()

  private static func resolve(_ text: Text) throws(PolicyFindingError) -> FoundPolicy {
    if let known = known.policy(text.text, source: text.source) { return known }
    let found = try resolveUncached(text)
    known.keep(found, of: text.text, source: text.source)
    return found
  }

  private static func resolveUncached(_ first: Text) throws(PolicyFindingError) -> FoundPolicy {
    var documents: [PolicyDocument] = []
    var texts: [UInt8] = []
    var next: Text? = first
    do throws(PolicyDiagnostics) {
      while let text = next {
        let document = try PolicyParser.parse(text.text, source: text.source)
        documents.append(document)
        texts += text.text
        let parent = document.extends?.value
        let isKnown = documents.contains { $0.name.value == parent }
        next = isKnown ? nil : parent.flatMap(shipped)
      }
    } catch { throw .diagnostics(error) }
    return try resolve(documents, texts)
  }

  /// Returns the resolved policy. The first document is the policy, and its ancestors follow.
  private static func resolve(
    _ documents: [PolicyDocument],
    _ texts: [UInt8]
  ) throws(PolicyFindingError) -> FoundPolicy {
    let policy: ResolvedPolicy
    do {
      // The policy comes last, so that its name takes precedence over an ancestor with the same name.
      policy = try PolicyLibrary(documents.reversed()).resolve(documents[0])
    } catch { throw .diagnostics(error) }
    do {
      return FoundPolicy(policy: policy, digest: "\(try SHA256Digest.of(texts))")
    } catch { throw .digest(error) }
  }
}

/// A reason why a policy could not be found or resolved.
package enum PolicyFindingError: Error, Sendable, CustomStringConvertible {
  /// Darkroom does not ship a policy with this name.
  case unknown(String, shipped: [String])
  /// The document cannot be read.
  case unreadable(SystemCallError)
  /// The document exceeds the maximum size.
  case tooLarge(path: String, limit: Int)
  /// The document has errors.
  case diagnostics(PolicyDiagnostics)
  /// The digest of the documents could not be computed.
  case digest(DigestError)

  /// A sentence, or a line for each error in the document.
  package var description: String {
    switch self {
    case .unknown(let name, let shipped):
      "unknown policy '\(name)'; use \(shipped.joined(separator: ", ")), or the path of a policy file"
    case .unreadable(let error): "the policy cannot be read: \(error)"
    case .tooLarge(let path, let limit): "\(path) exceeds the maximum size of \(limit) bytes"
    case .diagnostics(let diagnostics): "\(diagnostics)"
    case .digest(let error): "\(error)"
    }
  }
}

extension PolicyFinder {
  /// The validator for bundles. It uses the policies of their extensions and the files of this machine that
  /// sessions see.
  package static var validator: ManifestValidator {
    ManifestValidator(policyNames: shippedNames) { name in
      guard let found = try? find(name) else { return nil }
      let files = SessionFiles(found.policy)
      return { files.viewed(at: $0) }
    }
  }
}

extension SessionFiles {
  /// Returns the kind of file that the session finds at an absolute path.
  fileprivate func viewed(at path: String) -> FileVisibility {
    switch visibility(of: path) {
    case .program: .program
    case .notExecutable: .file
    case .absent: .absent
    case .danglingLink, .hidden: .hidden
    }
  }
}
