// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy

/// A resolved policy as text: each entry with its position, including the entries of all ancestors.
package enum ResolvedText {
  /// Returns the lines, of at most the given width where words allow it.
  package static func lines(_ policy: ResolvedPolicy, width: Int) -> [String] {
    let provenance = PolicyProvenance(of: policy)
    var text = WrappedText(width: width)
    let chain = policy.documents.map { "\($0.name.value) (\($0.source))" }
    text.add(chain.joined(separator: " extends "))
    if !policy.description.isEmpty { text.add(policy.description) }
    calls(provenance[.allow], "syscalls.allow", &text)
    calls(provenance[.deny], "syscalls.deny", &text)
    for (key, title) in [(PolicyEntry.Key.readOnly, "readOnly"), (.devices, "devices")] {
      addHeading(title, &text)
      let entries = provenance[key]
      if entries.isEmpty { text.add("nothing", indent: 2) }
      for entry in entries { line(entry, &text) }
    }
    let single: [PolicyEntry.Key] =
      [.scratch] + LimitName.allCases.map { .limit($0) } + [
        .bestEffort, .acceptSingleMechanism, .execute, .semaphores, .content,
      ]
    addHeading("settings of single documents", &text)
    for key in single {
      for entry in provenance[key] { line(entry, &text, name: "\(key): ") }
    }
    return text.lines
  }

  /// Adds a heading.
  private static func addHeading(_ title: String, _ text: inout WrappedText) {
    text.addBlankLine()
    text.add(title)
  }

  /// Adds calls; the calls of one line and one group are listed together.
  private static func calls(_ entries: [PolicyEntry], _ title: String, _ text: inout WrappedText) {
    addHeading(title, &text)
    if entries.isEmpty { text.add("nothing", indent: 2) }
    var rest = entries[...]
    while let first = rest.first {
      let members = rest.prefix { $0.origin == first.origin }
      rest = rest.dropFirst(members.count)
      let paths = members.map(\.groups).reduce(into: [[String]]()) { if !$0.contains($1) { $0.append($1) } }
      for path in paths {
        let row = members.filter { $0.groups == path }
        let group = path.isEmpty ? "" : path.joined(separator: " > ") + ": "
        let names = row.map { valueText($0.value, $0.key) }.joined(separator: " ")
        text.add("\(group)\(names)", mark: originText(first.origin) + "  ", indent: 2)
        shadowed(row, &text)
      }
    }
  }

  /// Adds an entry with its position.
  private static func line(_ entry: PolicyEntry, _ text: inout WrappedText, name: String = "") {
    text.add("\(name)\(valueText(entry.value, entry.key))", mark: originText(entry.origin) + "  ", indent: 2)
    shadowed([entry], &text)
  }

  /// Adds the entries that a row overrides; entries of one line and one group are listed together.
  private static func shadowed(_ row: [PolicyEntry], _ text: inout WrappedText) {
    let others = row.flatMap { entry in entry.shadowed.map { (entry: entry, other: $0) } }
    var rest = others[...]
    while let first = rest.first?.other {
      func isLike(_ other: PolicyEntry.Shadowed) -> Bool {
        (other.origin, other.reason, other.groups) == (first.origin, first.reason, first.groups)
      }
      let alike = rest.filter { isLike($0.other) }
      rest = rest.filter { !isLike($0.other) }[...]
      let group = first.groups.isEmpty ? "" : " by \(first.groups.joined(separator: " > "))"
      let values = alike.map { valueText($0.other.value, $0.entry.key) }.joined(separator: " ")
      let says = alike.count == row.count && first.reason == .repeated ? "" : ": \(values)"
      text.add("\(first.reason.predicate) \(first.origin)\(group)\(says)", mark: "· ", indent: 6)
    }
  }

  /// Returns the position of an entry as text.
  private static func originText(_ origin: PolicyOrigin?) -> String {
    origin?.description ?? "default value"
  }

  /// Returns a value in policy syntax.
  private static func valueText(_ value: PolicyEntry.Value, _ key: PolicyEntry.Key) -> String {
    switch value {
    case .rule(let rule): RuleText.text(rule)
    case .call(let name), .device(let name): name
    case .path(let grant): grant.path + (grant.presence == .optional ? ", optional" : "")
    case .quantity(let number): QuantityText.text(number, key.unit ?? .count)
    case .layers(let layers):
      layers.isEmpty ? "none" : layers.map(\.rawValue).sorted().joined(separator: ", ")
    case .accesses(let accesses):
      accesses.isEmpty ? "none" : accesses.map(\.rawValue).sorted().joined(separator: ", ")
    case .execute(let permission): permission.rawValue
    case .semaphores(let permission): permission.rawValue
    case .content(let form): form.rawValue
    }
  }
}

extension PolicyEntry.Reason {
  /// The effect of an entry on an entry elsewhere, as the words before the position.
  fileprivate var predicate: String {
    switch self {
    case .overridden: "overrides"
    case .repeated: "is repeated by"
    case .covered: "covers the narrower rule of"
    case .denied: "denies the call that is allowed by"
    case .required: "requires the path that is optional in"
    }
  }
}
