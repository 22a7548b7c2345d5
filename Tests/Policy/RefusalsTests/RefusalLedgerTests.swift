// SPDX-License-Identifier: Apache-2.0

import Refusals
import SandboxPolicy
import Testing

@Suite struct RefusalLedgerTests {
  static let second: UInt64 = 1_000_000_000

  @Test func `counts equal refusals and keeps different ones separate`() throws {
    var ledger = RefusalLedger()
    let inet = try RefusalFixture.refusal("socket", [2, 1, 0])
    #expect(ledger.add(inet, now: 0) == .recorded)
    var later = inet
    later.thread = 9
    later.timestamp += 1000
    #expect(ledger.add(later, now: 1) == .aggregated)
    #expect(ledger.add(try RefusalFixture.refusal("socket", [10, 1, 0]), now: 2) == .recorded)
    var other = inet
    other.program = "ffmpeg"
    #expect(ledger.add(other, now: 3) == .recorded)
    #expect(ledger.entries.map(\.count) == [2, 1, 1])
    #expect(ledger.entries.first?.refusal == inet)
    #expect(ledger.omitted == 0 && ledger.total == 4)
  }

  @Test func `beyond its capacity the ledger counts refusals without keeping them`() throws {
    var ledger = RefusalLedger()
    let policy = try RefusalFixture.policy("capture")
    for index in 0..<300 {
      let verdict = ledger.add(
        Refusal(try RefusalFixture.call("setuid", [UInt64(index)]), policy: policy),
        now: UInt64(index) * Self.second
      )
      #expect(verdict == (index < 256 ? .recorded : .aggregated))
    }
    #expect(ledger.entries.count == 256)
    #expect(ledger.omitted == 44)
    // The ledger still counts refusals that it has kept.
    #expect(
      ledger.add(Refusal(try RefusalFixture.call("setuid", [3]), policy: policy), now: 400 * Self.second)
        == .aggregated
    )
    #expect(ledger.entries[3].count == 2 && ledger.omitted == 44 && ledger.total == 301)
  }

  @Test func `a burst is accepted and what exceeds it is a flood until time passes`() throws {
    var ledger = RefusalLedger()
    let refusal = try RefusalFixture.refusal("socket", [2, 1, 0])
    for _ in 0..<4096 { #expect(ledger.add(refusal, now: 5) != .flood) }
    #expect(ledger.add(refusal, now: 5) == .flood)
    // Half a second adds a capacity of 256.
    for _ in 0..<256 { #expect(ledger.add(refusal, now: 5 + Self.second / 2) == .aggregated) }
    #expect(ledger.add(refusal, now: 5 + Self.second / 2) == .flood)
    #expect(ledger.total == 4096 + 256 + 2)
  }

  @Test func `a slow rate is never a flood, and a clock that runs backwards adds no capacity`() throws {
    var ledger = RefusalLedger()
    let refusal = try RefusalFixture.refusal("socket", [2, 1, 0])
    // Slightly slower than the refill, in steps that are not multiples of the interval.
    for index in 0..<20_000 {
      #expect(ledger.add(refusal, now: 1_000_000 + UInt64(index) * 2_500_001) != .flood)
    }
    var exhausted = RefusalLedger()
    for _ in 0..<4096 { _ = exhausted.add(refusal, now: 10 * Self.second) }
    #expect(exhausted.add(refusal, now: 0) == .flood)
    #expect(exhausted.add(refusal, now: 10 * Self.second) == .flood)
  }
}
