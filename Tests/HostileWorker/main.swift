import Foundation

exit(HostileWorker.run())
