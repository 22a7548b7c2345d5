// SPDX-License-Identifier: Apache-2.0

package import JSONText

extension AuditReport {
  /// The report as JSON.
  package var json: JSONValue {
    [
      "version": 2,
      "title": .string(title),
      "made": .object(provenance.map { JSONValue.Member($0.name, .string($0.value)) }),
      "parts": .array(
        parts.map { part in
          .object(
            [JSONValue.Member("subject", .string(part.id))]
              + part.sections.map { JSONValue.Member($0.id, $0.data) }
          )
        }
      ),
    ]
  }
}
