// SPDX-License-Identifier: Apache-2.0

/// The fix for calls that only a restricted session refuses.
package enum NamespaceFix {
  /// The fix as an imperative.
  package static let text =
    "omit the call, or allow this user to create user namespaces ('darkroom doctor' explains how)"
}
