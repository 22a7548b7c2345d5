// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import SandboxPolicy

extension SyscallRule {
  /// The rule as an element of `syscalls.allow`, with names of the policy grammar.
  package var element: JSONValue { FixWriter.json(self) }
}
