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
      title: "How exposed the machine is, beside other sandboxes",
      blocks: [
        .text(
          "Counted, not scored: the filters were taken apart in the same way, and each call of this machine was asked of "
            + "with every argument. The others are as they come when nobody configures them further; with more options "
            + "each of them can be made much stricter. What the filter lets through the kernel can still refuse."
        ),
        .table(callTable),
        .table(operationTable),
        .table(traitTable),
        .statements(
          "What was compared",
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
  private static let unknown = AuditCell("not known", .bad)

  private var callTable: AuditTable {
    func row(_ name: String, _ value: (ExposureMeasure) -> String) -> [AuditCell] {
      [AuditCell(name)] + measures.map { $0.map { AuditCell(value($0)) } ?? Self.unknown }
    }
    return AuditTable(
      caption:
        "System calls that reach the kernel, of the \(reach.peers.first?.exposure.known ?? 0) that this machine has",
      columns: columns,
      rows: [
        row("reachable with any or some arguments") { "\($0.reachable.count)" },
        row("of these, with certain arguments only") { "\($0.limited.count)" },
        row("calls of other architectures") {
          $0.otherArchitectures.isEmpty ? "none" : $0.otherArchitectures.joined(separator: ", ")
        },
      ]
    )
  }

  private var operationTable: AuditTable {
    AuditTable(
      caption: "What the filter lets the program ask the kernel for",
      columns: ["Can it …"] + columns.dropFirst(),
      rows: AuditedOperation.all.map { deed in
        [AuditCell(deed.summary)]
          + measures.map { measure in
            guard let measure else { return Self.unknown }
            guard let calls = measure.operations[deed.id] else { return AuditCell("no", .good) }
            let more = calls.count > 3 ? ", …" : ""
            return AuditCell("yes: \(calls.prefix(3).joined(separator: ", "))\(more)", .beware)
          }
      }
    )
  }

  private var traitTable: AuditTable {
    let own: [PeerSandbox.Trait: AuditCell] = [
      .network: AuditCell("none", .good),
      .files: AuditCell(
        "\(policy.found.policy.readOnly.count) paths of the host, for reading; its session",
        .good
      ),
      .processes: AuditCell("its own", .good),
      .capabilities: AuditCell("none", .good),
      .newPrivileges: AuditCell("no", .good),
    ]
    return AuditTable(
      caption: "What a filter does not show; of the others this is documented, not measured",
      columns: ["What it has"] + columns.dropFirst(),
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
      "deeds": .object(
        AuditedOperation.all.compactMap { deed in
          operations[deed.id].map { .init(deed.id, .array($0.map(JSONValue.string))) }
        }
      ),
      "otherArchitectures": .array(otherArchitectures.map(JSONValue.string)),
    ]
  }
}
