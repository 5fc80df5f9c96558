import Glibc
import PropertyListCommands

exit(PropertyListTool.run())
