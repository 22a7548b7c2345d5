// SPDX-License-Identifier: Apache-2.0

import Refusals
import SandboxPolicy
import Testing

@Suite struct RefusalLedgerTests {
  static let second: UInt64 = 1_000_000_000

  @Test func `equal refusals are counted, others are kept apart`() throws {
    var ledger = RefusalLedger()
    let inet = try Denied.refusal("socket", [2, 1, 0])
    #expect(ledger.add(inet, now: 0) == .noted)
    var later = inet
    later.thread = 9
    later.at += 1000
    #expect(ledger.add(later, now: 1) == .folded)
    #expect(ledger.add(try Denied.refusal("socket", [10, 1, 0]), now: 2) == .noted)
    var other = inet
    other.program = "ffmpeg"
    #expect(ledger.add(other, now: 3) == .noted)
    #expect(ledger.entries.map(\.count) == [2, 1, 1])
    #expect(ledger.entries.first?.refusal == inet)
    #expect(ledger.omitted == 0 && ledger.total == 4)
  }

  @Test func `beyond the room that there is, refusals are counted and not kept`() throws {
    var ledger = RefusalLedger()
    let policy = try Denied.policy("capture")
    for index in 0..<300 {
      let verdict = ledger.add(
        Refusal(try Denied.call("setuid", [UInt64(index)]), policy: policy),
        now: UInt64(index) * Self.second
      )
      #expect(verdict == (index < 256 ? .noted : .folded))
    }
    #expect(ledger.entries.count == 256)
    #expect(ledger.omitted == 44)
    // The ledger still counts refusals that it has kept.
    #expect(
      ledger.add(Refusal(try Denied.call("setuid", [3]), policy: policy), now: 400 * Self.second) == .folded
    )
    #expect(ledger.entries[3].count == 2 && ledger.omitted == 44 && ledger.total == 301)
  }

  @Test func `a burst is no flood, and what follows it is, until time has passed`() throws {
    var ledger = RefusalLedger()
    let refusal = try Denied.refusal("socket", [2, 1, 0])
    for _ in 0..<4096 { #expect(ledger.add(refusal, now: 5) != .flood) }
    #expect(ledger.add(refusal, now: 5) == .flood)
    // Half a second adds a capacity of 256.
    for _ in 0..<256 { #expect(ledger.add(refusal, now: 5 + Self.second / 2) == .folded) }
    #expect(ledger.add(refusal, now: 5 + Self.second / 2) == .flood)
    #expect(ledger.total == 4096 + 256 + 2)
  }

  @Test func `a slow drip never floods, and a clock that goes back brings nothing`() throws {
    var ledger = RefusalLedger()
    let refusal = try Denied.refusal("socket", [2, 1, 0])
    // Slightly slower than the refill, in steps that are not multiples of the interval.
    for index in 0..<20_000 {
      #expect(ledger.add(refusal, now: 1_000_000 + UInt64(index) * 2_500_001) != .flood)
    }
    var drained = RefusalLedger()
    for _ in 0..<4096 { _ = drained.add(refusal, now: 10 * Self.second) }
    #expect(drained.add(refusal, now: 0) == .flood)
    #expect(drained.add(refusal, now: 10 * Self.second) == .flood)
  }
}
