import Glibc
import SyncCommands

exit(SyncTool.run())
