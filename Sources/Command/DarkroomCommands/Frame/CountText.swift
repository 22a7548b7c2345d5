// SPDX-License-Identifier: Apache-2.0

/// Returns a count with its noun, such as `1 file` or `2 files`.
func counted(_ count: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? "\(noun)s")"
}
