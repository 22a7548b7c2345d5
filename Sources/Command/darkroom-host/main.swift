// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives

// An error message is impossible: the standard descriptors may be missing.
guard CurrentProcess.fillStandardDescriptors() else { exit(71) }
exit(HostProgram.run(Array(CommandLine.arguments.dropFirst())))
