// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension CurrentProcess {
  /// Lets the calling thread run, read and write only when nobody else does (setpriority(2), ioprio_set(2) with
  /// `IOPRIO_CLASS_IDLE`); where the kernel refuses it, it goes on as it was.
  package static func runLast() { _ = darkroom_run_last() }
}
