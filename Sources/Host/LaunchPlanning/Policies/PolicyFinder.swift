// SPDX-License-Identifier: Apache-2.0

package import Digests
package import LinuxPrimitives
internal import Policies
package import SandboxPolicy

/// A policy that was found, and the digest of everything that it consists of.
package struct FoundPolicy: Sendable {
  /// The policy.
  package var policy: ResolvedPolicy
  /// The digest of its documents, from the youngest to the oldest ancestor.
  package var digest: String
}

/// Finds policies: those that come with Darkroom by name, others by path. A document is read only if it is needed.
package enum PolicyFinder {
  private typealias Text = (source: String, text: [UInt8])

  /// The largest policy document, in bytes.
  private static let maximumBytes = 1 << 20

  /// The names of the policies that come with Darkroom.
  package static let shippedNames = ShippedPolicies.texts.map { String($0.source.dropLast(".json".count)) }

  /// The name of the policy of extensions that name none.
  package static var standardName: String { ShippedPolicies.standardName }

  /// A policy by the name of a shipped one, or by the path of a document (anything with a slash or `.json`).
  package static func find(_ nameOrPath: String) throws(PolicyFindingError) -> FoundPolicy {
    if let text = shipped(nameOrPath) { return try resolve(text) }
    guard nameOrPath.contains("/") || nameOrPath.hasSuffix(".json") else {
      throw .unknown(nameOrPath, shipped: shippedNames)
    }
    return try document(try read(nameOrPath).text, at: nameOrPath)
  }

  /// The policy of a document that was read at a path.
  package static func document(_ text: [UInt8], at path: String) throws(PolicyFindingError) -> FoundPolicy {
    guard text.count <= maximumBytes else { throw .tooLarge(path: path, limit: maximumBytes) }
    var found = try resolve(Text(path, text))
    // A document is found by its path alone, so no other can extend it.
    found.policy.standing = .document(path)
    return found
  }

  /// A policy that stands nowhere yet. Messages call it `source`.
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

  private static let known = KnownPolicies()

  private static func resolve(_ text: Text) throws(PolicyFindingError) -> FoundPolicy {
    if let known = known.policy(text.text, source: text.source) { return known }
    let found = try resolveAnew(text)
    known.keep(found, of: text.text, source: text.source)
    return found
  }

  private static func resolveAnew(_ first: Text) throws(PolicyFindingError) -> FoundPolicy {
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
    } catch { throw .mistakes(error) }
    return try resolve(documents, texts)
  }

  /// The first document is the policy, those after it are its ancestors.
  private static func resolve(
    _ documents: [PolicyDocument],
    _ texts: [UInt8]
  ) throws(PolicyFindingError) -> FoundPolicy {
    let policy: ResolvedPolicy
    do {
      // The first one last: it is what its name means, also if an ancestor has the same.
      policy = try PolicyLibrary(documents.reversed()).resolve(documents[0])
    } catch { throw .mistakes(error) }
    do {
      return FoundPolicy(policy: policy, digest: "\(try SHA256Digest.of(texts))")
    } catch { throw .digest(error) }
  }
}

/// Why there is no such policy.
package enum PolicyFindingError: Error, Sendable, CustomStringConvertible {
  /// No policy of that name comes with Darkroom.
  case unknown(String, shipped: [String])
  /// The document cannot be read.
  case unreadable(SystemCallError)
  /// The document is larger than any policy.
  case tooLarge(path: String, limit: Int)
  /// The document has mistakes.
  case mistakes(PolicyDiagnostics)
  /// The digest of the documents cannot be taken.
  case digest(DigestError)

  /// A sentence, or a line for each mistake.
  package var description: String {
    switch self {
    case .unknown(let name, let shipped):
      "there is no policy \"\(name)\"; name one of \(shipped.joined(separator: ", ")), or the path of a document"
    case .unreadable(let error): "the policy cannot be read: \(error)"
    case .tooLarge(let path, let limit): "\(path) is larger than \(limit) bytes, which is no policy"
    case .mistakes(let diagnostics): "\(diagnostics)"
    case .digest(let error): "\(error)"
    }
  }
}
