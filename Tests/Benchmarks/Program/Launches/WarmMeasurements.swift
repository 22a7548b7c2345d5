// SPDX-License-Identifier: Apache-2.0

import BenchmarkStatistics
import CaptureHost
import LinuxPrimitives
import Prewarming

/// Prewarmed launches: from the request for a session until its extension runs, compared with a cold launch
/// by the same host.
enum WarmMeasurements: MeasurementGroup {
  static let name = "warm"
  /// The title of the table.
  static let title = "warm launch"
  /// Returns the row name for the budget.
  static func go(_ language: String) -> String { "\(language), prewarmed: go to its first byte" }

  static func run(_ setup: BenchmarkSetup) throws -> [Table] {
    let bare = setup.line.bare
    // As in a host: the next extension is prewarmed half a second after a launch, not concurrently with it.
    let pool = try PrewarmPool(stateRoot: setup.root)
    defer { pool.close() }
    let hosts = (
      cold: SessionRunner(stateRoot: setup.root), warm: SessionRunner(stateRoot: setup.root, pool: pool)
    )
    var floor = Series("\(bare.name) of static C, to the first byte")
    var rows: [Rows] = []
    var waiting: [WaitingExtension] = []
    for (language, program) in programs(setup) {
      rows.append(Rows(language))
      waiting.append(try WaitingExtension.install(language, program, setup))
    }
    let number = setup.null.rawValue
    try interleave(
      rounds: max(10, setup.runs / 4),
      [{ floor.add(nanoseconds: try bare.timeAfterPause(.staticC, input: number).times.firstByte) }]
        + waiting.indices.flatMap { index -> [() throws -> Void] in
          [
            { rows[index].note(launched: try waiting[index].session(hosts.cold)) },
            {
              guard try waiting[index].prewarm(in: pool) else { throw BenchmarkError.noOutput("the pool") }
              rows[index].note(prewarmed: try waiting[index].session(hosts.warm))
              // Other measurements would wake an extension that waits for the next iteration.
              pool.dropAll()
            },
          ]
        }
    )
    return [Table(title, [floor] + rows.flatMap(\.series), baseline: floor.name, notes: notes(rows))]
  }

  private static func programs(_ setup: BenchmarkSetup) -> [(language: String, program: String)] {
    [("C", setup.path(.waiting))] + (setup.products.map { [("Swift", "\($0)/WaitingExtension")] } ?? [])
  }

  private static func notes(_ rows: [Rows]) -> [String] {
    [
      "go: the moment at which everything that the session needs is prepared, and the prewarmed extension is to be "
        + "notified; extensions record their own times, so that these rows, unlike \"to the first byte\", exclude the "
        + "wake-up of the reader",
      "first byte: in C, the reply is written; in Swift, the extension's own code has received the session; "
        + "listening: the host knows that the extension listens",
    ] + rows.compactMap(\.fault)
  }

  /// The rows of one extension.
  private struct Rows {
    private let language: String
    private var launched: Series
    private var launchedListening: Series
    private var prewarmed: Series
    private var fromGo: Series
    private var prewarmedListening: Series
    private var notPrewarmed = 0

    init(_ language: String) {
      self.language = language
      launched = Series("\(language), cold: request to its first byte")
      launchedListening = Series("\(language), cold: request to listening")
      prewarmed = Series("\(language), prewarmed: request to its first byte")
      fromGo = Series(go(language))
      prewarmedListening = Series("\(language), prewarmed: request to listening")
    }

    /// All rows.
    var series: [Series] { [launched, launchedListening, prewarmed, fromGo, prewarmedListening] }
    /// A note about launches that did not use the prewarmed extension, or `nil`.
    var fault: String? {
      notPrewarmed > 0
        ? "\(language): \(notPrewarmed) launches without the prewarmed extension are not counted" : nil
    }

    /// Records a session that was launched on request.
    mutating func note(launched times: WaitingExtension.Times) {
      launched.add(nanoseconds: times.heard)
      launchedListening.add(nanoseconds: times.listening)
    }

    /// Records a session that should have used the prewarmed extension.
    mutating func note(prewarmed times: WaitingExtension.Times) {
      guard let prepared = times.prepared else {
        notPrewarmed += 1
        return
      }
      prewarmed.add(nanoseconds: times.heard)
      fromGo.add(nanoseconds: times.heard - min(prepared, times.heard))
      prewarmedListening.add(nanoseconds: times.listening)
    }
  }
}
