// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import JSONText
internal import LaunchPlanning
internal import PolicyInterchange
internal import SandboxPolicy

extension AuditEvidence {
  /// The section that compares the exposure with that of other sandboxes in their default configuration.
  var exposureSection: AuditSection {
    AuditSection(
      id: "exposure",
      title: "Exposure of the machine, compared with other sandboxes",
      blocks: [
        .text(
          "The numbers are counts, not scores: all filters were analyzed in the same way, for each call of this "
            + "machine and every argument. The other sandboxes have their default configuration; with more options "
            + "each of them can be "
            + "much stricter. The kernel can still refuse a call that the filter allows."
        ),
        .table(callTable),
        .table(operationTable),
        .table(traitTable),
        .statements(
          "Compared sandboxes",
          reach.peers.map { .init(mark: .note, text: "\($0.peer.name): \($0.peer.source)", items: []) }
        ),
      ],
      data: [
        "darkroom": (try? reach.exposure.get())?.json ?? .null,
        "peers": .array(
          reach.peers.map { peer, measure in
            [
              "id": .string(peer.id), "name": .string(peer.name), "version": .string(peer.peer.version),
              "source": .string(peer.source),
              "exposure": measure.json,
              "defaults": .object(
                PeerSandbox.Trait.allCases.map {
                  .init($0.rawValue, .string(peer.traits[$0]?.text ?? ""))
                }
              ),
            ]
          }
        ),
      ]
    )
  }

  private var columns: [String] { ["Calls", "this extension"] + reach.peers.map(\.peer.name) }
  private var measures: [ExposureMeasure?] { [try? reach.exposure.get()] + reach.peers.map(\.exposure) }
  /// The cell for a filter that is too large to be analyzed.
  private static let unknown = AuditCell("unknown", .bad)

  private var callTable: AuditTable {
    func row(_ name: String, _ value: (ExposureMeasure) -> String) -> [AuditCell] {
      [AuditCell(name)] + measures.map { $0.map { AuditCell(value($0)) } ?? Self.unknown }
    }
    return AuditTable(
      caption:
        "System calls that reach the kernel, out of \(reach.peers.first?.exposure.known ?? 0) on this machine",
      columns: columns,
      rows: [
        row("reachable with any or some arguments") { "\($0.reachable.count)" },
        row("of these, only with certain arguments") { "\($0.limited.count)" },
        row("calls of other architectures") {
          $0.otherArchitectures.isEmpty ? "none" : $0.otherArchitectures.joined(separator: ", ")
        },
      ]
    )
  }

  private var operationTable: AuditTable {
    AuditTable(
      caption: "Operations that the filter allows",
      columns: ["Operation"] + columns.dropFirst(),
      rows: AuditedOperation.all.map { deed in
        [AuditCell(deed.summary)]
          + measures.map { measure in
            guard let measure else { return Self.unknown }
            guard let calls = measure.operations[deed.id] else { return AuditCell("no", .good) }
            let more = calls.count > 3 ? ", …" : ""
            return AuditCell("yes: \(calls.prefix(3).joined(separator: ", "))\(more)", .warning)
          }
      }
    )
  }

  private var traitTable: AuditTable {
    let own: [PeerSandbox.Trait: AuditCell] = [
      .network: AuditCell("none", .good),
      .files: AuditCell(
        "\(policy.found.policy.readOnly.count) paths of the host, read-only; its session",
        .good
      ),
      .processes: AuditCell("its own", .good),
      .capabilities: AuditCell("none", .good),
      .newPrivileges: AuditCell("no", .good),
    ]
    return AuditTable(
      caption: "Properties outside the filter; for the other sandboxes documented, not measured",
      columns: ["Property"] + columns.dropFirst(),
      rows: PeerSandbox.Trait.allCases.map { trait in
        [AuditCell(trait.title), own[trait] ?? ""] + reach.peers.map { $0.peer.traits[trait] ?? "" }
      }
    )
  }
}

extension ExposureMeasure {
  /// The measure as JSON.
  fileprivate var json: JSONValue {
    [
      "calls": .integer(Int64(known)),
      "reachable": .array(reachable.map(JSONValue.string)),
      "limited": .array(limited.map(JSONValue.string)),
      "operations": .object(
        AuditedOperation.all.compactMap { deed in
          operations[deed.id].map { .init(deed.id, .array($0.map(JSONValue.string))) }
        }
      ),
      "otherArchitectures": .array(otherArchitectures.map(JSONValue.string)),
    ]
  }
}
