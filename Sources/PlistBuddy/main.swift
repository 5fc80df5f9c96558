import Glibc
import PropertyListCommands

exit(PlistBuddyTool.run())
