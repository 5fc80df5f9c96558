import Glibc
import PropertyListCommands

exit(PropertyListTool.run(Array(CommandLine.arguments.dropFirst())))
