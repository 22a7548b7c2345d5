// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension PolicyDescriber {
  /// Returns the section about everything that the policy allows and another policy does not.
  func comparison(with standard: PolicyDescriber) -> Section {
    let name = standard.policy.name
    var statements: [Statement] = []
    func add(_ text: String, _ items: [String]) {
      if !items.isEmpty { statements.append(Statement(.warning, text, items)) }
    }
    add("System calls that \(name) does not allow:", additionalCalls(standard))
    add(
      "Paths of the host that \(name) does not show:",
      policy.readOnly.filter { grant in !standard.policy.readOnly.contains { $0.covers(grant.path) } }
        .map { "\($0.path) (\($0.origin))" }
    )
    let devices = Set(standard.policy.devices.map(\.value))
    add(
      "Devices that \(name) does not show:",
      policy.devices.filter { !devices.contains($0.value) }.map { "\($0.value) (\($0.origin))" }
    )
    add("Limits that are weaker than those of \(name):", weakerLimits(standard))
    add(
      "Layers that are optional, but required by \(name):",
      policy.bestEffort.subtracting(standard.policy.bestEffort).map(\.rawValue).sorted()
        .map { "\($0)\(originSuffix(.bestEffort))" }
    )
    add(
      "Access that a single mechanism may deny, but two mechanisms must deny for \(name):",
      policy.acceptSingleMechanism.subtracting(standard.policy.acceptSingleMechanism).map(\.rawValue).sorted()
        .map { "\($0)\(originSuffix(.acceptSingleMechanism))" }
    )
    statements += weakerChoices(standard)
    if statements.isEmpty {
      statements = [
        Statement(.fact, "None: \(name) allows everything that this policy allows, and no limit is weaker.")
      ]
    }
    return Section(title: "Settings that are weaker than in \(name)", statements: statements)
  }

  /// Returns statements about the choices between two values that are weaker than those of another policy.
  private func weakerChoices(_ standard: PolicyDescriber) -> [Statement] {
    let name = standard.policy.name
    var statements: [Statement] = []
    func add(_ text: String, _ item: String, if isWeaker: Bool) {
      if isWeaker { statements.append(Statement(.warning, text, [item])) }
    }
    add(
      "Programs:",
      "the extension can start programs, which \(name) does not allow (\(policy.executeOrigin))",
      if: policy.execute == .any && standard.policy.execute == .once
    )
    add(
      "Semaphores:",
      "the extension can create named semaphores, which \(name) does not allow\(originSuffix(.semaphores))",
      if: policy.semaphores == .named && standard.policy.semaphores == .unnamed
    )
    add(
      "Content:",
      "the app receives names as written, which \(name) makes portable\(originSuffix(.content))",
      if: policy.content == .asWritten && standard.policy.content == .portable
    )
    return statements
  }

  /// Returns the calls, or arguments of calls, that another policy does not allow.
  private func additionalCalls(_ standard: PolicyDescriber) -> [String] {
    permittedCalls.calls.filter { !ExecutePermission.calls.contains($0) }.compactMap { call in
      guard permittedCalls.allowed(call).contains(where: { !standard.permittedCalls.covers($0, of: call) })
      else { return nil }
      let lines = RuleText.list(Self.abbreviated(permittedCalls.origins(of: call).map(\.description)))
      guard !standard.permittedCalls.allowed(call).isEmpty else { return "\(call) (\(lines))" }
      return "\(call) with other arguments (\(lines))"
    }
  }

  /// Returns the limits that are weaker than those of another policy.
  private func weakerLimits(_ standard: PolicyDescriber) -> [String] {
    let weaker = LimitName.allCases.filter {
      $0.bound.isWeaker(policy.limits[$0], than: standard.policy.limits[$0])
    }
    let scratch = policy.scratchBytes > standard.policy.scratchBytes
    return weaker.map {
      "\($0.rawValue): \(limit($0)) instead of \(standard.limit($0))\(originSuffix(.limit($0)))"
    }
      + (scratch
        ? [
          "scratch: \(QuantityText.text(policy.scratchBytes, .bytes)) instead of "
            + QuantityText.text(standard.policy.scratchBytes, .bytes) + originSuffix(.scratch)
        ] : [])
  }

  /// Returns at most three items; calls such as ioctl(2) have dozens of rules.
  private static func abbreviated(_ words: [String]) -> [String] {
    words.count > 3 ? words.prefix(2) + ["\(words.count - 2) other lines"] : words
  }
}

extension ReadOnlyPath {
  /// Returns whether the grant shows a path.
  fileprivate func covers(_ other: String) -> Bool { other == path || other.hasPrefix(path + "/") }
}
