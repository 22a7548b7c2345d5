// SPDX-License-Identifier: Apache-2.0

import SandboxPolicy
import SystemCalls
import Testing

/// Parses constant names in the conditions of a document.
@Suite struct ConstantGrammarTests {
  private static func document(_ value: String) -> String {
    #"{"name":"p","syscalls":{"allow":[{"call":"read","arguments":[{"index":0,"equals":"\#(value)"}]}]}}"#
  }

  @Test(arguments: ["PROT_NONE", "O_RDONLY", "SOCK_STREAM", "AF_VSOCK", "GRND_RANDOM", "S_IRWXU", "MAP_ANON"])
  func `a document can name a constant of any family`(name: String) throws {
    let document = try PolicyParser.parse(Self.document(name), source: "p.json")
    let value = try #require(ConstantTable.narrowValue(of: name))
    #expect(document.allow.first?.conditions == [ArgumentCondition(index: 0, value: value)])
  }

  @Test func `accepts each 32-bit constant and rejects wider ones`() throws {
    let names = ConstantTable.names.filter { ConstantTable.value(of: $0) != nil }
    #expect(names.count > 2000)
    var wide: Set<String> = []
    for name in names {
      let errors = PolicyParserTests.errorDescriptions(Self.document(name))
      if errors.isEmpty { continue }
      #expect(errors.count == 1 && errors[0].contains("is not an unsigned 32-bit number"), "\(errors)")
      wide.insert(name)
    }
    #expect(wide.isSuperset(of: ["CLONE_INTO_CGROUP"]) && wide.count < 20, "\(wide.sorted())")
  }

  @Test func `a negative C constant is compared by its lower half`() throws {
    let document = try PolicyParser.parse(Self.document("AT_FDCWD"), source: "p.json")
    #expect(document.allow.first?.conditions == [ArgumentCondition(index: 0, value: 0xFFFF_FF9C)])
  }

  @Test func `a misspelled constant is reported with the most similar one`() {
    let errors = PolicyParserTests.errorDescriptions(Self.document("PROT_NON"))
    #expect(errors.count == 1 && errors[0].contains("PROT_NONE"), "\(errors)")
  }
}
