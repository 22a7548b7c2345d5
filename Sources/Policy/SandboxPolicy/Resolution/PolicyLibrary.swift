// SPDX-License-Identifier: Apache-2.0

/// Named policies that other policies can extend.
package struct PolicyLibrary: Sendable {
  /// The documents, by policy name.
  package private(set) var documents: [String: PolicyDocument] = [:]

  /// Creates a library. If two documents have the same policy name, the library keeps the later one.
  package init(_ documents: [PolicyDocument] = []) {
    for document in documents { self.documents[document.name.value] = document }
  }

  /// Creates a library from file names and contents. All mistakes of all documents are thrown.
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

  /// The names of the policies, in alphabetical order.
  package var names: [String] { documents.keys.sorted() }

  /// Returns the resolved policy with a name, or `nil` if the library does not have it.
  package func policy(named name: String) throws(PolicyDiagnostics) -> ResolvedPolicy? {
    guard let document = documents[name] else { return nil }
    return try resolve(document)
  }

  /// Returns the policy of a document together with everything that it extends.
  ///
  /// Calls, paths and devices add up along the chain, and a denial in any document takes precedence. The
  /// scratch size, each limit, `bestEffort`, `acceptSingleMechanism`, `execute`, `semaphores` and `content` come
  /// from the first document of the chain that sets them.
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
      scratchBytes: chain.lazy.compactMap(\.scratchBytes).first?.value ?? ResolvedPolicy.defaultScratchBytes,
      limits: limits,
      bestEffort: chain.lazy.compactMap(\.bestEffort).first?.value ?? [],
      acceptSingleMechanism: chain.lazy.compactMap(\.acceptSingleMechanism).first?.value ?? [],
      execute: execute.value,
      executeOrigin: execute.origin,
      semaphores: chain.lazy.compactMap(\.semaphores).first?.value ?? .unnamed,
      content: chain.lazy.compactMap(\.content).first?.value ?? .portable,
      denials: chain.flatMap(\.deny),
      documents: chain
    )
  }

  /// Returns the documents from the given one to the one that extends nothing.
  private func chain(of document: PolicyDocument) throws(PolicyDiagnostics) -> [PolicyDocument] {
    var chain = [document]
    while let last = chain.last, let parent = last.extends {
      let names = chain.map(\.name.value)
      let mistake: PolicyMistake
      if names.contains(parent.value) {
        mistake = .extendsCycle(names + [parent.value])
      } else if let next = documents[parent.value] {
        chain.append(next)
        continue
      } else {
        let suggestion = SpellingSuggestion.nearest(to: parent.value, among: self.names)
        mistake = .unknownParent(parent.value, suggestion: suggestion, known: self.names)
      }
      throw PolicyDiagnostics([
        PolicyDiagnostic(origin: parent.origin, keyPath: "extends", mistake: mistake)
      ])
    }
    return chain
  }

  /// Returns the rules of a chain without duplicates and denied calls, starting with the document that
  /// extends nothing.
  private static func calls(_ chain: [PolicyDocument]) -> [SyscallRule] {
    let denied = Set(chain.lazy.flatMap(\.deny).map(\.value))
    let rules = chain.reversed().flatMap(\.allow)
    var seen = Set<RuleKey>(minimumCapacity: rules.count)
    return rules.filter { rule in
      !denied.contains(rule.call)
        && seen.insert(RuleKey(call: rule.call, conditions: rule.conditions)).inserted
    }
  }

  /// The meaning of a rule, without its position.
  private struct RuleKey: Hashable {
    var call: String
    var conditions: [ArgumentCondition]
  }

  /// Returns the paths of a chain. A path is required if at least one document requires it.
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

  /// Returns the devices of a chain without duplicates.
  private static func devices(_ chain: [PolicyDocument]) -> [Sourced<String>] {
    var seen: Set<String> = []
    return chain.reversed().flatMap(\.devices).filter { seen.insert($0.value).inserted }
  }
}
