// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import SessionStore

extension StateRoot {
  /// The catalog of the apps that are installed in the state root.
  package var catalog: AppCatalog {
    AppCatalog(
      appsDirectory: appsDirectory,
      groupsDirectory: groupsDirectory,
      validator: PolicyFinder.validator
    )
  }
}
