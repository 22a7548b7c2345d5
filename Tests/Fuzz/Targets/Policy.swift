// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import Policies
internal import SandboxPolicy

/// The policies that a fuzzed policy can extend.
private let shipped = try? PolicyLibrary(texts: ShippedPolicies.texts)

/// Checks that a valid policy can be flattened into one document that resolves to the same policy.
func checkPolicy(_ input: [UInt8]) throws(Contradiction) {
  guard let shipped else { throw Contradiction("the shipped policies cannot be read") }
  let policy: ResolvedPolicy
  do { policy = try shipped.resolve(try PolicyParser.parse(input, source: "fuzzed.json")) } catch {
    try require(!error.all.isEmpty, "a policy was refused without a diagnostic")
    for diagnostic in error.all { try require(!"\(diagnostic)".isEmpty, "a diagnostic without text") }
    return
  }
  _ = PolicyProvenance(of: policy).json(of: policy).bytes()
  _ = policy.restricted(signalsAreScoped: false).flattened
  let text = policy.flattened.bytes(.indented)
  let again = try requireSuccess("a policy that was written cannot be read") { () throws(PolicyDiagnostics) in
    try PolicyLibrary().resolve(try PolicyParser.parse(text, source: "written.json"))
  }
  try require(again.flattened.bytes(.indented) == text, "a policy that was written says something else")
  try require(again.execute == policy.execute, "a policy that was written executes something else")
  try require(again.content == policy.content, "a policy that was written delivers content otherwise")
}
