// SPDX-License-Identifier: Apache-2.0

/// The steps of adding and removing an asset, in order.
///
/// | after | state after a crash | recovery |
/// |---|---|---|
/// | `reserved`, `copied` | a row, perhaps some data in `incoming`; an unchanged session file | undoes the addition |
/// | `staged` | all data in `incoming`, durable | moves the file to its path, and continues |
/// | `placed` | the file at its path, not visible yet | makes the asset visible, and continues |
/// | `committed` | the asset, and the session's file | removes the session's file if requested |
/// | `sourceRemoved` | the asset, and a row of pending work | removes the row |
/// | `leaving` | an invisible asset, and its file | removes the file |
/// | `removed` | an invisible asset | removes the row |
package enum IngestStep: String, CaseIterable, Sendable {
  /// The name and path are reserved, durably.
  case reserved
  /// The data is in the incoming directory.
  case copied
  /// The data is durable, and the index records this.
  case staged
  /// The file has its final path in the library.
  case placed
  /// The asset is visible.
  case committed
  /// The file has been removed from the session, if requested.
  case sourceRemoved
  /// The asset is invisible.
  case leaving
  /// The file has been removed.
  case removed
}
