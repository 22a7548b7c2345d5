// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import Refusals
internal import SandboxPolicy
package import SessionStore

extension SessionRecord {
  /// Adds the refused calls of the session.
  package mutating func note(_ ledger: RefusalLedger) {
    refusals = ledger.entries.map(Refusal.init)
    refusalsOmitted = Int64(ledger.omitted)
  }
}

extension SessionRecord.Refusal {
  /// Creates the record entry of a refusal.
  init(_ entry: RefusalLedger.Entry) {
    let refusal = entry.refusal
    self.init(
      layer: refusal.layer.rawValue,
      call: Call(
        refusal.call,
        refusal.arguments.map {
          Argument(name: $0.name, value: "0x" + String($0.value, radix: 16), text: $0.text)
        },
        program: refusal.program,
        thread: refusal.thread,
        at: refusal.timestamp,
        count: Int64(entry.count)
      ),
      errno: refusal.errno,
      explanation: Explanation(
        reason: refusal.reason,
        origin: refusal.origin.json,
        fix: refusal.fix.json,
        sentence: refusal.sentence
      ),
      probe: refusal.probe?.rawValue
    )
  }
}
