// SPDX-License-Identifier: Apache-2.0

/// The policies that have names: those that a policy can extend.
package struct PolicyLibrary: Sendable {
  /// The documents by the names of their policies.
  package private(set) var documents: [String: PolicyDocument] = [:]

  /// A library of documents; of two with the same name the later one counts.
  package init(_ documents: [PolicyDocument] = []) {
    for document in documents { self.documents[document.name.value] = document }
  }

  /// Reads a library from texts: file names and contents. Every mistake of every document is thrown.
  package init(texts: [(source: String, text: [UInt8])]) throws(PolicyDiagnostics) {
    var mistakes: [PolicyDiagnostic] = []
    var documents: [PolicyDocument] = []
    for (source, text) in texts {
      do {
        documents.append(try PolicyParser.parse(text, source: source))
      } catch {
        mistakes += error.all
      }
    }
    guard mistakes.isEmpty else { throw PolicyDiagnostics(mistakes) }
    self.init(documents)
  }

  /// The names of the policies, in the order of the alphabet.
  package var names: [String] { documents.keys.sorted() }

  /// The policy of that name with all that it extends; nil if the library has no such policy.
  package func policy(named name: String) throws(PolicyDiagnostics) -> ResolvedPolicy? {
    guard let document = documents[name] else { return nil }
    return try resolve(document)
  }

  /// A document with all that it extends.
  ///
  /// Calls, paths and devices add up over the chain, and a denial anywhere in it wins. Of the scratch size, each
  /// limit, `bestEffort`, `execute`, `semaphores` and `content`, the nearest document that says something counts.
  package func resolve(_ document: PolicyDocument) throws(PolicyDiagnostics) -> ResolvedPolicy {
    let chain = try chain(of: document)
    let execute = chain.lazy.compactMap(\.execute).first ?? Sourced(.any, document.name.origin)
    var limits = PolicyLimits()
    for document in chain.reversed() {
      for (name, value) in document.limits { limits.set(name, value) }
    }
    return ResolvedPolicy(
      name: document.name.value,
      description: document.description,
      chain: chain.map(\.name.value),
      calls: Self.calls(chain)
        + execute.value.rules(descriptors: limits.descriptors, origin: execute.origin),
      readOnly: Self.readOnly(chain),
      devices: Self.devices(chain),
      scratchBytes: chain.lazy.compactMap(\.scratchBytes).first?.value ?? ResolvedPolicy.standardScratchBytes,
      limits: limits,
      bestEffort: chain.lazy.compactMap(\.bestEffort).first?.value ?? [],
      execute: execute.value,
      executeOrigin: execute.origin,
      semaphores: chain.lazy.compactMap(\.semaphores).first?.value ?? .unnamed,
      content: chain.lazy.compactMap(\.content).first?.value ?? .portable,
      denials: chain.flatMap(\.deny),
      documents: chain
    )
  }

  /// The documents from one to its oldest ancestor.
  private func chain(of document: PolicyDocument) throws(PolicyDiagnostics) -> [PolicyDocument] {
    var chain = [document]
    while let last = chain.last, let parent = last.extends {
      let names = chain.map(\.name.value)
      let mistake: PolicyMistake
      if names.contains(parent.value) {
        mistake = .loop(names + [parent.value])
      } else if let next = documents[parent.value] {
        chain.append(next)
        continue
      } else {
        let suggestion = Suggestion.nearest(to: parent.value, among: self.names)
        mistake = .unknownParent(parent.value, suggestion: suggestion, known: self.names)
      }
      throw PolicyDiagnostics([
        PolicyDiagnostic(origin: parent.origin, keyPath: "extends", mistake: mistake)
      ])
    }
    return chain
  }

  /// The rules of a chain, the oldest document's first; each once, and none whose call is denied.
  private static func calls(_ chain: [PolicyDocument]) -> [SyscallRule] {
    let denied = Set(chain.lazy.flatMap(\.deny).map(\.value))
    let rules = chain.reversed().flatMap(\.allow)
    var seen = Set<Way>(minimumCapacity: rules.count)
    return rules.filter { rule in
      !denied.contains(rule.call) && seen.insert(Way(call: rule.call, conditions: rule.conditions)).inserted
    }
  }

  /// What a rule allows, whatever document says so.
  private struct Way: Hashable {
    var call: String
    var conditions: [ArgumentCondition]
  }

  /// The paths of a chain; a path that some document requires is required.
  private static func readOnly(_ chain: [PolicyDocument]) -> [ReadOnlyPath] {
    var paths: [ReadOnlyPath] = []
    for grant in chain.reversed().flatMap(\.readOnly) {
      if let index = paths.firstIndex(where: { $0.path == grant.path }) {
        if grant.presence == .required { paths[index] = grant }
      } else {
        paths.append(grant)
      }
    }
    return paths
  }

  /// The devices of a chain, each once.
  private static func devices(_ chain: [PolicyDocument]) -> [Sourced<String>] {
    var seen: Set<String> = []
    return chain.reversed().flatMap(\.devices).filter { seen.insert($0.value).inserted }
  }
}
