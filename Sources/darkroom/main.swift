// SPDX-License-Identifier: Apache-2.0

import DarkroomCommands
import Glibc

exit(DarkroomCommandLine.main(Array(CommandLine.arguments.dropFirst())))
