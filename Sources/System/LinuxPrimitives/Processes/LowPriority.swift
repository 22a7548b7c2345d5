// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension CurrentProcess {
  /// Makes the calling thread run, read and write only when the machine is idle (setpriority(2),
  /// ioprio_set(2) with `IOPRIO_CLASS_IDLE`). A refusal of the kernel is ignored.
  package static func useIdlePriority() { _ = darkroom_use_idle_priority() }
}
